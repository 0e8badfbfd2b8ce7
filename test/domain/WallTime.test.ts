import { assert, describe, it } from "@effect/vitest"
import { Option, Result, Schema } from "effect"
import * as Calendar from "../../src/domain/Calendar.ts"
import * as Instant from "../../src/domain/Instant.ts"
import * as TimeZone from "../../src/domain/TimeZone.ts"
import * as WallTime from "../../src/domain/WallTime.ts"
import * as ZoneRules from "../../src/domain/ZoneRules.ts"
import { vectors } from "../vectors.ts"

interface LocalCase {
  readonly name: string
  readonly file?: string
  readonly category?: string
  readonly rule: { readonly at: Record<string, unknown> }
  readonly now: string
  readonly expect: { readonly target: string } | { readonly error: string }
}

/** Cases of the right shape: three texts of the right names. */
const isWellFormed = ({ rule }: LocalCase): boolean =>
  Object.keys(rule.at).toSorted().join() === "date,time,time_zone" &&
  Object.values(rule.at).every((value) => typeof value === "string")

const localCases = [
  ...vectors<LocalCase>("at-local"),
  ...vectors<LocalCase>("decided").filter(({ file }) => file === "at-local")
].filter(isWellFormed)

/** What the requested local time comes to: an instant's text, or the code of the refusal. */
const evaluate = ({ rule, now }: LocalCase): string => {
  const { date, time, time_zone } = rule.at as Record<string, string>
  const days = WallTime.parseDate(date ?? "")
  const millis = WallTime.parseTime(time ?? "")
  if (Option.isNone(days) || Option.isNone(millis)) return "invalid_rule"
  const rules = Option.flatMap(TimeZone.fromInput(time_zone ?? ""), TimeZone.rules)
  if (Option.isNone(rules)) return "invalid_time_zone"
  const shown = WallTime.resolve(rules.value, days.value, millis.value)
  if (Result.isFailure(shown)) return "invalid_rule"
  const target = Instant.fromMillis(shown.success.millis)
  if (Option.isNone(target)) return "time_out_of_range"
  return target.value > Option.getOrThrow(Instant.parse(now)) ? Instant.format(target.value) : "not_future"
}

const zones = [
  "Africa/Cairo",
  "Africa/Casablanca",
  "Africa/Monrovia",
  "America/New_York",
  "America/Nuuk",
  "America/Sao_Paulo",
  "Antarctica/Troll",
  "Asia/Kathmandu",
  "Asia/Manila",
  "Australia/Lord_Howe",
  "Europe/Dublin",
  "Pacific/Apia",
  "Pacific/Chatham",
  "Pacific/Kwajalein",
  "UTC"
]
const Zone = Schema.Literals(zones)
/** Any instant, or one of the two centuries in which clocks were changed most irregularly. */
const AnyInstant = Schema.Union([
  Schema.toType(Instant.Instant),
  Schema.Int.check(Schema.isBetween({ minimum: Date.UTC(1880, 0, 1), maximum: Date.UTC(2090, 0, 1) }))
])
const rulesOf = (name: string) => Option.getOrThrow(ZoneRules.load(name))
const daysOf = (date: string) => Option.getOrThrow(WallTime.parseDate(date))
const timeOf = (time: string) => Option.getOrThrow(WallTime.parseTime(time))
const resolve = (zone: string, date: string, time: string) =>
  WallTime.resolve(rulesOf(zone), daysOf(date), timeOf(time))
const localOf = ({ days, millis }: WallTime.Local) => days * Calendar.DAY_MILLIS + millis

/** A period that begins with a transition, where there is one not too far from the instant. */
const periodNear = (rules: ZoneRules.ZoneRules, instant: number): ZoneRules.Period => {
  const periods = ZoneRules.periodsAround(rules, instant)
  return periods.find(({ start }) => Number.isFinite(start)) ?? { start: instant, end: Infinity, offset: 0 }
}
const within = (millis: number) => Schema.Int.check(Schema.isBetween({ minimum: -millis, maximum: millis }))
/** How far to stay from a transition: there local times are hard. */
const Distance = Schema.Union([within(2 * 3_600_000), within(2 * Calendar.DAY_MILLIS)])
const runs = { arbitrary: { runs: 300 } }

