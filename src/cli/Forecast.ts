/**
 * What `preview` tells: the record that arguments would make, and what would be decided about a stored one.
 */
import { Option, Result, Schema } from "effect"
import { Instant } from "../domain/Instant.ts"
import * as Preview from "../domain/Preview.ts"
import * as Recurrence from "../domain/Recurrence.ts"
import type { InvalidRequest } from "../domain/ScheduleError.ts"
import { isOneShot, ScheduleId, ScheduleRecord } from "../domain/ScheduleRecord.ts"
import * as ScheduleRequest from "../domain/ScheduleRequest.ts"
import { view } from "../domain/ScheduleView.ts"

/** What a stored record would do: both instants are null while it is not due, or while its zone is not known here. */
export const Decision = Schema.Struct({
  state: Schema.Literals(["scheduled", "overdue"]),
  occurrenceAt: Schema.NullOr(Instant),
  nextScheduledAt: Schema.NullOr(Instant)
})
export type Decision = typeof Decision.Type

const firstId = ScheduleId.make("schedule-1")

/** The first reminder of a new Session, if it were made with these arguments at `now`. */
export const forecast = (
  request: unknown,
  now: Instant,
  count: number
): Result.Result<Preview.Preview, InvalidRequest> =>
  ScheduleRequest.decode(request).pipe(
    Result.flatMap((decoded) => ScheduleRequest.plan(decoded, firstId, now)),
    Result.map((record) => Preview.of(record, now, count))
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
