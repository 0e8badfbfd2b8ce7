import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as RuleNotes from "../../src/domain/RuleNotes.ts"
import type { ScheduleRecord } from "../../src/domain/ScheduleRecord.ts"
import { TimeZone } from "../../src/domain/TimeZone.ts"
import { at, plan } from "./Answers.ts"

const daily = (time: string, time_zone: string) => ({ daily: { time, time_zone } })
const cron = (expression: string, time_zone: string) => ({ cron: { expression, time_zone } })
const record = (args: object, now: string): ScheduleRecord => Result.getOrThrow(plan({ prompt: "p", ...args }, now))
const notes = (args: object, now = "2026-01-01T00:00:00.000Z") => RuleNotes.of(record(args, now), at(now))

describe("RuleNotes", () => {
  it("are none for what people expect: single times, intervals, and rules that no transition meets", () => {
    for (const args of [
      { after_seconds: 86_400 },
      { at: "2026-03-08T02:30:00-05:00" },
      { every_seconds: 3_600 },
      daily("02:30:00", "UTC"),
      daily("09:00:00", "America/New_York"),
      daily("03:00:00", "America/New_York"),
      { weekly: { time: "02:30:00", weekdays: [1, 6], time_zone: "America/New_York" } },
      cron("*/30 9-17 * * MON-FRI", "Europe/Berlin")
    ]) {
      assert.deepStrictEqual(notes(args), [], JSON.stringify(args))
    }
  })

  it.each([
    [
      daily("02:30:00", "America/New_York"),
      "2026-03-08: the clocks of America/New_York go from 02:00 to 03:00, so there is no occurrence at 02:30."
    ],
    [
      { weekly: { time: "02:15:30.250", weekdays: [7], time_zone: "Australia/Lord_Howe" } },
      "2026-10-04: the clocks of Australia/Lord_Howe go from 02:00 to 02:30, so there is no occurrence at 02:15:30."
    ],
    [
      cron("30 23 * 3 *", "America/Nuuk"),
      "2026-03-28: the clocks of America/Nuuk go from 23:00 to 2026-03-29 00:00, so there is no occurrence at 23:30."
    ],
    [
      cron("0 2,14 * * *", "America/New_York"),
      "2026-03-08: the clocks of America/New_York go from 02:00 to 03:00, so there is no occurrence at 02:00."
    ],
    [
      cron("*/20 2-4 * 3 *", "America/New_York"),
      "2026-03-08: the clocks of America/New_York go from 02:00 to 03:00, so there is no occurrence at 02:00, 02:20, 02:40."
    ],
    [
      cron("*/5 0-2 * 3 *", "America/New_York"),
      "2026-03-08: the clocks of America/New_York go from 02:00 to 03:00, so there is no occurrence at 02:00, 02:05, 02:10 and 9 more."
    ]
  ])("say on which date a gap leaves nothing: %j", (args, note) => {
    assert.deepStrictEqual(notes(args), [note])
  })

  it("say that a date is skipped", () => {
    assert.deepStrictEqual(notes(daily("09:00:00", "Pacific/Apia"), "2011-06-01T00:00:00.000Z"), [
      "2011-12-30: the clocks of Pacific/Apia go from 00:00 to 2011-12-31 00:00, so there is no occurrence at 09:00."
    ])
  })

  it("say nothing of a gap that a rule of every hour does not feel", () => {
    for (const expression of ["*/5 * * 3 *", "0 * * 3 *", "59 * * 3 *"]) {
      assert.deepStrictEqual(notes(cron(expression, "America/New_York")), [])
    }
  })

  it("say which of two occurrences it is in an overlap", () => {
    const back =
      "2026-11-01: the clocks of America/New_York go back from 02:00 to 01:00; what they show twice counts once"
    assert.deepStrictEqual(notes(daily("01:30:00", "America/New_York")), [`${back}, so it comes at 01:30-04:00.`])
    assert.deepStrictEqual(notes(cron("0,30 1 * * *", "America/New_York")), [
      `${back}, so it comes at 01:00-04:00, 01:30-04:00.`
    ])
    assert.deepStrictEqual(notes(cron("*/10 1-5 * * *", "America/New_York")), [
      `${back}, so it comes at 01:00-04:00, 01:10-04:00, 01:20-04:00 and 3 more.`
    ])
  })

  it("say for how long a rule of every hour is silent in an overlap", () => {
    const even = "Use every_seconds for an even interval."
    assert.deepStrictEqual(notes(cron("*/5 * * * *", "America/New_York")), [
      "2026-11-01: the clocks of America/New_York go back from 02:00 to 01:00; what they show twice counts once, " +
        `so it is silent for 1 h 5 min, from 01:55-04:00 to 02:00-05:00. ${even}`
    ])
    assert.deepStrictEqual(notes(cron("45 * * * *", "Australia/Lord_Howe")), [
      "2026-04-05: the clocks of Australia/Lord_Howe go back from 02:00 to 01:30; what they show twice counts once, " +
        `so it is silent for 1 h 30 min, from 01:45+11:00 to 02:45+10:30. ${even}`
    ])
    assert.deepStrictEqual(notes(cron("30 * * * *", "America/Nuuk")), [
      "2026-10-24: the clocks of America/Nuuk go back from 2026-10-25 00:00 to 23:00; what they show twice counts once, " +
        `so it is silent for 2 h, from 23:30-01:00 to 2026-10-25 00:30-02:00. ${even}`
    ])
    assert.deepStrictEqual(notes(cron("30 * * * *", "Europe/Dublin"), "1916-06-01T00:00:00.000Z").slice(0, 1), [
      "1916-10-01: the clocks of Europe/Dublin go back from 03:00 to 02:25:21; what they show twice counts once, " +
        `so it is silent for 1 h 34 min 39 s, from 02:30+00:34:39 to 03:30+00:00. ${even}`
    ])
  })

  it("are told while an overlap lasts, and in the next 400 days only", () => {
    const rule = cron("*/15 * * * *", "America/New_York")
    const dates = (now: string) => notes(rule, now).map((note) => note.slice(0, 10))
    assert.deepStrictEqual(dates("2026-11-01T05:59:00.000Z"), ["2026-11-01", "2027-11-07"])
    assert.deepStrictEqual(dates("2026-11-01T06:59:59.999Z"), ["2026-11-01", "2027-11-07"])
    assert.deepStrictEqual(dates("2026-11-01T07:00:00.000Z"), ["2027-11-07"])
    assert.deepStrictEqual(dates("2026-09-01T00:00:00.000Z"), ["2026-11-01"])
    const skipped = (now: string) => notes(daily("02:30:00", "America/New_York"), now).map((note) => note.slice(0, 10))
    assert.deepStrictEqual(skipped("2026-03-08T06:59:59.999Z"), ["2026-03-08", "2027-03-14"])
    assert.deepStrictEqual(skipped("2026-03-08T07:00:00.000Z"), ["2027-03-14"])
  })

  it("tell each transition of a year that has many, in order", () => {
    const dates = notes(daily("02:30:00", "Africa/Casablanca"), "2013-06-01T00:00:00.000Z").map((note) =>
      note.slice(0, 10)
    )
    assert.deepStrictEqual(dates, ["2013-07-07", "2013-08-10", "2013-10-27", "2014-03-30", "2014-06-28"])
  })

  it("say whether one day field is enough where both are restricted", () => {
    assert.deepStrictEqual(notes(cron("0 9 15 * 1", "UTC")), [
      "Day-of-month and day-of-week are both restricted: it comes when either matches."
    ])
    assert.deepStrictEqual(notes(cron("0 9 31 * 1", "UTC")).length, 1)
    for (const expression of ["0 9 */2 * 1", "0 9 15 * */2"]) {
      assert.deepStrictEqual(notes(cron(expression, "UTC")), [
        "Day-of-month or day-of-week begins with *: it comes when both match."
      ])
    }
    for (const expression of ["0 9 * * 1", "0 9 */1 * 1", "0 9 15 * *", "0 9 15 * */1", "0 9 * * *"]) {
      assert.deepStrictEqual(notes(cron(expression, "UTC")), [])
    }
  })

  it("say in which months a rule never comes, or in leap years only", () => {
    const never = "too short for its day-of-month."
    assert.deepStrictEqual(notes(cron("0 9 31 * *", "UTC")), [`It never comes in FEB, APR, JUN, SEP, NOV: ${never}`])
    assert.deepStrictEqual(notes(cron("0 9 30,31 2,3 *", "UTC")), [`It never comes in FEB: ${never}`])
    assert.deepStrictEqual(notes(cron("0 9 29 * *", "UTC")), ["In FEB it comes in leap years only."])
    assert.deepStrictEqual(notes(cron("0 9 29 2 *", "UTC")), ["In FEB it comes in leap years only."])
    for (const fields of ["28 2 *", "31 1,3 *", "30 4 *", "29,30 1 *"]) {
      assert.deepStrictEqual(notes(cron(`0 9 ${fields}`, "UTC")), [])
    }
  })

  it("say that an interval of days counts elapsed time", () => {
    const note =
      "It counts elapsed time: its local time moves when clocks are set. Use daily or weekly for a local time."
    assert.deepStrictEqual(notes({ every_seconds: 86_400 }), [note])
    assert.deepStrictEqual(notes({ every_seconds: 7 * 86_400 }), [note])
    assert.deepStrictEqual(notes({ every_seconds: 86_400 + 300 }), [])
  })

  it("say that a stored zone is not known", () => {
    const now = "2026-01-01T00:00:00.000Z"
    const stored = { ...record(daily("09:00:00", "UTC"), now), timeZone: TimeZone.make("Mars/Olympus_Mons") }
    assert.deepStrictEqual(RuleNotes.of(stored as ScheduleRecord, at(now)), [
      "The zone Mars/Olympus_Mons is not known here: it can't come."
    ])
  })
})
