import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as Instant from "../../src/domain/Instant.ts"
import * as Preview from "../../src/domain/Preview.ts"
import type { ScheduleRecord } from "../../src/domain/ScheduleRecord.ts"
import { TimeZone } from "../../src/domain/TimeZone.ts"
import { answer, at, plan } from "./Answers.ts"

const record = (args: object, now: string): ScheduleRecord => Result.getOrThrow(plan({ prompt: "p", ...args }, now))
const shown = (record: ScheduleRecord, now: string, count: number) =>
  Preview.occurrences(record, at(now), count).map(({ instant, local }) => [Instant.format(instant), local] as const)
const now = "2026-03-07T00:00:00.000Z"

describe("Preview", () => {
  it("shows the next occurrences of a rule with a zone as its clocks show them", () => {
    const daily = record({ daily: { time: "02:30:00", time_zone: "America/New_York" } }, now)
    assert.deepStrictEqual(shown(daily, now, 3), [
      ["2026-03-07T07:30:00.000Z", "2026-03-07T02:30:00-05:00"],
      ["2026-03-09T06:30:00.000Z", "2026-03-09T02:30:00-04:00"],
      ["2026-03-10T06:30:00.000Z", "2026-03-10T02:30:00-04:00"]
    ])
    const early = record(
      { cron: { expression: "0 9 * * 1", time_zone: "Africa/Monrovia" } },
      "1900-01-01T00:00:00.000Z"
    )
    assert.deepStrictEqual(shown(early, "1900-01-01T00:00:00.000Z", 1), [
      ["1900-01-01T09:43:08.000Z", "1900-01-01T09:00:00-00:43:08"]
    ])
  })

  it("shows instants alone of what has no zone", () => {
    const every = record({ every_seconds: 300 }, now)
    assert.deepStrictEqual(shown(every, now, 2), [
      ["2026-03-07T00:05:00.000Z", null],
      ["2026-03-07T00:10:00.000Z", null]
    ])
    for (const once of [record({ after_seconds: 60 }, now), record({ at: "2026-03-07T00:01:00Z" }, now)]) {
      assert.deepStrictEqual(shown(once, now, 5), [["2026-03-07T00:01:00.000Z", null]])
    }
  })

  it("finds what stepping from target to target finds", () => {
    for (const args of [
      { every_seconds: 420 },
      { daily: { time: "02:30:00", time_zone: "America/New_York" } },
      { weekly: { time: "01:30:00", time_zone: "America/New_York", weekdays: [6, 7] } },
      { cron: { expression: "*/30 * * * *", time_zone: "Australia/Lord_Howe" } }
    ]) {
      const found = shown(record(args, now), now, 60).map(([instant]) => instant)
      assert.deepStrictEqual(found, answer({ prompt: "p", ...args }, now, 60).occurrences)
    }
  })

  it("shows what comes after now of a reminder that is overdue", () => {
    const later = "2026-03-08T12:00:00.000Z"
    const instants = (args: object) => shown(record(args, now), later, 2).map(([instant]) => instant)
    assert.deepStrictEqual(instants({ every_seconds: 5_000 }), ["2026-03-08T12:06:40.000Z", "2026-03-08T13:30:00.000Z"])
    assert.deepStrictEqual(instants({ daily: { time: "09:00:00", time_zone: "UTC" } }), [
      "2026-03-09T09:00:00.000Z",
      "2026-03-10T09:00:00.000Z"
    ])
    assert.deepStrictEqual(instants({ after_seconds: 60 }), [])
    assert.deepStrictEqual(instants({ at: later }), [])
  })

  it("shows as many as there are, and as were asked for", () => {
    const last = "9999-12-31T23:00:00.000Z"
    const cron = record({ cron: { expression: "*/20 * * * *", time_zone: "UTC" } }, last)
    assert.deepStrictEqual(
      shown(cron, last, 5).map(([instant]) => instant),
      ["9999-12-31T23:20:00.000Z", "9999-12-31T23:40:00.000Z"]
    )
    assert.deepStrictEqual(shown(cron, last, 0), [])
  })

  it("shows the target alone in a zone that this runtime does not know", () => {
    const known = record({ daily: { time: "09:00:00", time_zone: "UTC" } }, now)
    const unknown = { ...known, timeZone: TimeZone.make("Mars/Olympus_Mons") } as ScheduleRecord
    assert.deepStrictEqual(shown(unknown, now, 3), [["2026-03-07T09:00:00.000Z", null]])
  })

  it("brings the record, its occurrences and its notes together, as JSON too", () => {
    const daily = record({ daily: { time: "02:30:00", time_zone: "America/New_York" } }, now)
    const preview = Preview.of(daily, at(now), 1)
    assert.deepStrictEqual<unknown>(Schema.encodeSync(Preview.Preview)(preview), {
      record: {
        id: "schedule-1",
        kind: "daily",
        prompt: "p",
        time: "02:30:00.000",
        timeZone: "America/New_York",
        scheduledAt: "2026-03-07T07:30:00.000Z"
      },
      occurrences: [{ instant: "2026-03-07T07:30:00.000Z", local: "2026-03-07T02:30:00-05:00" }],
      notes: [
        "2026-03-08: the clocks of America/New_York go from 02:00 to 03:00, so there is no occurrence at 02:30.",
        "2027-03-14: the clocks of America/New_York go from 02:00 to 03:00, so there is no occurrence at 02:30."
      ]
    })
  })
})
