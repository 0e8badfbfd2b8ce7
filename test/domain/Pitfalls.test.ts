/**
 * What users of schedulers, cron libraries and agents were surprised by, and what happens here instead.
 */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as Due from "../../src/domain/Due.ts"
import * as FollowUp from "../../src/domain/FollowUp.ts"
import * as Instant from "../../src/domain/Instant.ts"
import * as RuleNotes from "../../src/domain/RuleNotes.ts"
import * as ScheduleChange from "../../src/domain/ScheduleChange.ts"
import * as ScheduleLog from "../../src/domain/ScheduleLog.ts"
import type { ScheduleRecord } from "../../src/domain/ScheduleRecord.ts"
import { view } from "../../src/domain/ScheduleView.ts"
import { answer, at, created, plan, replayed } from "./Answers.ts"

const millis = (text: string): string => (text.includes(".") ? text : text.replace("Z", ".000Z"))
const record = (args: object, now: string): ScheduleRecord =>
  Result.getOrThrow(plan({ prompt: "p", ...args }, millis(now)))
const target = (args: object, now: string): string =>
  Instant.format(record(args, now).scheduledAt).replace(".000Z", "Z")
const refusal = (args: object, now = "2026-12-01T00:00:00Z"): { readonly code: string; readonly message: string } =>
  Result.getOrThrow(Result.flip(plan({ prompt: "p", ...args }, millis(now))))
const code = (args: object, now?: string): string => refusal(args, now).code

const cron = (expression: string, time_zone: string) => ({ cron: { expression, time_zone } })
const local = (date: string, time: string, time_zone: string) => ({ at: { date, time, time_zone } })

/** So many occurrences after an instant. */
const after = (args: object, now: string, count: number): ReadonlyArray<string> =>
  (answer({ prompt: "p", ...args }, millis(now), count).occurrences ?? []).map((it) => it.replace(".000Z", "Z"))

const assertAfter = (args: object, now: string, ...expected: ReadonlyArray<string>) =>
  assert.deepStrictEqual(after(args, now, expected.length), expected)

