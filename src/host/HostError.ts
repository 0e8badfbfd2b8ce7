/**
 * How the host's own operations fail, besides those on reminders.
 */
import { Schema } from "effect"

/** A Session operation that was refused or could not be carried out: a stable code, and what to do instead. */
export class HostError extends Schema.TaggedError<HostError>()("HostError", {
  code: Schema.Literals([
    "session_not_found",
    "session_exists",
    "session_corrupt",
    "invalid_session_id",
    "invalid_fork",
    "invalid_prompt",
    "invalid_time_zone",
    "persistence_uncertain"
  ]),
  message: Schema.String
}) {}
