/**
 * What a reminder is going to do, for people to look at before they rely on it.
 */
import { Option, Schema } from "effect"
import * as Instant from "./Instant.ts"
import * as Recurrence from "./Recurrence.ts"
import * as RuleNotes from "./RuleNotes.ts"
import { isOneShot, ScheduleRecord } from "./ScheduleRecord.ts"
import * as TimeZone from "./TimeZone.ts"
import * as WallTime from "./WallTime.ts"

/** When it comes; `local` is that as the clocks of the rule's zone show it, null if the rule has none. */
export const Occurrence = Schema.Struct({ instant: Instant.Instant, local: Schema.NullOr(Schema.String) })
export type Occurrence = typeof Occurrence.Type

/** A record, its next occurrences, and what people may not expect of them, in sentences. */
export const Preview = Schema.Struct({
  record: ScheduleRecord,
  occurrences: Schema.Array(Occurrence),
  notes: Schema.Array(Schema.String)
})
export type Preview = typeof Preview.Type

/** The first occurrence after an instant that is the record's target or comes after it. */
const following = (record: ScheduleRecord, instant: Instant.Instant): Option.Option<Instant.Instant> =>
  isOneShot(record) ? Option.none() : Option.flatMap(Recurrence.turn(record, instant), ({ next }) => next)

const localOf = (record: ScheduleRecord, instant: Instant.Instant): string | null =>
  "timeZone" in record
    ? Option.getOrNull(Option.map(TimeZone.rules(record.timeZone), (rules) => WallTime.formatAt(rules, instant)))
    : null

/** The first occurrences after `now`, that many or as many as there are, beginning with the target if it is to come. */
export const occurrences = (record: ScheduleRecord, now: Instant.Instant, count: number): ReadonlyArray<Occurrence> => {
  const found: Array<Occurrence> = []
  let next = record.scheduledAt > now ? Option.some(record.scheduledAt) : following(record, now)
  while (Option.isSome(next) && found.length < count) {
    found.push({ instant: next.value, local: localOf(record, next.value) })
    next = following(record, next.value)
  }
  return found
}

/** What a record is going to do after `now`, with that many of its occurrences. */
export const of = (record: ScheduleRecord, now: Instant.Instant, count: number): Preview => ({
  record,
  occurrences: occurrences(record, now, count),
  notes: RuleNotes.of(record, now)
})
