/**
 * The occurrences of a recurring rule: the first after an instant, and what a due reminder presents. Nothing here walks
 * over missed occurrences; dates are searched by calendar, from the asked instant on.
 */
import { Option } from "effect"
import * as Calendar from "./Calendar.ts"
import * as CalendarRule from "./CalendarRule.ts"
import * as FixedRate from "./FixedRate.ts"
import * as Instant from "./Instant.ts"
import type { CalendarRecord, Recurring } from "./ScheduleRecord.ts"
import * as TimeZone from "./TimeZone.ts"
import * as WallTime from "./WallTime.ts"
import type { ZoneRules } from "./ZoneRules.ts"

/** A recurring rule, as a record or a request holds it. */
export type Rule = { readonly kind: "every"; readonly everySeconds: number } | CalendarRule.CalendarRule

/** What a due reminder presents, and when it is due next: none when year 9999 leaves nothing. */
export interface Turn {
  readonly occurrenceAt: Instant.Instant
  readonly next: Option.Option<Instant.Instant>
}

/** Whether this runtime can tell the rule's occurrences: it knows the zone, if the rule has one. */
export const isKnown = (rule: Rule): boolean => rule.kind === "every" || TimeZone.isKnown(rule.timeZone)

/** The first occurrence at a local time from this one on; local times inside a gap have none. */
const firstFrom = (rule: CalendarRule.CalendarRule, rules: ZoneRules, local: number): Option.Option<Instant.Instant> =>
  Option.flatMap(CalendarRule.next(rule, local), (next) => {
    const millis = WallTime.earliest(rules, next)
    return Number.isNaN(millis) ? firstFrom(rule, rules, next + 1) : Instant.fromMillis(millis)
  })

/** The last occurrence at a local time up to this one. */
const lastUpTo = (rule: CalendarRule.CalendarRule, rules: ZoneRules, local: number): Option.Option<Instant.Instant> =>
  Option.flatMap(CalendarRule.previous(rule, local), (previous) => {
    const millis = WallTime.earliest(rules, previous)
    return Number.isNaN(millis) ? lastUpTo(rule, rules, previous - 1) : Instant.fromMillis(millis)
  })

/** The first occurrence strictly after `now`; none when year 9999 leaves nothing, or the zone is not known. */
export const first = (rule: Rule, now: Instant.Instant): Option.Option<Instant.Instant> =>
  rule.kind === "every"
    ? Instant.fromMillis(now + rule.everySeconds * 1_000)
    : Option.flatMap(TimeZone.rules(rule.timeZone), (rules) =>
        firstFrom(rule, rules, WallTime.latestShown(rules, now) + 1)
      )

/** Zone data may have moved an occurrence since it was committed; its local date still has had its one. */
const endOfDate = (rules: ZoneRules, instant: Instant.Instant): number =>
  (WallTime.toLocal(rules, instant).days + 1) * Calendar.DAY_MILLIS - 1

const calendarTurn = (record: CalendarRecord, rules: ZoneRules, now: Instant.Instant): Turn => {
  const shown = WallTime.latestShown(rules, now)
  const computed = Option.getOrElse(lastUpTo(record, rules, shown), () => record.scheduledAt)
  const occurrenceAt = computed > record.scheduledAt ? computed : record.scheduledAt
  const after = record.kind === "cron" ? shown : Math.max(shown, endOfDate(rules, occurrenceAt))
  return { occurrenceAt, next: firstFrom(record, rules, after + 1) }
}

/** What a reminder with a target at or before `now` presents; none if this runtime does not know its zone. */
export const turn = (record: Recurring, now: Instant.Instant): Option.Option<Turn> =>
  record.kind === "every"
    ? Option.some({
        occurrenceAt: FixedRate.latest(record.scheduledAt, record.everySeconds, now),
        next: FixedRate.next(record.scheduledAt, record.everySeconds, now)
      })
    : Option.map(TimeZone.rules(record.timeZone), (rules) => calendarTurn(record, rules, now))
