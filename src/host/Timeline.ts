/**
 * A Session's reminders as people look at them: where each stands, and when it comes.
 */
import { Result, Schema } from "effect"
import * as Instant from "../domain/Instant.ts"
import * as Preview from "../domain/Preview.ts"
import * as RuleNotes from "../domain/RuleNotes.ts"
import * as ScheduleLog from "../domain/ScheduleLog.ts"
import type { CorruptScheduleLog } from "../domain/ScheduleError.ts"
import type { ScheduleRecord } from "../domain/ScheduleRecord.ts"
import * as ScheduleView from "../domain/ScheduleView.ts"
import type { SessionChanges } from "../layers/SessionStore.ts"

/** Whether an Agent owns the Session in this process: one that is cold does no work. */
export const SessionState = Schema.Literals(["live", "cold"])
export type SessionState = typeof SessionState.Type

/** The most occurrences of one reminder: those of a day, at the shortest interval. */
export const MAX_OCCURRENCES = 288

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

/** The active reminders of a Session, live or cold, in the order of their creation. */
export const active = ({
  header,
  length,
  changes
}: SessionChanges): Result.Result<ReadonlyArray<ScheduleRecord>, CorruptScheduleLog> =>
  ScheduleLog.start(header.seedLength ?? 0, length).pipe(
    Result.flatMap((log) => ScheduleLog.evolveAll(log, changes)),
    Result.map(ScheduleLog.active)
  )

const entry = (record: ScheduleRecord, now: Instant.Instant, count: number): TimelineEntry => ({
  reminder: ScheduleView.view(record, now),
  occurrences: Preview.occurrences(record, now, count),
  notes: RuleNotes.of(record, now)
})

/** The timeline of a Session at `now`, with at most `count` occurrences of each reminder. */
export const of = (session: SessionChanges, state: SessionState, now: Instant.Instant, count: number): Timeline => {
  const { length } = session
  return Result.match(active(session), {
    onFailure: ({ message }) => ({ now, state, length, reminders: [], corrupt: message }),
    onSuccess: (records) => ({
      now,
      state,
      length,
      reminders: records.map((record) => entry(record, now, count)),
      corrupt: null
    })
  })
}