describe("where clocks are set", () => {
  it("leaves out a time inside a gap, and comes the next day: not an hour off, not months later", () => {
    assertAfter(cron("30 2 * * *", "America/New_York"), "2026-03-08T06:30:00Z", "2026-03-09T06:30:00Z")
  })

  it("never answers with a time in the past in the second pass of an overlap", () => {
    assertAfter(cron("*/5 * * * *", "America/New_York"), "2026-11-01T06:30:15Z", "2026-11-01T07:00:00Z")
  })

  it("is silent through the repeated hour, and says so beforehand", () => {
    const half = cron("*/30 * * * *", "Australia/Melbourne")
    const now = "2024-04-06T15:00:00Z"
    assertAfter(half, now, "2024-04-06T15:30:00Z", "2024-04-06T17:00:00Z", "2024-04-06T17:30:00Z")
    const [note] = RuleNotes.of(record(half, now), at(millis(now)))
    assert.match(note ?? "", /silent for 1 h 30 min.*every_seconds/u)
  })

  it("leaves out a midnight that does not exist", () => {
    assertAfter(cron("0 0 * * *", "America/Sao_Paulo"), "2018-11-03T12:00:00Z", "2018-11-05T02:00:00Z")
  })

  it("finds the year in which the one date of a rule is no gap", () => {
    assertAfter(cron("0 1 30 3 *", "Europe/Lisbon"), "2024-11-15T00:00:00Z", "2026-03-30T00:00:00Z")
  })

  it("keeps its local time across a transition", () => {
    assertAfter(
      cron("0 10 * * *", "America/Chicago"),
      "2025-03-08T15:00:00Z",
      "2025-03-08T16:00:00Z",
      "2025-03-09T15:00:00Z",
      "2025-03-10T15:00:00Z"
    )
  })

  it("loses no other hour of the day when midnight is a gap", () => {
    assertAfter(cron("0 */2 * * *", "Africa/Cairo"), "2026-04-23T20:00:00Z", "2026-04-23T23:00:00Z")
  })

  it("uses the offset of the month it comes to, not of the one it comes from", () => {
    assertAfter(cron("0 0 * */3 *", "America/New_York"), "2015-02-15T05:00:00Z", "2015-04-01T04:00:00Z")
  })

  it("comes once in an overlap of half an hour", () => {
    assertAfter(
      cron("45 1 * * *", "Australia/Lord_Howe"),
      "2026-04-03T16:00:00Z",
      "2026-04-04T14:45:00Z",
      "2026-04-05T15:15:00Z"
    )
  })

  it("leaves out a time inside a gap of two hours", () => {
    assertAfter(cron("30 2 * * *", "Antarctica/Troll"), "2026-03-28T12:00:00Z", "2026-03-30T00:30:00Z")
  })

  it("knows zones of three quarters of an hour, and gaps that begin there", () => {
    assertAfter(cron("50 2 * * *", "Pacific/Chatham"), "2026-09-25T14:30:00Z", "2026-09-27T13:05:00Z")
  })

  it("stays on its date when a gap ends at midnight", () => {
    assertAfter(cron("30 23 * * *", "America/Nuuk"), "2026-03-28T12:00:00Z", "2026-03-30T00:30:00Z")
  })

  it("takes nothing from the zone of the process", () => {
    const own = process.env["TZ"]
    process.env["TZ"] = "Australia/Sydney"
    assert.strictEqual(new Date("2026-01-01T00:00:00Z").getHours(), 11)
    assertAfter(cron("0 * * * *", "UTC"), "2025-10-05T02:00:00Z", "2025-10-05T03:00:00Z")
    if (own === undefined) delete process.env["TZ"]
    else process.env["TZ"] = own
  })

  it("takes an interval of a day for 24 hours, and says what keeps a local time", () => {
    const now = "2026-03-07T14:00:00Z"
    const day = record({ every_seconds: 86_400 }, now)
    assert.strictEqual(Instant.format(day.scheduledAt), "2026-03-08T14:00:00.000Z")
    assert.match(RuleNotes.of(day, at(millis(now))).join(), /Use daily/u)
  })

  it("refuses a single time inside a gap, and names both times to choose from", () => {
    const { code, message } = refusal(local("2026-03-08", "02:30:00", "America/New_York"), "2026-01-01T00:00:00Z")
    assert.strictEqual(code, "invalid_rule")
    assert.include(message, "01:59:59")
    assert.include(message, "03:00:00")
  })

  it("knows the date that Samoa skipped", () => {
    const now = "2011-12-28T20:00:00Z"
    assert.strictEqual(code(local("2011-12-30", "12:00:00", "Pacific/Apia"), now), "invalid_rule")
    assertAfter(cron("0 9 * * 5", "Pacific/Apia"), now, "2012-01-05T19:00:00Z")
    assertAfter(cron("0 9 * * *", "Pacific/Apia"), now, "2011-12-29T19:00:00Z", "2011-12-30T19:00:00Z")
  })

  it("knows the date that Kwajalein skipped", () => {
    const now = "1993-08-20T12:00:00Z"
    assert.strictEqual(code(local("1993-08-21", "12:00:00", "Pacific/Kwajalein"), now), "invalid_rule")
    const daily = { daily: { time: "12:00:00", time_zone: "Pacific/Kwajalein" } }
    assertAfter(daily, now, "1993-08-21T00:00:00Z", "1993-08-22T00:00:00Z")
  })

  it("knows that the clocks of Morocco go back for Ramadan, and forward after it", () => {
    const rule = cron("30 2 * * *", "Africa/Casablanca")
    assertAfter(rule, "2026-02-14T12:00:00Z", "2026-02-15T01:30:00Z", "2026-02-16T02:30:00Z")
    assertAfter(rule, "2026-03-21T12:00:00Z", "2026-03-23T01:30:00Z")
  })

  it.each(["Asia/Kolkata", "Asia/Calcutta", "Europe/Kyiv", "Europe/Kiev"])(
    "knows a zone by its old and its new name, and keeps the one that was given: %s",
    (time_zone) => {
      const daily = record({ daily: { time: "09:00:00", time_zone } }, "2026-12-01T00:00:00Z")
      assert.strictEqual("timeZone" in daily ? daily.timeZone : "", time_zone)
      const other = { "Asia/Kolkata": "Asia/Calcutta", "Europe/Kyiv": "Europe/Kiev" }[time_zone] ?? time_zone
      assert.strictEqual(
        target({ daily: { time: "09:00:00", time_zone: other } }, "2026-12-01T00:00:00Z"),
        Instant.format(daily.scheduledAt).replace(".000Z", "Z")
      )
    }
  )

  it("takes no offset and no abbreviation for a zone, and a name with a slash by its own meaning", () => {
    for (const zone of ["+05:30", "EST", "utc"]) {
      assert.strictEqual(code(cron("0 9 * * *", zone)), "invalid_time_zone", zone)
    }
    assertAfter(cron("0 9 * * *", "Etc/GMT+5"), "2026-12-01T00:00:00Z", "2026-12-01T14:00:00Z")
  })

  it("never assumes a zone", () => {
    for (const rule of [
      { cron: { expression: "0 9 * * *" } },
      { daily: { time: "09:00:00" } },
      { weekly: { time: "09:00:00", weekdays: [1] } },
      { at: { date: "2027-01-01", time: "09:00:00" } }
    ]) {
      assert.strictEqual(code(rule), "invalid_rule")
    }
  })
})

