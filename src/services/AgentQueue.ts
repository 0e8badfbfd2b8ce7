/**
 * The one thing that reminders need of an Agent: to queue a message for a later turn while nothing else is going on.
 */
import { Context, type Effect, Schema } from "effect"
import type { FollowUp } from "../domain/FollowUp.ts"

/** The Agent is running a turn, has input queued for one, or is claimed already. */
export class AgentBusy extends Schema.TaggedError<AgentBusy>()("AgentBusy", {}) {}

/** The message was not queued. */
export class FollowUpError extends Schema.TaggedError<FollowUpError>()("FollowUpError", { cause: Schema.Defect() }) {}

export class AgentQueue extends Context.Service<
  AgentQueue,
  {
    /** Waits until no turn runs, nothing is queued that would start one, and nobody holds the Agent. */
    readonly awaitIdle: Effect.Effect<void>
    /**
     * Runs an effect while holding the idle Agent for itself: input that arrives meanwhile waits until it ends. Fails
     * with `AgentBusy` at once, and does not wait, when the Agent is not idle.
     */
    maintain<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | AgentBusy, R>
    /** Queues a message for an ordinary later turn, which it opens alone. It never steers or interrupts a turn. */
    followUp(message: FollowUp): Effect.Effect<void, FollowUpError>
  }
>()("effect-session-schedule/AgentQueue") {}
