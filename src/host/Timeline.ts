/**
 * A Session's reminders as people look at them: where each stands, and when it comes.
 */
import { Effect, Result, Schema } from "effect"
import * as Instant from "../domain/Instant.ts"
import * as Preview from "../domain/Preview.ts"
import * as RuleNotes from "../domain/RuleNotes.ts"
import * as ScheduleLog from "../domain/ScheduleLog.ts"
import type { CorruptScheduleLog } from "../domain/ScheduleError.ts"
import type { ScheduleRecord } from "../domain/ScheduleRecord.ts"
import * as ScheduleView from "../domain/ScheduleView.ts"

/** Whether an Agent owns the Session in this process: one that is cold does no work. */
export const SessionState = Schema.Literals(["live", "cold"])
export type SessionState = typeof SessionState.Type

/** The most occurrences of one reminder: those of a day, at the shortest interval. */
export const MAX_OCCURRENCES = 288
/** The most occurrences of all reminders together: a thousand reminders have ten each. */
export const MAX_TOTAL = 10_000

/** A reminder, its occurrences after now, and what people may not expect of its rule, in sentences. */
export const TimelineEntry = Schema.Struct({
  reminder: ScheduleView.ScheduleView,
  occurrences: Schema.Array(Preview.Occurrence),
  notes: Schema.Array(Schema.String)
})
export type TimelineEntry = typeof TimelineEntry.Type

export const Timeline = Schema.Struct({
  /** The host's clock, by which all of it was told. */
  now: Instant.Instant,
  state: SessionState,
  /** How many events the Session's log has. */
  length: Schema.Int,
  /** The active reminders, in the order of their creation; none if the log can't be read. */
  reminders: Schema.Array(TimelineEntry),
  /** Why the Session's reminders can't be read; null if they can. */
  corrupt: Schema.NullOr(Schema.String)
})
export type Timeline = typeof Timeline.Type

/** How many reminders are told in one go: each may read the transitions of a zone that was never asked before. */
const SLICE = 50

const entry = (record: ScheduleRecord, now: Instant.Instant, count: number): TimelineEntry => ({
  reminder: ScheduleView.view(record, now),
  occurrences: Preview.occurrences(record, now, count),
  notes: RuleNotes.of(record, now)
})

/** The entries, some at a time, so that others have their turn in between. */
const entries = Effect.fnUntraced(function* (
  records: ReadonlyArray<ScheduleRecord>,
  now: Instant.Instant,
  count: number
) {
  const all: Array<TimelineEntry> = []
  for (let n = 0; n < records.length; n += SLICE) {
    all.push(...records.slice(n, n + SLICE).map((record) => entry(record, now, count)))
    yield* Effect.yieldNow
  }
  return all
})

/** What is known of a Session besides its reminders. */
type Known = Pick<Timeline, "now" | "state" | "length">

/**
 * The timeline of a Session, with at most `count` occurrences of each reminder, and fewer where there are so many
 * reminders that all would have more than `MAX_TOTAL`.
 */
export const of = (
  folded: Result.Result<ScheduleLog.ScheduleLog, CorruptScheduleLog>,
  known: Known,
  count: number
): Effect.Effect<Timeline> => {
  if (Result.isFailure(folded)) return Effect.succeed({ ...known, reminders: [], corrupt: folded.failure.message })
  const active = ScheduleLog.active(folded.success)
  const share = Math.min(count, Math.floor(MAX_TOTAL / Math.max(active.length, 1)))
  return Effect.map(entries(active, known.now, share), (reminders) => ({ ...known, reminders, corrupt: null }))
}