describe("a cron expression", () => {
  it("matches either of two restricted day fields, and says so beforehand", () => {
    const rule = cron("0 9 15 * 1", "UTC")
    const now = "2026-06-01T09:00:00Z"
    const days = ["08", "15", "22", "29"].map((day) => `2026-06-${day}T09:00:00Z`)
    assertAfter(rule, now, ...days)
    assert.match(RuleNotes.of(record(rule, now), at(millis(now))).join(), /either matches/u)
  })

  it("matches both day fields where one begins with a star", () => {
    const now = "2024-12-31T23:59:00Z"
    assertAfter(cron("0 0 */2 * 1", "UTC"), now, "2025-01-13T00:00:00Z", "2025-01-27T00:00:00Z")
    assertAfter(cron("0 0 15 * */3", "UTC"), now, "2025-01-15T00:00:00Z")
  })

  it("matches a month and a day of the week together", () => {
    const mondays = ["07", "14", "21"].map((day) => `2021-06-${day}T00:00:00Z`)
    assertAfter(cron("0 0 * 6 1", "UTC"), "2021-04-13T00:00:00Z", ...mondays)
  })

  it("takes a stepped day of the week for what it names", () => {
    assertAfter(cron("0 0 * * */2", "UTC"), "2026-01-01T23:59:00Z", "2026-01-03T00:00:00Z", "2026-01-04T00:00:00Z")
  })

  it("passes over the months without a 31st, and says so beforehand", () => {
    const rule = cron("0 0 31 * *", "UTC")
    const now = "2026-01-31T00:00:00Z"
    assertAfter(rule, now, "2026-03-31T00:00:00Z", "2026-05-31T00:00:00Z", "2026-07-31T00:00:00Z")
    assert.match(RuleNotes.of(record(rule, now), at(millis(now))).join(), /never comes in FEB, APR, JUN, SEP, NOV/u)
  })

  it("waits eight years for a 29 February around 2100", () => {
    assertAfter(cron("0 9 29 2 *", "UTC"), "2096-03-01T00:00:00Z", "2104-02-29T09:00:00Z")
  })

  it("comes on 29 February or on Sundays of that month", () => {
    assertAfter(cron("0 2 29 2 0", "UTC"), "2018-05-14T00:00:00Z", "2019-02-03T02:00:00Z")
  })

  it("is refused when it is made if no date ever matches", () => {
    for (const expression of ["0 0 30 2 *", "0 0 31 4 *"])
      assert.strictEqual(code(cron(expression, "UTC")), "invalid_rule")
  })

  it("may have names and macros, and nothing else that only some dialects have", () => {
    assertAfter(cron("0 9 * JAN MON", "UTC"), "2026-01-01T00:00:00Z", "2026-01-05T09:00:00Z")
    assertAfter(cron("@daily", "UTC"), "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z")
    const refused = {
      "0 0 9 * * *": "6 fields",
      "5/15 * * * *": "minute: ",
      "0 9 L * *": "day-of-month: ",
      "0 9 ? * *": "day-of-month: ",
      "0 9 * * 1#2": "day-of-week: ",
      "0 9\n* * *": "4 fields"
    }
    for (const [expression, named] of Object.entries(refused)) {
      const { code, message } = refusal(cron(expression, "UTC"))
      assert.strictEqual(code, "invalid_rule")
      assert.include(message, named)
    }
  })

  it("has Sunday as 0 and as 7, and a week-end from 6 to 7", () => {
    const now = "2026-01-01T12:00:00Z"
    assertAfter(cron("0 9 * * 7", "UTC"), now, "2026-01-04T09:00:00Z", "2026-01-11T09:00:00Z")
    assertAfter(cron("0 9 * * 6-7", "UTC"), now, "2026-01-03T09:00:00Z", "2026-01-04T09:00:00Z")
    const restricted = record(cron("0 9 15 * 0-7", "UTC"), now)
    assert.isTrue(restricted.kind === "cron" && restricted.expression.eitherDay)
  })

  it("may come sooner than five minutes after itself where a gap brings two times together", () => {
    const rule = cron("0,58 1,3 * * *", "America/New_York")
    assertAfter(rule, "2026-03-08T06:30:00Z", "2026-03-08T06:58:00Z", "2026-03-08T07:00:00Z")
  })
})

