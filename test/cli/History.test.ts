import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { json, run } from "./Cli.ts"
import { change, create, events, every, folder, header, note } from "./LogText.ts"

const on = (time: string) => `2026-12-01T${time}.000Z`
const dispatch = (id: string, acceptedAt: string, more: object = {}) =>
  change({ operation: "dispatch", id, acceptedAt, ...more }, acceptedAt)

const log =
  header("demo") +
  events(
    note("begin"),
    every("schedule-1"),
    create("schedule-2", { kind: "at", scheduledAt: on("00:10:00") }),
    create("schedule-3", { kind: "daily", time: "09:00:00.000", timeZone: "Mars/Base", scheduledAt: on("08:00:00") }),
    dispatch("schedule-1", on("00:05:00")),
    change({ operation: "delete", id: "schedule-2" }, on("00:06:00")),
    dispatch("schedule-1", on("02:31:05")),
    dispatch("schedule-3", on("08:00:00"), { nextScheduledAt: null })
  )

/** A store with that log, and how it is named. */
const world = Effect.gen(function* () {
  const here = yield* folder
  const db = ["--db", here.at("store.db")]
  yield* run(["import", "-", ...db], log)
  return db
})

describe("history", () => {
  it.effect("shows each reminder from its creation to where it stands, in rows for people", () =>
    Effect.gen(function* () {
      const { code, out } = yield* run(["history", "demo", ...(yield* world)])
      assert.strictEqual(code, 0)
      assert.deepStrictEqual(out.join("\n").split("\n"), [
        "ID          KIND   WHAT     TARGET                    AT                        LATE       LEFT OUT",
        "schedule-1  every  created                            2026-12-01T00:00:00.000Z",
        "schedule-1  every  queued   2026-12-01T00:05:00.000Z  2026-12-01T00:05:00.000Z  0s         0",
        "schedule-1  every  queued   2026-12-01T00:10:00.000Z  2026-12-01T02:31:05.000Z  2h 21m 5s  28",
        "schedule-1  every  waits    2026-12-01T02:35:00.000Z",
        "schedule-2  at     created                            2026-12-01T00:00:00.000Z",
        "schedule-2  at     deleted                            2026-12-01T00:06:00.000Z",
        "schedule-3  daily  created                            2026-12-01T00:00:00.000Z",
        "schedule-3  daily  queued   2026-12-01T08:00:00.000Z  2026-12-01T08:00:00.000Z  0s         ?"
      ])
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("tells one reminder alone as JSON, though nobody here knows its zone", () =>
    Effect.gen(function* () {
      const ran = yield* run(["history", "demo", "schedule-3", ...(yield* world), "--json"])
      assert.deepStrictEqual(json(ran), [
        {
          id: "schedule-3",
          kind: "daily",
          prompt: "Tea",
          createdAt: on("00:00:00"),
          occurrences: [{ target: on("08:00:00"), acceptedAt: on("08:00:00"), lateSeconds: 0, coalesced: null }],
          state: "dispatched",
          target: null,
          endedAt: on("08:00:00")
        }
      ])
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("refuses a Session or a reminder that never was, and tells that a Session had none", () =>
    Effect.gen(function* () {
      const db = yield* world
      yield* run(["import", "-", ...db], header("empty"))
      assert.deepStrictEqual((yield* run(["history", "empty", ...db])).out, ["No reminders."])
      for (const [args, code] of [
        [["demo", "schedule-9"], "schedule_not_found"],
        [["nobody"], "session_not_found"]
      ] as const) {
        const ran = yield* run(["history", ...args, ...db, "--json"])
        assert.deepStrictEqual([ran.code, json(ran).code], [1, code])
      }
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
