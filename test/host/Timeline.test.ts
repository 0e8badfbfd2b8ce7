import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Instant from "../../src/domain/Instant.ts"
import { advance, setClock } from "../../src/testing/VirtualTime.ts"
import * as Hosts from "./Hosts.ts"
import { get, host, isRefused, post, send } from "./HttpClient.ts"

const daily = { prompt: "stand-up", daily: { time: "09:00:00", time_zone: "Asia/Shanghai" } }

/** A host whose Session `s` is cold and has a one-shot and a daily reminder. */
const withColdSession = Effect.gen(function* () {
  yield* setClock("2026-12-01T00:00:00.000Z")
  const file = yield* Hosts.temporaryFile
  const before = yield* Hosts.open(file)
  yield* before.sessions.create("s")
  const reminders = yield* before.sessions.reminders("s")
  yield* reminders.create({ prompt: "tea", after_seconds: 60 })
  yield* reminders.create(daily)
  yield* before.close
  return { file, sessions: (yield* Hosts.open(file)).sessions }
})

describe("A timeline", () => {
  it.effect("shows a cold Session's reminders with what is to come of each, and wakes nobody", () =>
    Effect.gen(function* () {
      const { sessions } = yield* withColdSession
      const timeline = yield* sessions.timeline("s", 2)
      assert.deepInclude(timeline, { state: "cold", length: 2, corrupt: null })
      assert.strictEqual(Instant.format(timeline.now), "2026-12-01T00:00:00.000Z")
      assert.deepStrictEqual(
        timeline.reminders.map(({ reminder, occurrences }) => [
          reminder.prompt as string,
          reminder.state,
          occurrences.map(({ instant, local }) => [Instant.format(instant), local])
        ]),
        [
          ["tea", "scheduled", [["2026-12-01T00:01:00.000Z", null]]],
          [
            "stand-up",
            "scheduled",
            [
              ["2026-12-01T01:00:00.000Z", "2026-12-01T09:00:00+08:00"],
              ["2026-12-02T01:00:00.000Z", "2026-12-02T09:00:00+08:00"]
            ]
          ]
        ]
      )
      assert.strictEqual((yield* sessions.list)[0]?.state, "cold")
    })
  )

  it.effect("says what is overdue, and what comes after it", () =>
    Effect.gen(function* () {
      const { sessions } = yield* withColdSession
      yield* advance("2 days")
      const { reminders } = yield* sessions.timeline("s", 1)
      assert.deepStrictEqual(
        reminders.map(({ reminder, occurrences }) => [
          reminder.state,
          Instant.format(reminder.scheduledAt),
          occurrences.map(({ instant }) => Instant.format(instant))
        ]),
        [
          ["overdue", "2026-12-01T00:01:00.000Z", []],
          ["overdue", "2026-12-01T01:00:00.000Z", ["2026-12-03T01:00:00.000Z"]]
        ]
      )
    })
  )

  it.effect("says of a live Session that it is live, and leaves out what was inherited", () =>
    Effect.gen(function* () {
      const { sessions } = yield* withColdSession
      yield* sessions.open("s")
      assert.strictEqual((yield* sessions.timeline("s", 1)).state, "live")
      yield* sessions.fork("s", { id: "child" })
      assert.deepInclude(yield* sessions.timeline("child", 1), { state: "cold", length: 2, reminders: [] })
    })
  )

  it.effect("tells fewer occurrences of each where there are many reminders", () =>
    Effect.gen(function* () {
      const { sessions } = yield* withColdSession
      const reminders = yield* sessions.reminders("s")
      yield* Effect.forEach(
        Array.from({ length: 998 }, (_, n) => n),
        (n) => reminders.create({ prompt: `p${n}`, every_seconds: 300 }),
        { discard: true }
      )
      const { reminders: entries } = yield* sessions.timeline("s", 288)
      assert.strictEqual(entries.length, 1_000)
      assert.strictEqual(Math.max(...entries.map(({ occurrences }) => occurrences.length)), 10)
    })
  )

  it.effect("says why the reminders can't be read", () =>
    Effect.gen(function* () {
      const { file, sessions } = yield* withColdSession
      yield* Hosts.damage(file, "s")
      const { corrupt, length, reminders } = yield* sessions.timeline("s", 1)
      assert.match(corrupt ?? "", /event 0 is corrupt/u)
      assert.deepStrictEqual([length, reminders], [2, []])
    })
  )

  layer(host)((it) => {
    it.effect("is part of the HTTP API, with five occurrences of each reminder if nobody says how many", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "a" })
        yield* post("/sessions/a/reminders", daily)
        const { status, json } = yield* get("/sessions/a/timeline")
        assert.strictEqual(status, 200)
        assert.deepInclude(json, { now: "1970-01-01T00:00:00.000Z", state: "live", length: 1, corrupt: null })
        const [{ reminder, occurrences, notes }] = json.reminders
        assert.deepInclude(reminder, { id: "schedule-1", kind: "daily", state: "scheduled" })
        assert.deepStrictEqual(occurrences[0], {
          instant: "1970-01-01T01:00:00.000Z",
          local: "1970-01-01T09:00:00+08:00"
        })
        assert.deepStrictEqual([occurrences.length, notes], [5, []])
        assert.strictEqual((yield* get("/sessions/a/timeline?count=288")).json.reminders[0].occurrences.length, 288)
        yield* send("DELETE", "/sessions/a/reminders/schedule-1")
        assert.deepStrictEqual((yield* get("/sessions/a/timeline")).json.reminders, [])
      })
    )

    it.effect("is refused for an unknown Session, and for a count that is none", () =>
      Effect.gen(function* () {
        isRefused(yield* get("/sessions/nobody/timeline"), 404, "session_not_found")
        for (const count of ["0", "289", "x", ""]) {
          isRefused(yield* get(`/sessions/a/timeline?count=${count}`), 400, "invalid_request")
        }
      })
    )
  })
})
