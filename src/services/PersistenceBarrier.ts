/**
 * Proof that everything appended to one Session's log so far is durable.
 */
import { Context, type Effect, Schema } from "effect"

/** Durability could not be confirmed. Nothing is lost: what was appended stays pending for the next flush. */
export class BarrierError extends Schema.TaggedError<BarrierError>()("BarrierError", { cause: Schema.Defect() }) {}

export class PersistenceBarrier extends Context.Service<
  PersistenceBarrier,
  {
    /** Succeeds only when all events appended before the call are durable. */
    readonly flush: Effect.Effect<void, BarrierError>
  }
>()("effect-session-schedule/PersistenceBarrier") {}
