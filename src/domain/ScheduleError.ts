/**
 * Every way an operation on reminders fails, in three families by what the caller does next:
 * fix the request, ask again, or stop. Anything else is a defect, which callers see as `internal_error`.
 */
import { Schema } from "effect"

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
