/**
 * How the host answers every caller: its errors become public values, and defects tell nothing.
 */
import { Cause, Effect, Stream } from "effect"
import type { ScheduleError } from "../domain/ScheduleError.ts"
import { answer } from "../layers/Answer.ts"
import * as LogLabel from "../layers/LogLabel.ts"
import type { Reminders } from "../services/Reminders.ts"
import type { Failure } from "./HostApi.ts"
import type { HostError } from "./HostError.ts"
import type { Sessions } from "./Sessions.ts"

/** What callers see of a defect: nothing of its cause. */
export const internalError = {
  code: "internal_error",
  message: "Something unexpected went wrong; what was acknowledged before is safe."
} as const

const toFailure = ({ code, message }: HostError): Failure => ({ code, message })

const report = (defect: unknown) => Effect.logError("An operation of the host failed unexpectedly", defect)

/** The operation, failing only with what a caller may see; a defect goes to the log output instead. */
export const answered = <A, R>(operation: Effect.Effect<A, HostError, R>): Effect.Effect<A, Failure, R> =>
  operation.pipe(
    Effect.mapError(toFailure),
    Effect.catchDefect((defect) => Effect.andThen(report(defect), Effect.fail(internalError)))
  )

/** The same for an operation on the reminders of a Session, which becomes live. */
export const answeredBy = <A>(
  sessions: Sessions["Service"],
  id: unknown,
  use: (reminders: Reminders["Service"]) => Effect.Effect<A, ScheduleError>
): Effect.Effect<A, Failure> =>
  Effect.flatMap(answered(sessions.reminders(id)), (reminders) => LogLabel.label(answer(use(reminders)), String(id)))

/** The same for a stream. */
export const answeredStream = <A>(stream: Stream.Stream<A, HostError>): Stream.Stream<A, Failure> =>
  stream.pipe(
    Stream.mapError(toFailure),
    Stream.catchCause((cause) =>
      Cause.hasDies(cause)
        ? Stream.fromEffect(Effect.andThen(report(Cause.squash(cause)), Effect.fail(internalError)))
        : Stream.failCause(cause)
    )
  )