describe("an interval", () => {
  it("is kept as it is given, even where no cron expression has it", () => {
    const seven = record({ every_seconds: 420 }, "2026-12-01T00:00:00Z")
    assert.strictEqual(seven.kind === "every" ? seven.everySeconds : 0, 420)
    const steps = ["00:07", "00:14", "00:21", "00:28", "00:35", "00:42", "00:49", "00:56", "01:03"]
    assertAfter({ every_seconds: 420 }, "2026-12-01T00:00:00Z", ...steps.map((time) => `2026-12-01T${time}:00Z`))
  })
})

describe("a single time", () => {
  it.each(["2026-12-01T09:00:00", "2026-12-01", "9am"])("is not guessed where its offset is missing: %s", (text) => {
    assert.strictEqual(code({ at: text }, "2026-01-01T00:00:00Z"), "invalid_rule")
  })

  it("has no hour 24", () => {
    assert.strictEqual(code({ at: "2026-01-01T24:00:00Z" }, "2025-01-01T00:00:00Z"), "invalid_rule")
  })

  it("may not say that its offset is unknown", () => {
    const now = "2026-01-01T00:00:00Z"
    assert.strictEqual(code({ at: "2026-12-01T09:00:00-00:00" }, now), "invalid_rule")
    for (const text of ["2026-12-01T09:00:00+00:00", "2026-12-01T09:00:00Z"]) {
      assert.strictEqual(target({ at: text }, now), "2026-12-01T09:00:00Z")
    }
  })

  it("has up to three digits of fraction, none of which is cut off", () => {
    const now = "2026-01-01T00:00:00Z"
    for (const fraction of [".", ".123456789"]) {
      assert.strictEqual(code({ at: `2026-12-01T09:00:07${fraction}Z` }, now), "invalid_rule")
    }
    for (const [fraction, millis] of [
      [".25", "250"],
      [".250", "250"],
      [".999", "999"]
    ] as const) {
      assert.strictEqual(target({ at: `2026-12-01T09:00:07${fraction}Z` }, now), `2026-12-01T09:00:07.${millis}Z`)
      const inZone = local("2026-12-01", `09:00:07${fraction}`, "Asia/Shanghai")
      assert.strictEqual(target(inZone, now), `2026-12-01T01:00:07.${millis}Z`)
    }
  })

  it.each(["+002027-01-15T12:00:00Z", "2026-12-01t09:00:00z"])("is written in one form only, not as %s", (text) => {
    assert.strictEqual(code({ at: text }, "2026-01-01T00:00:00Z"), "invalid_rule")
  })

  it("may be in year 9999 of UTC, whatever year its zone shows", () => {
    const late = (zone: string) => local("9999-12-31", "23:59:59", zone)
    assert.strictEqual(code(late("America/New_York")), "time_out_of_range")
    assert.strictEqual(target(late("Pacific/Auckland"), "2026-01-01T00:00:00Z"), "9999-12-31T10:59:59Z")
  })

  it("may not be further away than year 9999, or no whole number of seconds", () => {
    const now = "2026-11-30T00:00:00Z"
    for (const after_seconds of [Number.MAX_SAFE_INTEGER, 251_606_304_000]) {
      assert.strictEqual(code({ after_seconds }, now), "time_out_of_range")
    }
    for (const after_seconds of [0, -1, 1.5, "60", Number.NaN]) {
      assert.strictEqual(code({ after_seconds }, now), "invalid_rule")
    }
  })

  it("comes with exactly one selector and nothing unknown", () => {
    for (const args of [
      { after_seconds: 60, ...cron("0 9 * * *", "UTC") },
      {},
      { after_seconds: 60, recurring: true }
    ]) {
      assert.strictEqual(code(args), "invalid_selector")
    }
  })
})

