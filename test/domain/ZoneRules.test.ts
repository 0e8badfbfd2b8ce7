import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import * as Calendar from "../../src/domain/Calendar.ts"
import * as Instant from "../../src/domain/Instant.ts"
import * as ZoneRules from "../../src/domain/ZoneRules.ts"

const zones = [
  "Africa/Cairo",
  "Africa/Casablanca",
  "Africa/El_Aaiun",
  "Africa/Monrovia",
  "America/Juneau",
  "America/New_York",
  "America/Noronha",
  "America/Nuuk",
  "America/Sao_Paulo",
  "Antarctica/Troll",
  "Asia/Gaza",
  "Asia/Kathmandu",
  "Asia/Manila",
  "Australia/Lord_Howe",
  "Etc/GMT-14",
  "Europe/Dublin",
  "Europe/Tirane",
  "Pacific/Apia",
  "Pacific/Chatham",
  "Pacific/Kwajalein",
  "UTC"
]
const Zone = Schema.Literals(zones)
const DAY = Calendar.DAY_MILLIS
const AnyInstant = Schema.toType(Instant.Instant)
const millisOf = (text: string) => Option.getOrThrow(Instant.parse(`${text}.000Z`))
/** Instants of the years in which the clocks of some zone follow no yearly rule. */
const IrregularInstant = Schema.Int.check(
  Schema.isBetween({ minimum: millisOf("1840-01-01T00:00:00"), maximum: millisOf("2110-01-01T00:00:00") })
)

const load = (name: string) => Option.getOrThrow(ZoneRules.load(name))

/** The offset that the fields of a fresh formatter give, none of them a time zone name. */
const offsetByFields = (timeZone: string, instant: number): number => {
  const fields = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric" } as const
  const format = new Intl.DateTimeFormat("en-US", {
    ...fields,
    second: "numeric",
    era: "short",
    hourCycle: "h23",
    timeZone
  })
  const { era = "", ...parts } = Object.fromEntries(
    format.formatToParts(instant).map(({ type, value }) => [type, value])
  )
  const [year, month, day, hour, minute, second] = ["year", "month", "day", "hour", "minute", "second"].map((part) =>
    Number(parts[part])
  ) as [number, number, number, number, number, number]
  const days = Calendar.toDays({ year: era.startsWith("A") ? year : 1 - year, month, day })
  const local = days * Calendar.DAY_MILLIS + ((hour * 60 + minute) * 60 + second) * 1_000
  return local - Math.floor(instant / 1_000) * 1_000
}

/** The transitions from one instant to another, as their text and the offset in hours that they bring. */
const transitions = (name: string, from: string, to: string): ReadonlyArray<readonly [string, number]> =>
  ZoneRules.transitions(load(name), millisOf(from) - 1, millisOf(to)).map(({ at, to }) => [
    Instant.format(Instant.clamp(at)).slice(0, 19),
    to / 3_600_000
  ])

