/**
 * What `preview` tells: the record that arguments would make, and what would be decided about a stored one.
 */
import { Array, Option, Result, Schema, SchemaIssue } from "effect"
import { Instant } from "../domain/Instant.ts"
import * as Recurrence from "../domain/Recurrence.ts"
import type { InvalidRequest } from "../domain/ScheduleError.ts"
import * as ScheduleLog from "../domain/ScheduleLog.ts"
import { isOneShot, ScheduleRecord } from "../domain/ScheduleRecord.ts"
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

const after = (record: ScheduleRecord, occurrence: Instant): Option.Option<Instant> =>
  isOneShot(record) ? Option.none() : Recurrence.first(record, occurrence)

/** The record's target, and what follows it. */
const occurrences = (record: ScheduleRecord, count: number): ReadonlyArray<Instant> =>
  Array.unfold([Option.some(record.scheduledAt), count] as const, ([next, left]) =>
    left === 0 ? undefined : Option.getOrUndefined(Option.map(next, (at) => [at, [after(record, at), left - 1]] as const))
  )

const firstId = Result.map(ScheduleLog.start(0, 0), ScheduleLog.nextId)

/** The first reminder of a new Session, made with these arguments at `now`. */
export const make = (request: unknown, now: Instant, count: number): Result.Result<Forecast, InvalidRequest> =>
  Result.gen(function* () {
    const decoded = yield* ScheduleRequest.decode(request)
    const record = yield* ScheduleRequest.plan(decoded, "schedule-1" as ScheduleRecord["id"], now)
    return { record, occurrences: occurrences(record, count), notes: [] }
  })
