/**
 * Where other libraries answer differently: pinned, so that a change of theirs is noticed, each with the reason for
 * ours. A peer that is not named in a row answers as we do.
 */
import { assert, describe, it } from "@effect/vitest"
import { CronExpressionParser } from "cron-parser"
import { Cron as Croner } from "croner"
import { Cron as EffectCron, Option, Result, Schema } from "effect"
import * as Calendar from "../../src/domain/Calendar.ts"
import type { CalendarRule } from "../../src/domain/CalendarRule.ts"
import * as CronExpression from "../../src/domain/CronExpression.ts"
import * as Instant from "../../src/domain/Instant.ts"
import * as Recurrence from "../../src/domain/Recurrence.ts"
import { TimeZone } from "../../src/domain/TimeZone.ts"
import * as ZoneRules from "../../src/domain/ZoneRules.ts"
import * as CronModel from "./CronModel.ts"

/** Instants, or a word: `refused` when the text is read, `none` when it is asked for an occurrence. */
type Answer = ReadonlyArray<string> | "refused" | "none"

interface Row {
  readonly expression: string
  readonly zone: string
  readonly now: string
  readonly ours: Answer
  readonly croner?: Answer
  readonly cronParser?: Answer
  readonly effect?: Answer
  readonly because: string
}

/** A peer: made of an expression and a zone, it tells the first occurrence after an instant, in milliseconds. */
type Peer = (expression: string, zone: string) => (now: number) => number | undefined

const rule = (expression: string, zone: string): CalendarRule => ({
  kind: "cron",
  expression: Result.getOrThrow(Result.flatMap(CronExpression.parse(expression), CronExpression.validate)),
  timeZone: TimeZone.make(zone)
})

const ours: Peer = (expression, zone) => {
  const cron = rule(expression, zone)
  return (now) => Option.getOrUndefined(Recurrence.first(cron, Instant.clamp(now)))
}
const croner: Peer = (expression, zone) => {
  const cron = new Croner(expression, { timezone: zone, paused: true })
  return (now) => cron.nextRun(new Date(now))?.getTime()
}
const cronParser: Peer = (expression, zone) => {
  const from = (currentDate: Date) => CronExpressionParser.parse(expression, { tz: zone, currentDate })
  from(new Date(0))
  return (now) => from(new Date(now)).next().getTime()
}
const effect: Peer = (expression, zone) => {
  const cron = EffectCron.parseUnsafe(expression, zone)
  return (now) => EffectCron.next(cron, new Date(now)).getTime()
}

const attempt = <A>(get: () => A): Option.Option<A> => Option.liftThrowable(get)()

const format = (millis: number): string => new Date(millis).toISOString().replace(".000Z", "Z")

/** The first occurrences that a peer finds, as many as a row tells of. */
const ask = (peer: Peer, { expression, zone, now, ours }: Row): Answer => {
  const next = attempt(() => peer(expression, zone))
  if (Option.isNone(next)) return "refused"
  const found: Array<string> = []
  let at = Date.parse(now)
  while (found.length < (typeof ours === "string" ? 1 : ours.length)) {
    const answer = Option.getOrUndefined(attempt(() => next.value(at)))
    if (answer === undefined) return found.length === 0 ? "none" : found
    found.push(format(answer))
    at = answer
  }
  return found
}