/** A log of one reminder, made with arguments at an instant. */
const logOf = (args: object, now: string): ScheduleLog.ScheduleLog => {
  const change = ScheduleChange.encode({ version: 1, operation: "create", schedule: record(args, now) })
  return created("schedule" in change ? change.schedule : {})
}

const decide = (log: ScheduleLog.ScheduleLog, now: string): Due.Due => Due.decide(log, at(millis(now)))
const until = (due: Due.Due): string =>
  due.kind === "wait" && due.until !== null ? Instant.format(due.until) : due.kind

/** What a message of one recurring reminder tells: its occurrence, and when it comes again. */
const told = (due: Due.Due): ReadonlyArray<string> =>
  due.kind === "batch"
    ? due.reminders.flatMap(({ occurrenceAt, nextScheduledAt }) =>
        [occurrenceAt, nextScheduledAt].map((it) => (it === null ? "never" : Instant.format(it).replace(".000Z", "Z")))
      )
    : []
const afterwards = (log: ScheduleLog.ScheduleLog, due: Due.Due): ScheduleLog.ScheduleLog =>
  due.kind === "wait" ? log : replayed(log, due)

describe("a reminder that is due", () => {
  it("is not due a millisecond early, however far away it is", () => {
    const inAMonth = logOf({ after_seconds: 2_592_000 }, "2026-04-29T11:00:00Z")
    assert.strictEqual(until(decide(inAMonth, "2026-05-29T10:59:59.999Z")), "2026-05-29T11:00:00.000Z")
    assert.strictEqual(decide(inAMonth, "2026-05-29T11:00:00Z").kind, "one-shot")
    const inTenMonths = logOf(cron("0 9 1 3 *", "UTC"), "2026-04-29T11:00:00Z")
    assert.strictEqual(until(decide(inTenMonths, "2027-03-01T08:59:59.999Z")), "2027-03-01T09:00:00.000Z")
    assert.deepStrictEqual(told(decide(inTenMonths, "2027-03-01T09:00:00Z")), [
      "2027-03-01T09:00:00Z",
      "2028-03-01T09:00:00Z"
    ])
  })

  it("comes once after a long sleep, and goes on with its sequence", () => {
    const log = logOf({ every_seconds: 900 }, "2026-11-30T08:00:00Z")
    const due = decide(log, "2026-11-30T17:07:00Z")
    assert.deepStrictEqual(told(due), ["2026-11-30T17:00:00Z", "2026-11-30T17:15:00Z"])
    assert.strictEqual(until(decide(afterwards(log, due), "2026-11-30T17:07:00Z")), "2026-11-30T17:15:00.000Z")
  })

  it("does not come again when the clock is set back", () => {
    const log = logOf(cron("0 * * * *", "UTC"), "2026-11-30T08:10:00Z")
    const after = afterwards(log, decide(log, "2026-11-30T09:05:00Z"))
    for (const now of ["2026-11-30T08:05:00Z", "2026-11-30T09:00:00Z", "2026-11-30T09:59:59.999Z"]) {
      assert.strictEqual(until(decide(after, now)), "2026-11-30T10:00:00.000Z")
    }
  })

  it("is late by one busy turn, and not for ever", () => {
    const log = logOf(cron("7 * * * *", "UTC"), "2026-11-30T08:00:00Z")
    assert.deepStrictEqual(told(decide(log, "2026-11-30T08:35:00Z")), ["2026-11-30T08:07:00Z", "2026-11-30T09:07:00Z"])
  })

  it("is over for the day once it has come, after a restart too", () => {
    const log = logOf({ daily: { time: "22:00:00", time_zone: "UTC" } }, "2026-11-30T08:00:00Z")
    const after = afterwards(log, decide(log, "2026-11-30T22:00:00Z"))
    assert.strictEqual(until(decide(after, "2026-11-30T22:30:00Z")), "2026-12-01T22:00:00.000Z")
  })

  it("says for when it was, and how late it is", () => {
    const log = logOf({ daily: { time: "11:00:00", time_zone: "UTC" } }, "2026-11-30T08:00:00Z")
    const due = decide(log, "2026-11-30T22:10:00Z")
    if (due.kind !== "batch") return assert.fail(due.kind)
    const { text } = FollowUp.build(due)
    assert.include(text, 'occurrence_at: "2026-11-30T11:00:00.000Z"')
    assert.include(text, "late_seconds: 40200")
  })

  it("stays overdue at the target that was missed, instead of showing the next", () => {
    const missed = record({ at: "2026-11-30T09:00:00Z" }, "2026-11-30T08:00:00Z")
    const shown = view(missed, at("2026-11-30T09:05:00.000Z"))
    assert.deepStrictEqual([shown.state, Instant.format(shown.scheduledAt)], ["overdue", "2026-11-30T09:00:00.000Z"])
    assert.strictEqual(view(missed, at("2026-11-30T08:59:59.999Z")).state, "scheduled")
  })

  const twice = (["schedule-1", "schedule-2"] as const).map((id) => ({
    version: 1,
    operation: "create",
    schedule: { id, kind: "at", prompt: "p", scheduledAt: "2026-12-01T09:00:00.000Z" }
  }))
  const events = twice.map((data, seq) => ({ seq, at: Instant.clamp(0), type: ScheduleChange.EVENT_TYPE, data }))

  it("is one of two where a model asked for the same twice: nobody guesses", () => {
    assert.strictEqual(ScheduleLog.active(Result.getOrThrow(ScheduleLog.fold(events))).length, 2)
  })

  it("stays with the parent of a fork, whose ids the child passes over", () => {
    const child = Result.getOrThrow(ScheduleLog.fold(events, events.length))
    assert.deepStrictEqual(ScheduleLog.active(child), [])
    assert.strictEqual<string>(ScheduleLog.nextId(child), "schedule-3")
  })
})