describe("WallTime", () => {
  it.each(localCases)("resolves a local time: $name", (given) => {
    assert.strictEqual(evaluate(given), "target" in given.expect ? given.expect.target : given.expect.error)
  })

  it.prop(
    "leads from an instant to its local time and back, or to the first pass of an overlap",
    [Zone, AnyInstant, Distance],
    ([zone, instant, distance]) => {
      const rules = rulesOf(zone)
      const at = Instant.clamp(periodNear(rules, instant).start + distance)
      const local = WallTime.toLocal(rules, at)
      const { millis, repeatsAfter } = Result.getOrThrow(WallTime.resolve(rules, local.days, local.millis))
      assert.isTrue(millis === at || millis + repeatsAfter === at)
      assert.isTrue(local.millis >= 0 && local.millis < Calendar.DAY_MILLIS)
      assert.strictEqual(localOf(local), at + local.offset)
    },
    runs
  )

  it.prop(
    "gives a local time that exists its first instant, and one that does not the edges of its gap",
    [Zone, AnyInstant, Distance],
    ([zone, instant, distance]) => {
      const rules = rulesOf(zone)
      const { start, offset } = periodNear(rules, instant)
      const local = start + offset + distance
      const days = Math.floor(local / Calendar.DAY_MILLIS)
      const shown = WallTime.resolve(rules, days, local - days * Calendar.DAY_MILLIS)
      const exists = (time: number) => !Number.isNaN(WallTime.earliest(rules, time))
      if (Result.isSuccess(shown)) {
        assert.strictEqual(WallTime.earliest(rules, local), shown.success.millis)
        for (const after of [0, shown.success.repeatsAfter]) {
          const instant = shown.success.millis + after
          assert.strictEqual(instant + ZoneRules.offsetAt(rules, instant), local)
        }
      } else {
        const { before, after } = shown.failure
        assert.isTrue(before < local && local < after)
        assert.deepStrictEqual([before, before + 1, local, after - 1, after].map(exists), [
          true,
          false,
          false,
          false,
          true
        ])
        assert.strictEqual(WallTime.earliest(rules, after), WallTime.earliest(rules, before) + 1)
      }
    },
    runs
  )

  it.prop(
    "tells which local times have been shown, and which are still to come",
    [Zone, AnyInstant, Distance, Distance],
    ([zone, instant, distance, further]) => {
      const rules = rulesOf(zone)
      const now = Instant.clamp(periodNear(rules, instant).start + distance)
      const latest = WallTime.latestShown(rules, now)
      assert.isAtMost(WallTime.earliest(rules, latest), now)
      const local = latest + further
      const first = WallTime.earliest(rules, local)
      if (!Number.isNaN(first)) assert.strictEqual(first <= now, local <= latest)
    },
    runs
  )

  it("means the first instant in an overlap, and says when the second comes", () => {
    const shown = resolve("America/New_York", "2026-11-01", "01:30:00")
    assert.deepStrictEqual(shown, Result.succeed({ millis: Date.UTC(2026, 10, 1, 5, 30), repeatsAfter: 3_600_000 }))
    const halfHour = resolve("Australia/Lord_Howe", "2026-04-05", "01:45:00")
    assert.deepStrictEqual(halfHour, Result.succeed({ millis: Date.UTC(2026, 3, 4, 14, 45), repeatsAfter: 1_800_000 }))
    const ordinary = resolve("America/New_York", "2026-11-01", "02:00:00")
    assert.deepStrictEqual(ordinary, Result.succeed({ millis: Date.UTC(2026, 10, 1, 7), repeatsAfter: 0 }))
  })

  it.each([
    ["America/New_York", "2026-03-08", "02:30:00", "2026-03-08 01:59:59", "2026-03-08 03:00:00"],
    ["Australia/Lord_Howe", "2026-10-04", "02:29:59.999", "2026-10-04 01:59:59", "2026-10-04 02:30:00"],
    ["Antarctica/Troll", "2026-03-29", "02:30:00", "2026-03-29 00:59:59", "2026-03-29 03:00:00"],
    ["America/Nuuk", "2026-03-28", "23:30:00", "2026-03-28 22:59:59", "2026-03-29 00:00:00"],
    ["America/Sao_Paulo", "2018-11-04", "00:00:00", "2018-11-03 23:59:59", "2018-11-04 01:00:00"],
    ["Africa/Monrovia", "1972-01-07", "00:30:00", "1972-01-06 23:59:59", "1972-01-07 00:44:30"],
    ["Pacific/Apia", "2011-12-30", "12:00:00", "2011-12-29 23:59:59", "2011-12-31 00:00:00"],
    ["Pacific/Kwajalein", "1993-08-21", "12:00:00", "1993-08-20 23:59:59", "1993-08-22 00:00:00"]
  ] as const)("has no instant inside a gap, and names its edges: %s %s %s", (zone, date, time, before, after) => {
    const gap = Result.getOrThrow(Result.flip(resolve(zone, date, time)))
    assert.isNaN(WallTime.earliest(rulesOf(zone), daysOf(date) * Calendar.DAY_MILLIS + timeOf(time)))
    assert.deepStrictEqual([WallTime.format(gap.before), WallTime.format(gap.after)], [before, after])
  })

  it("takes two transitions close to each other as they come", () => {
    const hour = 3_600_000
    const periods = [
      { start: -Infinity, end: 10 * hour, offset: 0 },
      { start: 10 * hour, end: 10.5 * hour, offset: 2 * hour },
      { start: 10.5 * hour, end: Infinity, offset: 0 }
    ]
    const rules: ZoneRules.ZoneRules = { name: "Test/Twice", spans: [{ index: 0, periods }] }
    const at = (hours: number) => WallTime.resolve(rules, 0, hours * hour)
    assert.deepStrictEqual(at(9), Result.succeed({ millis: 9 * hour, repeatsAfter: 0 }))
    assert.deepStrictEqual(at(10.25), Result.fail({ before: 10 * hour - 1, after: 10.5 * hour }))
    assert.deepStrictEqual(at(11), Result.succeed({ millis: 11 * hour, repeatsAfter: 0 }))
    assert.deepStrictEqual(at(12.25), Result.succeed({ millis: 10.25 * hour, repeatsAfter: 2 * hour }))
    assert.strictEqual(WallTime.latestShown(rules, Instant.clamp(11 * hour)), 12.5 * hour - 1)
  })

  it("shows a date in year 0 or 10000 at the ends of time", () => {
    const show = (zone: string, instant: number) =>
      WallTime.format(localOf(WallTime.toLocal(rulesOf(zone), Instant.clamp(instant))))
    assert.strictEqual(show("America/New_York", Instant.MIN_MILLIS), "0000-12-31 19:03:58")
    assert.strictEqual(show("Pacific/Kiritimati", Instant.MAX_MILLIS), "10000-01-01 13:59:59")
  })

  it("writes what the clocks show with their offset, which has seconds where history had", () => {
    const show = (zone: string, text: string) =>
      WallTime.formatAt(rulesOf(zone), Option.getOrThrow(Instant.parse(text)))
    assert.strictEqual(show("Asia/Kathmandu", "2026-12-01T00:00:00.999Z"), "2026-12-01T05:45:00+05:45")
    assert.strictEqual(show("America/New_York", "2026-11-01T06:30:00.000Z"), "2026-11-01T01:30:00-05:00")
    assert.strictEqual(show("America/New_York", "1850-01-01T00:00:00.000Z"), "1849-12-31T19:03:58-04:56:02")
    assert.strictEqual(show("UTC", "2026-12-01T00:00:00.000Z"), "2026-12-01T00:00:00+00:00")
    assert.deepStrictEqual([0, -1_800_000, 50_400_000].map(WallTime.formatOffset), ["+00:00", "-00:30", "+14:00"])
  })

  it("reads a date only as a caller must write it", () => {
    assert.strictEqual(daysOf("1970-01-02"), 1)
    assert.strictEqual(daysOf("0001-01-01") * Calendar.DAY_MILLIS, Instant.MIN_MILLIS)
    const others = [
      "0000-12-31",
      "2027-02-29",
      "2027-1-01",
      "27-01-01",
      "2027-01-01 ",
      "2027-01-01\n",
      "10000-01-01",
      ""
    ]
    for (const text of others) assert.isTrue(Option.isNone(WallTime.parseDate(text)), JSON.stringify(text))
  })
})