const rows: ReadonlyArray<Row> = [
  {
    expression: "30 2 * * *",
    zone: "America/New_York",
    now: "2026-03-08T06:30:00Z",
    ours: ["2026-03-09T06:30:00Z"],
    croner: ["2026-03-08T07:00:00Z"],
    cronParser: ["2026-03-08T07:30:00Z"],
    effect: ["2026-03-08T07:30:00Z"],
    because: "no clock shows 02:30 that day: 03:00 and 03:30, to which it is moved, match nothing that was asked for"
  },
  {
    expression: "0 0 * * *",
    zone: "America/Sao_Paulo",
    now: "2018-11-03T12:00:00Z",
    ours: ["2018-11-05T02:00:00Z"],
    croner: ["2018-11-04T03:00:00Z"],
    cronParser: ["2018-11-04T03:00:00Z"],
    effect: ["2018-11-04T03:00:00Z"],
    because: "a day that begins at 01:00 has no midnight"
  },
  {
    expression: "0 1 30 3 *",
    zone: "Europe/Lisbon",
    now: "2024-11-15T00:00:00Z",
    ours: ["2026-03-30T00:00:00Z"],
    croner: ["2025-03-30T01:00:00Z"],
    cronParser: ["2025-03-30T01:00:00Z"],
    effect: ["2025-03-30T01:00:00Z"],
    because: "the one date of a year may fall on a gap: that year has none"
  },
  {
    expression: "0 */2 * * *",
    zone: "Africa/Cairo",
    now: "2026-04-23T20:00:00Z",
    ours: ["2026-04-23T23:00:00Z", "2026-04-24T01:00:00Z"],
    cronParser: ["2026-04-23T22:00:00Z", "2026-04-23T23:00:00Z"],
    effect: ["2026-04-23T22:00:00Z", "2026-04-23T23:00:00Z"],
    because: "midnight is left out; moved to 01:00 it would be an odd hour, an hour before 02:00"
  },
  {
    expression: "15 2 * * *",
    zone: "Australia/Lord_Howe",
    now: "2026-10-02T16:00:00Z",
    ours: ["2026-10-04T15:15:00Z"],
    croner: ["2026-10-03T15:30:00Z"],
    effect: ["2026-10-03T15:45:00Z"],
    because: "a gap of half an hour is a gap"
  },
  {
    expression: "30 2 * * *",
    zone: "Antarctica/Troll",
    now: "2026-03-28T12:00:00Z",
    ours: ["2026-03-30T00:30:00Z"],
    croner: ["2026-03-29T01:00:00Z"],
    cronParser: ["2026-03-29T01:30:00Z"],
    effect: ["2026-03-29T02:30:00Z"],
    because: "in a gap of two hours each of the others moves it elsewhere"
  },
  {
    expression: "50 2 * * *",
    zone: "Pacific/Chatham",
    now: "2026-09-25T14:30:00Z",
    ours: ["2026-09-27T13:05:00Z"],
    croner: ["2026-09-26T14:00:00Z"],
    effect: ["2026-09-26T14:05:00Z"],
    because: "the gap begins at 02:45, a quarter before the hour"
  },
  {
    expression: "30 23 * * *",
    zone: "America/Nuuk",
    now: "2026-03-28T12:00:00Z",
    ours: ["2026-03-30T00:30:00Z"],
    effect: ["2026-03-29T01:30:00Z"],
    because: "moved out of a gap before midnight it would come on another date"
  },
  {
    expression: "30 2 * * *",
    zone: "Africa/Casablanca",
    now: "2026-03-21T12:00:00Z",
    ours: ["2026-03-23T01:30:00Z"],
    croner: ["2026-03-22T02:00:00Z"],
    cronParser: ["2026-03-22T02:30:00Z"],
    effect: ["2026-03-22T02:30:00Z"],
    because: "the end of Ramadan is a gap like any other"
  },
  {
    expression: "0 9 * * 5",
    zone: "Pacific/Apia",
    now: "2011-12-28T20:00:00Z",
    ours: ["2012-01-05T19:00:00Z"],
    effect: ["2011-12-30T19:00:00Z"],
    because: "Samoa had no Friday that week: the occurrence that is moved comes on Saturday"
  },
  {
    expression: "0 0 * * *",
    zone: "Africa/Monrovia",
    now: "1972-01-06T12:00:00Z",
    ours: ["1972-01-08T00:00:00Z"],
    croner: ["1972-01-07T00:44:30Z"],
    effect: ["1972-01-07T00:44:30Z"],
    because: "a gap may be of any length, here 44 minutes and 30 seconds from midnight on"
  },
  {
    expression: "*/30 * * * *",
    zone: "Australia/Melbourne",
    now: "2024-04-06T15:00:00Z",
    ours: ["2024-04-06T15:30:00Z", "2024-04-06T17:00:00Z", "2024-04-06T17:30:00Z"],
    croner: ["2024-04-06T15:30:00Z", "2024-04-06T16:00:00Z", "2024-04-06T16:30:00Z"],
    cronParser: ["2024-04-06T15:30:00Z", "2024-04-06T16:00:00Z", "2024-04-06T16:30:00Z"],
    because: "a local time comes once, on its first pass, whatever else the rule names; an interval is even"
  },
  {
    expression: "30 * * * *",
    zone: "America/New_York",
    now: "2026-11-01T06:00:00Z",
    ours: ["2026-11-01T07:30:00Z"],
    croner: ["2026-11-01T06:30:00Z"],
    cronParser: ["2026-11-01T06:30:00Z"],
    because: "01:30 was shown before, an hour ago"
  },
  {
    expression: "30 2 * * *",
    zone: "Antarctica/Troll",
    now: "2026-10-24T12:00:00Z",
    ours: ["2026-10-25T00:30:00Z", "2026-10-26T02:30:00Z"],
    cronParser: ["2026-10-25T00:30:00Z", "2026-10-25T02:30:00Z"],
    because: "once a day is once a day, in an overlap of two hours too"
  },
  {
    expression: "0 12 * * *",
    zone: "Pacific/Apia",
    now: "1892-07-03T12:00:00Z",
    ours: ["1892-07-03T23:26:56Z", "1892-07-05T23:26:56Z"],
    croner: ["1892-07-04T23:26:56Z", "1892-07-05T23:26:56Z"],
    effect: ["1892-07-04T23:26:56Z", "1892-07-05T23:26:56Z"],
    because: "Samoa had 4 July twice: the first noon counts, and the others miss it"
  },
  {
    expression: "0 0 */2 * 1",
    zone: "UTC",
    now: "2024-12-31T23:59:00Z",
    ours: ["2025-01-13T00:00:00Z", "2025-01-27T00:00:00Z"],
    croner: ["2025-01-01T00:00:00Z", "2025-01-03T00:00:00Z"],
    cronParser: ["2025-01-01T00:00:00Z", "2025-01-03T00:00:00Z"],
    because: "a field that begins with a star restricts the other, as in the cron that systems run"
  },
  {
    expression: "0 0 15 * */3",
    zone: "UTC",
    now: "2024-12-31T23:59:00Z",
    ours: ["2025-01-15T00:00:00Z", "2025-02-15T00:00:00Z"],
    croner: ["2025-01-01T00:00:00Z", "2025-01-04T00:00:00Z"],
    cronParser: ["2025-01-01T00:00:00Z", "2025-01-04T00:00:00Z"],
    because: "so does a stepped day of the week"
  },
  {
    expression: "0 0 */5,15 * 1",
    zone: "UTC",
    now: "2026-01-01T12:00:00Z",
    ours: ["2026-01-26T00:00:00Z", "2026-02-16T00:00:00Z"],
    croner: ["2026-01-05T00:00:00Z", "2026-01-06T00:00:00Z"],
    cronParser: ["2026-01-05T00:00:00Z", "2026-01-06T00:00:00Z"],
    because: "the star that counts is the first character of the field"
  },
  {
    expression: "0 0 29 2 */7",
    zone: "UTC",
    now: "2060-03-01T00:00:00Z",
    ours: ["2088-02-29T00:00:00Z", "2128-02-29T00:00:00Z"],
    croner: ["2061-02-06T00:00:00Z", "2061-02-13T00:00:00Z"],
    cronParser: ["2061-02-06T00:00:00Z", "2061-02-13T00:00:00Z"],
    because: "a leap day on a Sunday may be forty years away, and is found"
  },
  {
    expression: "0 0 30 2 *",
    zone: "UTC",
    now: "2026-01-01T00:00:00Z",
    ours: "refused",
    croner: "none",
    effect: "none",
    because: "a rule that never fires is refused when it is made, not when it is asked"
  },
  {
    expression: "0 0 31 4 */2",
    zone: "UTC",
    now: "2026-01-01T00:00:00Z",
    ours: "refused",
    croner: ["2026-04-02T00:00:00Z"],
    cronParser: ["2026-04-02T00:00:00Z"],
    effect: "none",
    because: "both day fields must match, and April has no 31st"
  },
  {
    expression: "0 9 * * SAT-SUN",
    zone: "UTC",
    now: "2026-01-01T00:00:00Z",
    ours: ["2026-01-03T09:00:00Z", "2026-01-04T09:00:00Z"],
    cronParser: "refused",
    effect: "refused",
    because: "a week-end ends on Sunday, as in 6-7"
  },
  {
    expression: "5/15 * * * *",
    zone: "UTC",
    now: "2026-01-01T00:00:00Z",
    ours: "refused",
    cronParser: ["2026-01-01T00:05:00Z"],
    effect: ["2026-01-01T00:05:00Z"],
    because: "systems' crons take it for 5 alone, others for 5-59/15: ours asks which is meant"
  },
  {
    expression: "*/90 * * * *",
    zone: "UTC",
    now: "2026-01-01T00:00:00Z",
    ours: "refused",
    croner: "refused",
    cronParser: ["2026-01-01T01:00:00Z"],
    effect: "refused",
    because: "it would come every hour, not every 90 minutes"
  },
  {
    expression: "0 */24 * * *",
    zone: "UTC",
    now: "2026-01-01T12:00:00Z",
    ours: ["2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z"],
    effect: "refused",
    because: "every 24th hour is once a day"
  },
  {
    expression: "0 9 L * *",
    zone: "UTC",
    now: "2026-01-01T00:00:00Z",
    ours: "refused",
    croner: ["2026-01-31T09:00:00Z"],
    cronParser: ["2026-01-31T09:00:00Z"],
    because: "what only some dialects have is refused, with what to write instead"
  },
  {
    expression: "0 9 ? * *",
    zone: "UTC",
    now: "2026-01-01T00:00:00Z",
    ours: "refused",
    croner: ["2026-01-01T09:00:00Z"],
    cronParser: ["2026-01-01T09:00:00Z"],
    because: "a question mark means now in one dialect, and any in another"
  },
  {
    expression: "0 9 * * 1#2",
    zone: "UTC",
    now: "2026-01-01T00:00:00Z",
    ours: "refused",
    croner: ["2026-01-12T09:00:00Z"],
    cronParser: ["2026-01-12T09:00:00Z"],
    because: "so is the nth weekday of a month"
  },
  {
    expression: "0 0 9 * * *",
    zone: "UTC",
    now: "2026-01-01T00:00:00Z",
    ours: "refused",
    croner: ["2026-01-01T09:00:00Z"],
    cronParser: ["2026-01-01T09:00:00Z"],
    effect: ["2026-01-01T09:00:00Z"],
    because: "six fields begin with seconds, or end with years: five are never mistaken"
  },
  {
    expression: "* * * * *",
    zone: "UTC",
    now: "2026-01-01T00:00:00Z",
    ours: "refused",
    croner: ["2026-01-01T00:01:00Z"],
    cronParser: ["2026-01-01T00:01:00Z"],
    effect: ["2026-01-01T00:01:00Z"],
    because: "a reminder comes every five minutes at most"
  },
  {
    expression: "@daily",
    zone: "UTC",
    now: "2026-01-01T00:00:00Z",
    ours: ["2026-01-02T00:00:00Z"],
    effect: "refused",
    because: "the usual macros are understood"
  },
  {
    expression: "0 0 1 1 *",
    zone: "UTC",
    now: "9998-12-31T12:00:00Z",
    ours: ["9999-01-01T00:00:00Z"],
    croner: "none",
    because: "the last year is a year"
  },
  {
    expression: "0 0 1 1 *",
    zone: "UTC",
    now: "9999-01-01T00:00:00Z",
    ours: "none",
    croner: "none",
    cronParser: ["+010000-01-01T00:00:00Z"],
    effect: ["+010000-01-01T00:00:00Z"],
    because: "there is no year 10000 in the instants that can be stored"
  }
]

