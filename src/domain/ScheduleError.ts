/**
 * Every way an operation on reminders fails, in three families by what the caller does next:
 * fix the request, ask again, or stop. Anything else is a defect, which callers see as `internal_error`.
 */
import { Schema } from "effect"
import * as Quote from "./Quote.ts"

/** Why a request was refused, in the order in which it is checked. */
export const InputCode = Schema.Literals([
  "invalid_selector",
  "invalid_prompt",
  "invalid_rule",
  "invalid_time_zone",
  "frequency_too_high",
  "time_out_of_range",
  "not_future"
])
export type InputCode = typeof InputCode.Type

/** Fix the request: it was refused and changed nothing. The message says what to write instead. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  code: InputCode,
  message: Schema.String
}) {}

/** A refusal, as a value. */
export const invalid = (code: InputCode, message: string): InvalidRequest => new InvalidRequest({ code, message })

/** Stop: the log holds an event that no version-1 log can hold; `seq` is its place, null for the seed length. */
export class CorruptScheduleLog extends Schema.TaggedError<CorruptScheduleLog>()("CorruptScheduleLog", {
  seq: Schema.NullOr(Schema.Int),
  reason: Schema.String
}) {
  get code() {
    return "corrupt_schedule_log" as const
  }

  override get message() {
    const place = this.seq === null ? "the Session's seedLength" : `event ${this.seq}`
    return `The Session's reminders cannot be read: ${place} is corrupt (${this.reason}).`
  }
}

/** What a caller asked for. */
export const Operation = Schema.Literals(["create", "list", "delete"])
export type Operation = typeof Operation.Type

/** What a caller can't be told, and what to do about it. A list changes nothing, so that asking again does no harm. */
const uncertain = (operation: Operation, id: string | undefined): string => {
  if (operation === "list") return "Which reminders there are could not be confirmed. Ask for the list again."
  const what = id === undefined ? operation : `${operation} of ${Quote.line(id)}`
  return `Whether the ${what} is stored could not be confirmed. List the reminders to see, before trying again.`
}

/** Ask again: whether the operation took place could not be confirmed. The next call that succeeds tells the truth. */
export class PersistenceUncertain extends Schema.TaggedError<PersistenceUncertain>()("PersistenceUncertain", {
  operation: Operation,
  id: Schema.optionalKey(Schema.String)
}) {
  get code() {
    return "persistence_uncertain" as const
  }

  override get message() {
    return uncertain(this.operation, this.id)
  }
}

/** Every failure of an operation on reminders. */
export type ScheduleError = InvalidRequest | CorruptScheduleLog | PersistenceUncertain

/** A failure as callers see it: a stable code, and a message that never carries a backend's text. */
export const ScheduleFailure = Schema.Union([
  Schema.Struct({
    code: Schema.Literals([...InputCode.literals, "corrupt_schedule_log", "internal_error"]),
    message: Schema.String
  }),
  Schema.Struct({
    code: Schema.Literal("persistence_uncertain"),
    message: Schema.String,
    operation: Operation,
    id: Schema.optionalKey(Schema.String)
  })
])
export type ScheduleFailure = typeof ScheduleFailure.Type

/** What callers see of a failure. */
export const toFailure = (error: ScheduleError): ScheduleFailure => {
  if (error._tag !== "PersistenceUncertain") return { code: error.code, message: error.message }
  const { code, message, operation, id } = error
  return { code, message, operation, ...(id === undefined ? {} : { id }) }
}

/** What callers see of a defect: nothing of its cause. */
export const internalError: ScheduleFailure = {
  code: "internal_error",
  message: "Something unexpected went wrong; the reminders are as they were last confirmed."
}
