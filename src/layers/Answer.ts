/**
 * How every road to a Session's reminders answers: failures become public values, and defects tell nothing.
 */
import { Effect } from "effect"
import { internalError, type ScheduleError, type ScheduleFailure, toFailure } from "../domain/ScheduleError.ts"

/** The operation, failing only with what a caller may see; a defect goes to the log output instead. */
export const answer = <A, R>(operation: Effect.Effect<A, ScheduleError, R>): Effect.Effect<A, ScheduleFailure, R> =>
  operation.pipe(
    Effect.mapError(toFailure),
    Effect.catchDefect((defect) =>
      Effect.andThen(
        Effect.logError("An operation on reminders failed unexpectedly", defect),
        Effect.fail(internalError)
      )
    )
  )