const zones = ["UTC", "America/New_York", "Asia/Kathmandu", "Asia/Shanghai", "Australia/Lord_Howe", "Europe/Berlin"]
const Now = Schema.Int.check(Schema.isBetween({ minimum: Date.UTC(1990, 0, 1), maximum: Date.UTC(2090, 0, 1) }))

const isOrdinary = (zone: string, from: number, to: number): boolean => {
  const rules = Option.getOrThrow(ZoneRules.load(zone))
  return ZoneRules.transitions(rules, from - 2 * Calendar.DAY_MILLIS, to + 2 * Calendar.DAY_MILLIS).length === 0
}

describe("other cron libraries", () => {
  it.each(rows)("$expression in $zone, since $because", (row) => {
    assert.deepStrictEqual(ask(ours, row), row.ours, "ours")
    assert.deepStrictEqual(ask(croner, row), row.croner ?? row.ours, "croner")
    assert.deepStrictEqual(ask(cronParser, row), row.cronParser ?? row.ours, "cron-parser")
    assert.deepStrictEqual(ask(effect, row), row.effect ?? row.ours, "effect")
  })

  it.prop(
    "Effect's agrees with ours wherever no clock is set",
    [Schema.Literals(zones), Now, CronModel.cron, CronModel.frequent],
    ([zone, now, ...crons]) => {
      for (const cron of crons) {
        const { text } = Result.getOrThrow(CronExpression.parse(CronModel.text(cron)))
        const theirs = EffectCron.parse(text, zone)
        if (Result.isFailure(theirs)) {
          assert.match(text, /\*\/(60|24)/u)
          continue
        }
        const rule = {
          kind: "cron",
          expression: Result.getOrThrow(CronExpression.parse(text)),
          timeZone: TimeZone.make(zone)
        } as const
        const next = Recurrence.first(rule, Instant.clamp(now))
        if (Option.isNone(next) || !isOrdinary(zone, now, next.value)) continue
        assert.strictEqual(format(EffectCron.next(theirs.success, new Date(now)).getTime()), format(next.value), text)
      }
    },
    { arbitrary: { runs: 300 } }
  )
})
