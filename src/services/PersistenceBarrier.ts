/**
 * Proof that everything appended to one Session's log so far is durable.
 */
import { Context, type Effect, Schema } from "effect"

/** Durability could not be confirmed. Nothing is lost: what was appended stays pending for the next flush. */
export class BarrierError extends Schema.TaggedError<BarrierError>()("BarrierError", { cause: Schema.Defect() }) {}

export class PersistenceBarrier extends Context.Service<
  PersistenceBarrier,
  {
    /**
     * Succeeds only when all events appended before the call are durable, and, where others could have taken the Session
     * over, only while nobody has: also when there is nothing to store, so that what is read next is the truth.
     */
    readonly flush: Effect.Effect<void, BarrierError>
  }
>()("effect-session-schedule/PersistenceBarrier") {}