describe("ZoneRules", () => {
  it("are none for a zone that the runtime does not know", () => {
    assert.isTrue(Option.isNone(ZoneRules.load("Mars/Olympus_Mons")))
  })

  it.prop(
    "give the offset that the fields of Intl give, in any year from 1 to 9999",
    [Zone, AnyInstant],
    ([zone, instant]) => assert.strictEqual(ZoneRules.offsetAt(load(zone), instant), offsetByFields(zone, instant)),
    { arbitrary: { runs: 150 } }
  )

  it.prop(
    "give the offset that the fields of Intl give, in the years of irregular transitions",
    [Zone, IrregularInstant],
    ([zone, instant]) => assert.strictEqual(ZoneRules.offsetAt(load(zone), instant), offsetByFields(zone, instant)),
    { arbitrary: { runs: 300 } }
  )

  it.prop(
    "change the offset at the very second at which Intl does",
    [Zone, IrregularInstant],
    ([zone, instant]) => {
      for (const { start, offset } of ZoneRules.periodsAround(load(zone), instant).slice(1)) {
        assert.strictEqual(offsetByFields(zone, start), offset)
        assert.notStrictEqual(offsetByFields(zone, start - 1), offset)
      }
    },
    { arbitrary: { runs: 100 } }
  )

  it.prop(
    "tell every transition of some years, in order, with the offsets before and after it",
    [Zone, IrregularInstant],
    ([zone, after]) => {
      const upTo = after + 900 * DAY
      const found = ZoneRules.transitions(load(zone), after, upTo)
      for (const { at, from, to } of found) {
        assert.isTrue(at > after && at <= upTo)
        assert.deepStrictEqual([from, to], [offsetByFields(zone, at - 1), offsetByFields(zone, at)])
      }
      const edges = [after, ...found.map(({ at }) => at), upTo]
      for (const [i, edge] of edges.slice(1).entries()) {
        const start = edges[i] ?? after
        const offsets = [start, (start + edge) / 2, Math.max(edge - 1, start)].map((it) => offsetByFields(zone, it))
        assert.strictEqual(new Set(offsets).size, 1)
      }
    },
    { arbitrary: { runs: 100 } }
  )

  it("tell a transition at the end of the time that is asked for, and not at its beginning", () => {
    const at = millisOf("2026-03-08T07:00:00")
    const rules = load("America/New_York")
    const hour = 3_600_000
    assert.deepStrictEqual(ZoneRules.transitions(rules, at - 1, at), [{ at, from: -5 * hour, to: -4 * hour }])
    assert.deepStrictEqual(ZoneRules.transitions(rules, at, at + 1), [])
  })

  it("cover the ends of time, where a local date falls into year 0 or 10000", () => {
    for (const zone of zones) {
      for (const instant of [Instant.MIN_MILLIS, Instant.MAX_MILLIS]) {
        assert.strictEqual(ZoneRules.offsetAt(load(zone), instant), offsetByFields(zone, instant), zone)
      }
    }
  })

  it.each([
    ["Africa/Tunis", "1943-04-17T00:00:00", 1, "1943-04-25T01:00:00", 2],
    ["Europe/Vienna", "1945-04-02T01:00:00", 2, "1945-04-12T01:00:00", 1],
    ["America/Noronha", "2000-10-08T02:00:00", -1, "2000-10-15T01:00:00", -2],
    ["Asia/Gaza", "2040-10-20T00:00:00", 3, "2040-10-26T23:00:00", 2]
  ] as const)("know transitions that are a week apart and cancel out: %s %s", (zone, from, there, to, back) => {
    assert.deepStrictEqual(transitions(zone, from, to), [
      [from, there],
      [to, back]
    ])
  })

  it.prop(
    "find any two transitions that cancel out, if at least three days lie between them",
    [Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 20 * 86_400 }))],
    ([second]) => {
      const [there, back] = [second * 1_000, second * 1_000 + 3 * DAY]
      const periods = ZoneRules.findPeriods((instant) => (instant >= there && instant < back ? 1 : 0), 0, 24 * DAY)
      assert.deepStrictEqual(
        periods.map(({ start }) => start),
        [-Infinity, there, back]
      )
    }
  )

  it("find every one of several transitions that follow each other fast, to the second", () => {
    const starts = [86_401_000, 86_402_000, 88_000_000, 200_000_000, 300_000_000, 900_000_000]
    const periods = ZoneRules.findPeriods((instant) => starts.filter((start) => start <= instant).length, 0, 12 * DAY)
    assert.deepStrictEqual(
      periods,
      [-Infinity, ...starts].map((start, i) => ({ start, end: starts[i] ?? Infinity, offset: i }))
    )
  })

  it.each(["America/New_York", "Africa/Casablanca", "Australia/Lord_Howe", "Asia/Gaza", "Europe/Dublin"])(
    "tell all transitions for more than a day around any moment: %s",
    (zone) => {
      const rules = load(zone)
      for (const [text] of transitions(zone, "1900-01-01T00:00:00", "2100-01-01T00:00:00")) {
        const transition = millisOf(text)
        for (const moment of [transition - 1.2 * DAY, transition, transition + 1.2 * DAY]) {
          const starts = ZoneRules.periodsAround(rules, moment).map(({ start }) => start)
          assert.include(starts, transition)
        }
      }
    }
  )

  it("know that the clocks of Morocco go back for Ramadan", () => {
    assert.deepStrictEqual(transitions("Africa/Casablanca", "2025-01-01T00:00:00", "2025-12-31T00:00:00"), [
      ["2025-02-23T02:00:00", 0],
      ["2025-04-06T02:00:00", 1]
    ])
  })

  it("know offsets of seconds, from before there were standard times", () => {
    assert.strictEqual(ZoneRules.offsetAt(load("America/New_York"), millisOf("1850-06-01T00:00:00")), -17_762_000)
    assert.deepStrictEqual(transitions("Africa/Monrovia", "1960-01-01T00:00:00", "1980-01-01T00:00:00"), [
      ["1972-01-07T00:44:30", 0]
    ])
  })

  it.prop(
    "give answers that no earlier question changes",
    [Zone, Schema.NonEmptyArray(AnyInstant)],
    ([zone, instants]) => {
      const [one, other] = [load(zone), load(zone)]
      const answers = instants.map((instant) => ZoneRules.offsetAt(one, instant))
      const reversed = instants.toReversed().map((instant) => ZoneRules.offsetAt(other, instant))
      assert.deepStrictEqual(answers, reversed.toReversed())
    },
    { arbitrary: { runs: 30 } }
  )

  it("keep a bounded number of spans, and find the others again", () => {
    const rules = load("Europe/Dublin")
    const years = Array.from({ length: 400 }, (_, year) => Calendar.toDays({ year: 1_800 + year, month: 7, day: 1 }))
    const summers = () => years.map((days) => ZoneRules.offsetAt(rules, days * Calendar.DAY_MILLIS))
    const first = summers()
    assert.isAtMost(rules.spans.length, 64)
    assert.deepStrictEqual(summers(), first)
  })

  it("do not depend on the zone of the process", () => {
    const own = process.env["TZ"]
    const instants = ["2026-01-01T00:00:00", "2026-07-01T00:00:00", "2026-10-25T00:59:59", "2026-10-25T01:00:00"]
    for (const processZone of ["UTC", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"]) {
      process.env["TZ"] = processZone
      assert.strictEqual(new Intl.DateTimeFormat().resolvedOptions().timeZone.slice(0, 3), processZone.slice(0, 3))
      const hours = instants.map((text) => ZoneRules.offsetAt(load("Europe/London"), millisOf(text)) / 3_600_000)
      assert.deepStrictEqual(hours, [0, 1, 1, 0], processZone)
    }
    if (own === undefined) delete process.env["TZ"]
    else process.env["TZ"] = own
  })
})
