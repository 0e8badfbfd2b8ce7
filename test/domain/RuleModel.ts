/**
 * Random rules on clocks that are being set, together with all their occurrences there by the plainest definition.
 */
import { Arbitrary, Result, Schema } from "effect"
import type { CalendarRule } from "../../src/domain/CalendarRule.ts"
import * as CronExpression from "../../src/domain/CronExpression.ts"
import { TimeZone } from "../../src/domain/TimeZone.ts"
import type { TimeOfDay } from "../../src/domain/WallTime.ts"
import * as CronModel from "./CronModel.ts"
import * as LocalClock from "./LocalClock.ts"

/** A rule, and its occurrences while its clocks are watched. */
export interface RuleOnClock {
  readonly clock: LocalClock.LocalClock
  readonly rule: CalendarRule
  readonly occurrences: ReadonlyArray<number>
}

/** Clocks set forward and back by minutes, hours and a day, and ordinary days in years far from each other. */
const clocks = (
  [
    ["Africa/Cairo", "2026-04-23T22:00:00Z"],
    ["Africa/Cairo", "2026-10-29T21:00:00Z"],
    ["Africa/Cairo", "9999-10-28T21:00:00Z"],
    ["Africa/Casablanca", "2026-02-15T02:00:00Z"],
    ["Africa/Casablanca", "2026-03-22T02:00:00Z"],
    ["Africa/Monrovia", "1900-01-03T00:00:00Z"],
    ["Africa/Monrovia", "1972-01-07T00:44:30Z"],
    ["America/Juneau", "1867-10-19T00:31:13Z"],
    ["America/New_York", "0001-01-03T00:00:00Z"],
    ["America/New_York", "1883-11-18T17:00:00Z"],
    ["America/New_York", "2026-03-08T07:00:00Z"],
    ["America/New_York", "2026-11-01T06:00:00Z"],
    ["America/New_York", "2100-03-14T07:00:00Z"],
    ["America/New_York", "9999-12-30T00:00:00Z"],
    ["America/Nuuk", "2026-03-29T01:00:00Z"],
    ["America/Nuuk", "2100-10-31T01:00:00Z"],
    ["America/Sao_Paulo", "2018-11-04T03:00:00Z"],
    ["America/Sao_Paulo", "2019-02-17T02:00:00Z"],
    ["Antarctica/Troll", "2026-03-29T01:00:00Z"],
    ["Antarctica/Troll", "2100-10-31T01:00:00Z"],
    ["Asia/Kathmandu", "0001-01-03T00:00:00Z"],
    ["Asia/Kathmandu", "1985-12-31T18:30:00Z"],
    ["Asia/Manila", "1844-12-31T15:56:08Z"],
    ["Australia/Lord_Howe", "2026-04-04T15:00:00Z"],
    ["Australia/Lord_Howe", "2026-10-03T15:30:00Z"],
    ["Europe/Dublin", "1916-10-01T02:25:21Z"],
    ["Pacific/Apia", "1892-07-04T11:26:56Z"],
    ["Pacific/Apia", "2011-12-30T10:00:00Z"],
    ["Pacific/Chatham", "2026-09-26T14:00:00Z"],
    ["Pacific/Chatham", "9999-12-30T00:00:00Z"],
    ["Pacific/Kwajalein", "1969-09-30T13:00:00Z"],
    ["Pacific/Kwajalein", "1993-08-21T12:00:00Z"],
    ["UTC", "2026-03-08T07:00:00Z"]
  ] as const
).map(([zone, instant]) => LocalClock.around(zone, instant))

const MINUTE = 60_000
const DAY = 86_400_000

const whole = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** Of a day, mostly the hours in which the clocks are set. */
const timeOf = ({ halfway }: LocalClock.LocalClock, minutes: number, millis: number): TimeOfDay =>
  (((((Math.floor(halfway / MINUTE) + minutes) * MINUTE + millis) % DAY) + DAY) % DAY) as TimeOfDay

const drawn = Arbitrary.all({
  clock: Arbitrary.map(Arbitrary.schema(whole(0, clocks.length - 1)), (i) => clocks[i] as LocalClock.LocalClock),
  kind: Arbitrary.schema(Schema.Literals(["daily", "weekly", "cron"])),
  minutes: Arbitrary.schema(Schema.Union([whole(-180, 180), whole(-1_440, 1_440)])),
  millis: Arbitrary.schema(Schema.Literals([0, 1, 30_000, 59_999])),
  weekdays: Arbitrary.schema(Schema.NonEmptyArray(whole(1, 7))),
  cron: CronModel.frequent
})

/** Any rule that reads a local clock, where the clocks may be set. */
export const anyRule: Arbitrary.Arbitrary<RuleOnClock> = Arbitrary.map(
  drawn,
  ({ clock, kind, minutes, millis, cron, ...rest }) => {
    const timeZone = TimeZone.make(clock.zone)
    if (kind === "cron") {
      const times = new Set(CronModel.times(cron).map((time) => time * MINUTE))
      const occurrences = LocalClock.occurrences(clock, times, (date) => CronModel.matches(cron, date))
      const expression = Result.getOrThrow(CronExpression.parse(CronModel.text(cron)))
      return { clock, rule: { kind, expression, timeZone }, occurrences }
    }
    const time = timeOf(clock, minutes, millis)
    const weekdays = [...new Set(rest.weekdays)].toSorted()
    const isChosen = ({ weekday }: LocalClock.Shown) =>
      kind === "daily" || weekdays.includes(weekday === 0 ? 7 : weekday)
    const rule = kind === "daily" ? { kind, time, timeZone } : { kind, time, weekdays, timeZone }
    return { clock, rule, occurrences: LocalClock.occurrences(clock, new Set([time]), isChosen) }
  }
)
