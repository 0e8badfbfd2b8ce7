/**
 * One at a time, on durable ground: what every read and every change of a Session's reminders goes through.
 */
import { Context, type Effect, Schema } from "effect"
import type { Instant } from "../domain/Instant.ts"
import type { ScheduleChange } from "../domain/ScheduleChange.ts"
import type { CorruptScheduleLog } from "../domain/ScheduleError.ts"
import type { ScheduleLog } from "../domain/ScheduleLog.ts"

/**
 * The log or its barrier did not confirm a step. `before`: nothing was decided; `append`: the changes may or may not be
 * in the log; `after`: they are in it, pending for a later barrier.
 */
export class Unconfirmed extends Schema.TaggedError<Unconfirmed>()("Unconfirmed", {
  stage: Schema.Literals(["before", "append", "after"]),
  cause: Schema.Defect()
}) {}

/** What a decision makes: changes to append, none for a mere look, and a value for the caller. */
export interface Decision<A> {
  readonly changes: ReadonlyArray<ScheduleChange>
  readonly value: A
}

export class Transactions extends Context.Service<
  Transactions,
  {
    /**
     * Waits for its turn in the Session's one queue, passes the barrier, folds what is new in the log, samples the clock
     * once, decides, appends the decision's changes, and passes the barrier again if there were any. It can be
     * interrupted until it decides, and no more from then on.
     */
    run<A, E, R>(
      decide: (log: ScheduleLog, now: Instant) => Effect.Effect<Decision<A>, E, R>
    ): Effect.Effect<A, E | Unconfirmed | CorruptScheduleLog, R>
    /**
     * The same for a look that nobody is told of, and that changes nothing: it passes the barrier only where something
     * may still wait for one.
     */
    look<A>(see: (log: ScheduleLog, now: Instant) => A): Effect.Effect<A, Unconfirmed | CorruptScheduleLog>
    /** The reminders as the last transaction left them, at once and for statistics only; undefined before the first. */
    peek(): ScheduleLog | undefined
  }
>()("effect-session-schedule/Transactions") {}
