import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as ScheduleChange from "../../src/domain/ScheduleChange.ts"
import type { ScheduleRecord } from "../../src/domain/ScheduleRecord.ts"
import { vectors } from "../vectors.ts"
import { answer, argumentsOf, plan, type RequestCase, requestCases, requestFiles } from "./Answers.ts"

/** What creation makes must be what the log accepts, after its way through JSON. */
const assertStorable = (schedule: ScheduleRecord) => {
  const stored = ScheduleChange.encode({ version: 1, operation: "create", schedule })
  const read = Result.getOrThrow(ScheduleChange.decode(JSON.parse(JSON.stringify(stored))))
  assert.deepStrictEqual(ScheduleChange.encode(read), stored)
}

const check = ({ name, rule, now, count, expect }: RequestCase) => {
  const input = argumentsOf(rule ?? {})
  const actual = answer(input, now, count)
  const expected = expect.error !== undefined ? { error: expect.error } : expect
  const picked = Object.fromEntries(Object.keys(expected).map((key) => [key, actual[key as keyof typeof actual]]))
  assert.deepStrictEqual(picked, expected, name)
  const record = plan(input, now)
  if (Result.isSuccess(record)) assertStorable(record.success)
}

describe("ScheduleRequest", () => {
  for (const file of requestFiles) {
    it(`answers every vector of ${file} as the oracle does`, () => {
      const cases = requestCases(file)
      assert.isAbove(cases.length, 40)
      cases.forEach(check)
    })
  }

  it("accepts and refuses zones as the oracle does, in any rule", () => {
    for (const { name, time_zone, expect } of requestCases("time-zone")) {
      for (const rule of [
        { at: { date: "2027-06-01", time: "12:00:00", time_zone } },
        { daily: { time: "12:00:00", time_zone } },
        { weekly: { time: "12:00:00", time_zone, weekdays: [1] } },
        { cron: { expression: "0 12 * * *", time_zone } }
      ]) {
        const { error } = answer({ prompt: "p", ...rule }, "2026-12-01T00:00:00.000Z")
        assert.strictEqual(error, expect.error, `${name} ${JSON.stringify(rule)}`)
      }
    }
  })

  it("names the frequency of a cron expression as the oracle does", () => {
    for (const { name, expression, expect } of vectors<RequestCase>("cron-frequency")) {
      const cron = { expression, time_zone: "UTC" }
      assert.strictEqual(answer({ prompt: "p", cron }, "2026-12-01T00:00:00.000Z").error, expect.error, name)
    }
  })

  const refusal = (input: unknown, now = "2026-12-01T00:00:00.000Z") =>
    Result.match(plan(input, now), {
      onFailure: ({ code, message }) => `${code} | ${message}`,
      onSuccess: () => "accepted"
    })

  it("wants a prompt and exactly one selector, and nothing else", () => {
    const only =
      "invalid_selector | Write prompt and exactly one of after_seconds, at, every_seconds, daily, weekly, cron; nothing else may be given"
    for (const input of [
      undefined,
      null,
      7,
      "in ten minutes",
      [],
      {},
      { prompt: "p" },
      { prompt: "p", after_seconds: 60, every_seconds: 300 },
      { prompt: "p", after_seconds: 60, recurring: true },
      { prompt: "p", constructor: 1 },
      JSON.parse('{"prompt":"p","after_seconds":60,"__proto__":{}}') as unknown
    ]) {
      assert.strictEqual(refusal(input), only, JSON.stringify(input))
    }
  })

  it("checks in one order: selector, prompt, rule, zone, gap, frequency, range, clock", () => {
    const codes = (
      [
        [{ prompt: "", at: "x", cron: "y" }, "invalid_selector"],
        [{ prompt: "", at: "x" }, "invalid_prompt"],
        [{ prompt: "p", daily: { time: "9", time_zone: "Nowhere/X" } }, "invalid_rule"],
        [{ prompt: "p", daily: { time: "09:00:00", time_zone: "Nowhere/X" } }, "invalid_time_zone"],
        [{ prompt: "p", cron: { expression: "* * 30 2 *", time_zone: "UTC" } }, "invalid_rule"],
        [{ prompt: "p", cron: { expression: "* * * * *", time_zone: "UTC" } }, "frequency_too_high"],
        [{ prompt: "p", at: "9999-12-31T23:59:59-01:00" }, "time_out_of_range"],
        [{ prompt: "p", at: "2026-12-01T00:00:00Z" }, "not_future"]
      ] as const
    ).map(([input, code]) => [refusal(input).split(" | ")[0], code] as const)
    for (const [actual, code] of codes) assert.strictEqual(actual, code)
  })

  it("names the field that is wrong, and what to write instead", () => {
    assert.strictEqual(
      refusal({ prompt: "p", after_seconds: "60" }),
      "invalid_rule | after_seconds: write a whole number of seconds, at least 1"
    )
    assert.strictEqual(
      refusal({ prompt: "p", at: "2026-12-01T09:00:00" }),
      'invalid_rule | at: write an RFC 3339 time with an offset, such as "2026-12-01T09:00:00+08:00", or exactly { date, time, time_zone }'
    )
    assert.strictEqual(
      refusal({ prompt: "p", at: { date: "2026-02-29", time: "09:00:00", time_zone: "UTC" } }),
      'invalid_rule | at.date: write a calendar date of the years 0001 to 9999, such as "2026-12-01"'
    )
    assert.strictEqual(
      refusal({ prompt: "p", weekly: { time: "09:00:00", time_zone: "UTC", weekdays: [0] } }),
      "invalid_rule | weekly.weekdays: write ISO weekdays, 1 for Monday to 7 for Sunday, at least one and each once, such as [1, 5]"
    )
    assert.strictEqual(
      refusal({ prompt: "p", daily: { time: "09:00:00" } }),
      'invalid_rule | daily.time_zone: write "UTC" or an IANA name, such as "Asia/Shanghai"; it is never assumed'
    )
    assert.strictEqual(
      refusal({ prompt: "p", daily: { time: "09:00:00", time_zone: "UTC", at: 1 } }),
      "invalid_rule | daily: write exactly { time, time_zone }"
    )
    assert.strictEqual(
      refusal({ prompt: "p", daily: { time: "09:00:00", time_zone: "EST" } }),
      'invalid_time_zone | daily.time_zone: "EST" is not known; write "UTC" or an IANA name, such as "Asia/Shanghai"'
    )
    assert.strictEqual(
      refusal({ prompt: "p", every_seconds: 299 }),
      "frequency_too_high | every_seconds: at least 300, which is five minutes"
    )
  })

  it("says between which times the clocks leap over a local time", () => {
    assert.strictEqual(
      refusal({ prompt: "p", at: { date: "2027-03-14", time: "02:30:00", time_zone: "America/New_York" } }),
      "invalid_rule | at: 2027-03-14 02:30:00 does not exist in America/New_York, whose clocks go from 2027-03-14 01:59:59 to 2027-03-14 03:00:00; write one of these two times"
    )
  })

  it("says what time it is when a time is not in the future", () => {
    assert.strictEqual(
      refusal({ prompt: "p", at: "2026-12-01T07:59:59+08:00" }),
      "not_future | at: 2026-11-30T23:59:59.000Z is not in the future; it is 2026-12-01T00:00:00.000Z now. Write a later time"
    )
  })
})
