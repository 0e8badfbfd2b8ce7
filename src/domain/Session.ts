/**
 * A Session: one conversation, with a header and an append-only log of events.
 */
import { Schema } from "effect"
import { Instant } from "./Instant.ts"

/** Names a Session: 1 to 128 of letters, digits, `.`, `_`, `-`, beginning with a letter or digit. */
export const SessionId = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/u)).pipe(
  Schema.brand("SessionId")
)
export type SessionId = typeof SessionId.Type

const Position = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** What a Session is born with. A fork names its parent, and how many events it took over from it. */
export const SessionHeader = Schema.Struct({
  version: Schema.Literal(1),
  id: SessionId,
  createdAt: Instant,
  parentId: Schema.optionalKey(SessionId),
  seedLength: Schema.optionalKey(Position)
})
export type SessionHeader = typeof SessionHeader.Type

/** One event of a Session's log: `seq` is its place, counted from 0, `at` the clock when it was appended. */
export const SessionEvent = Schema.Struct({
  seq: Position,
  at: Instant,
  type: Schema.NonEmptyString,
  data: Schema.Unknown
})
export type SessionEvent = typeof SessionEvent.Type

/** An event before it has its place in the log. `data` is JSON. */
export type NewEvent = Omit<SessionEvent, "seq">
