import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { json, jsonLines, run } from "./Cli.ts"

const daily = JSON.stringify({ prompt: " Stand up ", daily: { time: "09:00:00", time_zone: "Europe/Paris" } })
const now = "2026-12-01T00:00:00Z"

describe("preview", () => {
  it.effect("shows the record that arguments would make, and its next occurrences", () =>
    Effect.gen(function* () {
      const ran = yield* run(["preview", daily, "--now", now, "--count", "2", "--json"])
      assert.deepStrictEqual(json(ran), {
        record: {
          id: "schedule-1",
          kind: "daily",
          prompt: "Stand up",
          time: "09:00:00.000",
          timeZone: "Europe/Paris",
          scheduledAt: "2026-12-01T08:00:00.000Z"
        },
        occurrences: ["2026-12-01T08:00:00.000Z", "2026-12-02T08:00:00.000Z"],
        notes: []
      })
      assert.strictEqual(ran.code, 0)
    })
  )

  it.effect("shows five occurrences from the clock's time on, unless told otherwise", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000)
      const { occurrences } = json(yield* run(["preview", '{"prompt":"Tea","every_seconds":300}', "--json"]))
      assert.strictEqual(occurrences.length, 5)
      assert.strictEqual(occurrences[0], "1970-01-01T00:05:01.000Z")
    })
  )

  it.effect("shows one occurrence of what comes once, and no more than the years hold", () =>
    Effect.gen(function* () {
      const once = json(yield* run(["preview", '{"prompt":"Tea","after_seconds":60}', "--json", "--now", now]))
      assert.deepStrictEqual(once.occurrences, ["2026-12-01T00:01:00.000Z"])
      const last = ["preview", '{"prompt":"Tea","every_seconds":300}', "--json", "--now", "9999-12-31T23:50:00Z"]
      assert.strictEqual(json(yield* run(last)).occurrences.length, 1)
    })
  )

  it.effect("notes what people may not expect of a rule", () =>
    Effect.gen(function* () {
      const rule = { prompt: "Tea", daily: { time: "02:30:00", time_zone: "America/New_York" } }
      const args = ["preview", JSON.stringify(rule), "--now", "2026-03-01T00:00:00Z"]
      const { notes } = json(yield* run([...args, "--json"]))
      assert.isTrue(notes.some((note: string) => note.includes("2026-03-08")))
      assert.include((yield* run(args)).out[0], notes[0])
    })
  )

  it.effect("tells people the same in words", () =>
    Effect.gen(function* () {
      const ran = yield* run(["preview", daily, "--now", now, "--count", "1"])
      assert.deepStrictEqual([ran.code, ran.err], [0, []])
      assert.match(
        ran.out[0] ?? "",
        /^schedule-1 \(daily\) [^\n]+ in Europe\/Paris:\n  2026-12-01T08:00:00\.000Z  2026-12-01.09:00/u
      )
    })
  )

  it.effect("refuses what the tool would refuse, in the same words, with exit code 1", () =>
    Effect.gen(function* () {
      const told = yield* run(["preview", '{"prompt":"Tea"}'])
      assert.deepStrictEqual([told.code, told.out, told.err.length], [1, [], 1])
      const ran = yield* run(["preview", '{"prompt":"Tea"}', "--json"])
      assert.deepStrictEqual([ran.code, ran.err], [1, []])
      assert.deepStrictEqual(Object.keys(json(ran)), ["code", "message"])
      assert.strictEqual(json(ran).code, "invalid_selector")
      assert.deepInclude(json(yield* run(["preview", "nope", "--json"])), { code: "invalid_request" })
    })
  )

  it.effect("answers each line of standard input with one line, refusals too, and passes over blank ones", () =>
    Effect.gen(function* () {
      const lines = [
        JSON.stringify({ request: { prompt: "Téa", after_seconds: 60 }, now }),
        "",
        "  ",
        "{nope",
        JSON.stringify({ request: { prompt: "Tea", every_seconds: 1 } }),
        JSON.stringify({ request: { prompt: "Tea", every_seconds: 300 }, now, count: 3 })
      ]
      const ran = yield* run(["preview", "-"], lines.join("\r\n"))
      const [once, unread, refused, often, ...rest] = jsonLines(ran)
      assert.deepStrictEqual([ran.code, ran.err, rest], [0, [], []])
      assert.strictEqual(once.record.prompt, "Téa")
      assert.strictEqual(unread.code, "invalid_request")
      assert.include(unread.message, "Line 4")
      assert.strictEqual(refused.code, "frequency_too_high")
      assert.strictEqual(often.occurrences.length, 3)
    })
  )

  it.effect("takes the time and the count of a line that gives none from the flags", () =>
    Effect.gen(function* () {
      const line = JSON.stringify({ request: { prompt: "Tea", every_seconds: 300 } })
      const [shown] = jsonLines(yield* run(["preview", "--now", now, "--count", "1", "-"], line))
      assert.deepStrictEqual(shown.occurrences, ["2026-12-01T00:05:00.000Z"])
    })
  )

  it.effect("refuses a line of another shape, and names it and what is wrong with it", () =>
    Effect.gen(function* () {
      const wrong: ReadonlyArray<readonly [unknown, string]> = [
        [[], "Line 1"],
        [{}, "request"],
        [{ request: {}, now: "noon" }, "now"],
        [{ request: {}, count: 0 }, "count"],
        [{ request: {}, Count: 1 }, "Count"],
        [{ record: { kind: "at" }, now }, "record"]
      ]
      const ran = yield* run(["preview", "-"], wrong.map(([line]) => JSON.stringify(line)).join("\n"))
      for (const [index, { code, message }] of jsonLines(ran).entries()) {
        assert.strictEqual(code, "invalid_request")
        assert.include(message, `Line ${index + 1}: `.slice(0, -2))
        assert.include(message, wrong[index]?.[1])
      }
    })
  )

  it.effect("tells what would be decided about a stored record", () =>
    Effect.gen(function* () {
      const scheduledAt = "2026-12-01T00:00:00.000Z"
      const identity = { id: "schedule-7", prompt: "Tea", scheduledAt }
      const decided = (record: object, now: string) =>
        Effect.map(run(["preview", "-"], JSON.stringify({ record, now })), (ran) => jsonLines(ran)[0])
      const every = { ...identity, kind: "every", everySeconds: 300 }
      assert.deepStrictEqual(yield* decided(every, "2026-12-01T00:11:00Z"), {
        state: "overdue",
        occurrenceAt: "2026-12-01T00:10:00.000Z",
        nextScheduledAt: "2026-12-01T00:15:00.000Z"
      })
      const waiting = { state: "scheduled", occurrenceAt: null, nextScheduledAt: null }
      assert.deepStrictEqual(yield* decided(every, "2026-11-30T23:59:59.999Z"), waiting)
      const once = { state: "overdue", occurrenceAt: scheduledAt, nextScheduledAt: null }
      assert.deepStrictEqual(yield* decided({ ...identity, kind: "at" }, scheduledAt), once)
      const unknown = { ...identity, kind: "daily", time: "09:00:00.000", timeZone: "Mars/Base" }
      assert.deepStrictEqual(yield* decided(unknown, scheduledAt), { ...waiting, state: "overdue" })
    })
  )

  it.effect("says how to write a line that has neither a request nor a record", () =>
    Effect.gen(function* () {
      const [told] = jsonLines(yield* run(["preview", "-"], JSON.stringify({ prompt: "tea", after_seconds: 5 })))
      assert.strictEqual(told.code, "invalid_request")
      assert.match(told.message, /^Line 1 has no request: write \{ "request": … \} there/u)
    })
  )

  it.effect("writes out what would move a terminal's cursor in the name of a field", () =>
    Effect.gen(function* () {
      const [told] = jsonLines(yield* run(["preview", "-"], JSON.stringify({ request: {}, "\u001b[2J": 1 })))
      assert.deepInclude(told, { code: "invalid_request", message: "Line 1: \\u001b[2J: Expected no excess property" })
    })
  )
})