describe("TimeOfDay", () => {
  const decode = Schema.decodeUnknownResult(WallTime.TimeOfDay)

  it.prop("its text reads back as the same time, from the log and from a caller", [WallTime.TimeOfDay], ([time]) => {
    const text = Schema.encodeSync(WallTime.TimeOfDay)(time)
    assert.match(text, /^\d{2}:\d{2}:\d{2}\.\d{3}$/u)
    assert.deepStrictEqual(decode(text), Result.succeed(time))
    assert.deepStrictEqual(WallTime.parseTime(text), Option.some(time))
  })

  it("accepts no second spelling of a time in the log", () => {
    const texts = ["09:00:00", "09:00:00.0", "9:00:00.000", "24:00:00.000", "09:60:00.000", "09:00:60.000"]
    for (const value of [...texts, " 09:00:00.000", "09:00:00.000\n", "09:00:00,000", "", 32_400_000]) {
      assert.isTrue(Result.isFailure(decode(value)), JSON.stringify(value))
    }
  })

  it("takes from a caller up to three digits of fraction, or none", () => {
    const times = ["09:00:00", "09:00:00.5", "09:00:00.25", "09:00:00.050", "23:59:59.999"].map(timeOf)
    assert.deepStrictEqual(times, [32_400_000, 32_400_500, 32_400_250, 32_400_050, 86_399_999] as typeof times)
  })

  const ruleTimes = (["daily", "weekly"] as const).flatMap((kind) =>
    vectors<{ category: string; name: string; rule: Record<string, { time: string }> }>(kind)
      .filter(({ category, rule }) => category === "time-invalid" && typeof rule[kind]?.time === "string")
      .map(({ name, rule }) => ({ name, time: rule[kind]?.time ?? "" }))
  )

  it.each(ruleTimes)("refuses a caller's $name", ({ time }) => {
    assert.isTrue(Option.isNone(WallTime.parseTime(time)))
  })

  it("shows its form in JSON Schema", () => {
    const { schema } = Schema.toJsonSchemaDocument(WallTime.TimeOfDay)
    const pattern = new RegExp(String(schema["pattern"]), "u")
    assert.isTrue(pattern.test("09:00:00.000"))
    assert.isFalse(pattern.test("24:00:00.000"))
  })
})
