/**
 * What `preview` tells: the record that arguments would make, and what would be decided about a stored one.
 */
import { Option, Result, Schema } from "effect"
import { Instant } from "../domain/Instant.ts"
import * as Recurrence from "../domain/Recurrence.ts"
import * as RuleNotes from "../domain/RuleNotes.ts"
import type { InvalidRequest } from "../domain/ScheduleError.ts"
import { isOneShot, ScheduleId, ScheduleRecord } from "../domain/ScheduleRecord.ts"
import * as ScheduleRequest from "../domain/ScheduleRequest.ts"
import { view } from "../domain/ScheduleView.ts"

/** A record to be, its next occurrences, and what is worth knowing about them. */
export const Forecast = Schema.Struct({
  record: ScheduleRecord,
  occurrences: Schema.Array(Instant),
  notes: Schema.Array(Schema.String)
})
export type Forecast = typeof Forecast.Type

/** What a stored record would do: both instants are null while it is not due, or while its zone is not known here. */
export const Decision = Schema.Struct({
  state: Schema.Literals(["scheduled", "overdue"]),
  occurrenceAt: Schema.NullOr(Instant),
  nextScheduledAt: Schema.NullOr(Instant)
})
export type Decision = typeof Decision.Type

const following = (record: ScheduleRecord, occurrence: Instant): Option.Option<Instant> =>
  isOneShot(record) ? Option.none() : Recurrence.first(record, occurrence)

/** The record's target, and what follows it. */
const occurrences = (record: ScheduleRecord, count: number): ReadonlyArray<Instant> => {
  const found: Array<Instant> = []
  let next = Option.some(record.scheduledAt)
  while (Option.isSome(next) && found.length < count) {
    found.push(next.value)
    next = following(record, next.value)
  }
  return found
}

const firstId = ScheduleId.make("schedule-1")

/** The first reminder of a new Session, if it were made with these arguments at `now`. */
export const forecast = (request: unknown, now: Instant, count: number): Result.Result<Forecast, InvalidRequest> =>
  ScheduleRequest.decode(request).pipe(
    Result.flatMap((decoded) => ScheduleRequest.plan(decoded, firstId, now)),
    Result.map((record) => ({ record, occurrences: occurrences(record, count), notes: RuleNotes.of(record, now) }))
  )

/** What would be decided about a stored record at `now`. */
export const decide = (record: ScheduleRecord, now: Instant): Decision => {
  const { state } = view(record, now)
  if (state === "scheduled") return { state, occurrenceAt: null, nextScheduledAt: null }
  if (isOneShot(record)) return { state, occurrenceAt: record.scheduledAt, nextScheduledAt: null }
  return Option.match(Recurrence.turn(record, now), {
    onNone: () => ({ state, occurrenceAt: null, nextScheduledAt: null }),
    onSome: ({ occurrenceAt, next }) => ({ state, occurrenceAt, nextScheduledAt: Option.getOrNull(next) })
  })
}
