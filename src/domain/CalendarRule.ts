/**
 * The local times that a calendar rule names, by the calendar and the clock alone: as though no clock were ever set
 * forward or back. A local time is a number, as in `WallTime`.
 */
import { Option } from "effect"
import * as Calendar from "./Calendar.ts"
import * as CronExpression from "./CronExpression.ts"
import type { CalendarRecord } from "./ScheduleRecord.ts"

type RuleOf<R> = R extends CalendarRecord ? Omit<R, "id" | "prompt" | "scheduledAt"> : never

/** A recurring rule that reads a local clock, as a record or a request holds it. */
export type CalendarRule = RuleOf<CalendarRecord>
type DateRule = Exclude<CalendarRule, { readonly kind: "cron" }>

const MINUTE = 60_000
const fromMinutes = (minutes: number): number => minutes * MINUTE

/** The rule's time on the first day in that direction, from this one on, on which it fires. */
const timeOn = (rule: DateRule, day: number, direction: 1 | -1): number => {
  let chosen = day
  if (rule.kind === "weekly") while (!rule.weekdays.includes(Calendar.weekdayOf(chosen))) chosen += direction
  return chosen * Calendar.DAY_MILLIS + rule.time
}

/** The first local time of the rule from this one on; none up to year 10000. */
export const next = (rule: CalendarRule, local: number): Option.Option<number> =>
  rule.kind === "cron"
    ? Option.map(CronExpression.next(rule.expression, Math.ceil(local / MINUTE)), fromMinutes)
    : Option.some(timeOn(rule, Math.ceil((local - rule.time) / Calendar.DAY_MILLIS), 1))

/** The last local time of the rule up to this one; none down to year 0. */
export const previous = (rule: CalendarRule, local: number): Option.Option<number> =>
  rule.kind === "cron"
    ? Option.map(CronExpression.previous(rule.expression, Math.floor(local / MINUTE)), fromMinutes)
    : Option.some(timeOn(rule, Math.floor((local - rule.time) / Calendar.DAY_MILLIS), -1))
