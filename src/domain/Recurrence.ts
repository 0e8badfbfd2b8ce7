/**
 * The occurrences of a recurring rule: the first after an instant, and what a due reminder presents. Nothing here walks
 * over missed occurrences; dates are searched by calendar, from the asked instant on.
 */
import { Option } from "effect"
import * as Calendar from "./Calendar.ts"
import * as CronExpression from "./CronExpression.ts"
import * as FixedRate from "./FixedRate.ts"
import * as Instant from "./Instant.ts"
import type { Recurring } from "./ScheduleRecord.ts"
import * as TimeZone from "./TimeZone.ts"
import * as WallTime from "./WallTime.ts"
import type { ZoneRules } from "./ZoneRules.ts"

type RuleOf<R> = R extends Recurring ? Omit<R, "id" | "prompt" | "scheduledAt"> : never

/** A recurring rule, as a record or a request holds it. */
export type Rule = RuleOf<Recurring>
/** A recurring rule that reads a local clock. */
export type CalendarRule = Exclude<Rule, { readonly kind: "every" }>

/** What a due reminder presents, and when it is due next: none when year 9999 leaves nothing. */
export interface Turn {
  readonly occurrenceAt: Instant.Instant
  readonly next: Option.Option<Instant.Instant>
}

/** Whether this runtime can tell the rule's occurrences: it knows the zone, if the rule has one. */
export const isKnown = (rule: Rule): boolean => rule.kind === "every" || TimeZone.isKnown(rule.timeZone)

/** The last local minute, day or chosen weekday of a rule at or before a local time; none if there is no earlier one. */
const localAtOrBefore = (rule: CalendarRule, local: number): Option.Option<number> => {
  if (rule.kind === "cron") {
    return Option.map(CronExpression.previous(rule.expression, Math.floor(local / MINUTE)), (minute) => minute * MINUTE)
  }
  const day = Math.floor((local - rule.time) / Calendar.DAY_MILLIS)
  return Option.some(chosenDay(rule, day, -1) * Calendar.DAY_MILLIS + rule.time)
}

/** The first of them after a local time; none if there is no later one. */
const localAfter = (rule: CalendarRule, local: number): Option.Option<number> => {
  if (rule.kind === "cron") {
    return Option.map(CronExpression.next(rule.expression, Math.floor(local / MINUTE) + 1), (minute) => minute * MINUTE)
  }
  const day = Math.floor((local - rule.time) / Calendar.DAY_MILLIS) + 1
  return Option.some(chosenDay(rule, day, 1) * Calendar.DAY_MILLIS + rule.time)
}

const MINUTE = 60_000

/** The first day in that direction, from this one on, on which the rule fires. */
const chosenDay = (rule: Exclude<CalendarRule, { readonly kind: "cron" }>, day: number, direction: 1 | -1): number => {
  if (rule.kind === "daily") return day
  let chosen = day
  while (!rule.weekdays.includes(Calendar.weekdayOf(chosen))) chosen += direction
  return chosen
}

/** The first occurrence whose local time comes after that one; local times inside a gap have none. */
const firstAfterLocal = (rule: CalendarRule, rules: ZoneRules, local: number): Option.Option<Instant.Instant> => {
  for (let next = localAfter(rule, local); Option.isSome(next); next = localAfter(rule, next.value)) {
    const millis = WallTime.earliest(rules, next.value)
    if (!Number.isNaN(millis)) return Instant.fromMillis(millis)
  }
  return Option.none()
}

/** The last occurrence at or before `now`. */
const latest = (rule: CalendarRule, rules: ZoneRules, now: Instant.Instant): Option.Option<Instant.Instant> => {
  let local = localAtOrBefore(rule, WallTime.latestShown(rules, now))
  while (Option.isSome(local)) {
    const millis = WallTime.earliest(rules, local.value)
    if (!Number.isNaN(millis)) return Instant.fromMillis(millis)
    local = localAtOrBefore(rule, local.value - 1)
  }
  return Option.none()
}

/** The first occurrence strictly after `now`; none when year 9999 leaves nothing, or the zone is not known. */
export const first = (rule: Rule, now: Instant.Instant): Option.Option<Instant.Instant> =>
  rule.kind === "every"
    ? Instant.fromMillis(now + rule.everySeconds * 1_000)
    : Option.flatMap(TimeZone.rules(rule.timeZone), (rules) =>
        firstAfterLocal(rule, rules, WallTime.latestShown(rules, now))
      )

/** Zone data may have moved an occurrence since it was committed; its local date still has had its one. */
const endOfDate = (rules: ZoneRules, instant: Instant.Instant): number =>
  (WallTime.toLocal(rules, instant).days + 1) * Calendar.DAY_MILLIS - 1

const calendarTurn = (
  rule: CalendarRule & { readonly scheduledAt: Instant.Instant },
  rules: ZoneRules,
  now: Instant.Instant
): Turn => {
  const computed = Option.getOrElse(latest(rule, rules, now), () => rule.scheduledAt)
  const occurrenceAt = computed > rule.scheduledAt ? computed : rule.scheduledAt
  const shown = WallTime.latestShown(rules, now)
  const after = rule.kind === "cron" ? shown : Math.max(shown, endOfDate(rules, occurrenceAt))
  return { occurrenceAt, next: firstAfterLocal(rule, rules, after) }
}

/** What a reminder with a target at or before `now` presents; none if this runtime does not know its zone. */
export const turn = (record: Recurring, now: Instant.Instant): Option.Option<Turn> =>
  record.kind === "every"
    ? Option.some({
        occurrenceAt: FixedRate.latest(record.scheduledAt, record.everySeconds, now),
        next: FixedRate.next(record.scheduledAt, record.everySeconds, now)
      })
    : Option.map(TimeZone.rules(record.timeZone), (rules) => calendarTurn(record, rules, now))
