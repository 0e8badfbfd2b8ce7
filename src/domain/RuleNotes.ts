/**
 * What people may not expect of a rule, in plain sentences: what its fields mean together, and what it does when the
 * clocks of its zone are set. Those moments are few, and looked up, never walked to.
 */
import { Array, Option } from "effect"
import * as Calendar from "./Calendar.ts"
import * as CronDates from "./CronDates.ts"
import * as CronField from "./CronField.ts"
import type { Instant } from "./Instant.ts"
import { type CalendarRecord, isOneShot, type ScheduleRecord } from "./ScheduleRecord.ts"
import * as TimeZone from "./TimeZone.ts"
import * as TransitionNotes from "./TransitionNotes.ts"
import * as ZoneRules from "./ZoneRules.ts"

/** How far ahead to look: a year, and the weeks by which some transitions come later in the next. */
const HORIZON = 400 * Calendar.DAY_MILLIS

const monthNames = (months: ReadonlyArray<number>): string =>
  months.map((month) => CronField.month.names[month - 1]).join(", ")

const fieldNotes = (dates: CronDates.CronDates): ReadonlyArray<string> => {
  const never = CronDates.tooShortMonths(dates, 2024)
  const inLeapYears = Array.difference(CronDates.tooShortMonths(dates, 2023), never)
  return [
    ...(dates.eitherDay ? ["Day-of-month and day-of-week are both restricted: it comes when either matches."] : []),
    ...(CronDates.needsBothDays(dates) ? ["Day-of-month or day-of-week begins with *: it comes when both match."] : []),
    ...(never.length > 0 ? [`It never comes in ${monthNames(never)}: too short for its day-of-month.`] : []),
    ...(inLeapYears.length > 0 ? [`In ${monthNames(inLeapYears)} it comes in leap years only.`] : [])
  ]
}

/** Whether the clocks have been set, and show nothing any more that they showed before. */
const isOver = ({ at, from, to }: ZoneRules.Transition, now: Instant): boolean => at + Math.max(from - to, 0) <= now

const clockNotes = (record: CalendarRecord, now: Instant): ReadonlyArray<string> =>
  Option.match(TimeZone.rules(record.timeZone), {
    onNone: () => [`The zone ${record.timeZone} is not known here: it can't come.`],
    onSome: (rules) =>
      ZoneRules.transitions(rules, now - Calendar.DAY_MILLIS, now + HORIZON)
        .filter((transition) => !isOver(transition, now))
        .flatMap((transition) => Option.toArray(TransitionNotes.at(record, transition)))
  })

/** What is unusual about a record's rule in the 400 days after `now`: at most a handful of sentences, mostly none. */
export const of = (record: ScheduleRecord, now: Instant): ReadonlyArray<string> => {
  if (isOneShot(record)) return []
  if (record.kind !== "every") {
    return [...(record.kind === "cron" ? fieldNotes(record.expression) : []), ...clockNotes(record, now)]
  }
  return (record.everySeconds * 1_000) % Calendar.DAY_MILLIS === 0
    ? ["It counts elapsed time: its local time moves when clocks are set. Use daily or weekly for a local time."]
    : []
}
