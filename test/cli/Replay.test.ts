import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { json, run } from "./Cli.ts"

const at = "2026-12-01T00:00:00.000Z"
const create = (id: string, rest: object) => ({
  type: "schedule/change",
  data: { version: 1, operation: "create", schedule: { id, prompt: "Tea", ...rest } }
})
const every = (id: string, scheduledAt: string) => create(id, { kind: "every", everySeconds: 300, scheduledAt })
const once = (id: string, scheduledAt: string) => create(id, { kind: "at", scheduledAt })

const log = (...events: ReadonlyArray<object>): string =>
  events.map((event, seq) => `${JSON.stringify({ seq, at, ...event })}\n`).join("")

const header = (rest: object = {}) =>
  `${JSON.stringify({ header: { version: 1, id: "demo", createdAt: at, ...rest } })}\n`

const replay = (text: string, ...flags: ReadonlyArray<string>) =>
  Effect.map(run(["replay", "-", "--json", "--now", "2026-12-01T01:00:00Z", ...flags], text), (ran) => ({
    code: ran.code,
    json: json(ran)
  }))

describe("replay", () => {
  it.effect("shows active reminders, every id, and that nothing is due yet", () =>
    Effect.gen(function* () {
      const deleted = { type: "schedule/change", data: { version: 1, operation: "delete", id: "schedule-1" } }
      const text = log(once("schedule-1", "2026-12-05T00:00:00.000Z"), { type: "note", data: 1 }, deleted)
      const { code, json } = yield* replay(`${text}\n`)
      assert.strictEqual(code, 0)
      assert.deepStrictEqual(json, { active: [], seenIds: ["schedule-1"], due: { kind: "wait", until: null } })
      const until = "2026-12-01T01:00:00.001Z"
      const waiting = (yield* replay(log(every("schedule-1", until)))).json
      assert.deepInclude(waiting.active[0], { id: "schedule-1", state: "scheduled", deliveryMode: "session-local" })
      assert.deepStrictEqual(waiting.due, { kind: "wait", until })
    })
  )

  it.effect("shows a one-shot that is due alone, before any that recur", () =>
    Effect.gen(function* () {
      const { due } = (yield* replay(log(every("schedule-1", at), once("schedule-2", at)))).json
      assert.deepStrictEqual(due, { kind: "one-shot", id: "schedule-2", occurrenceAt: at })
    })
  )

  it.effect("shows those that recur and are due together", () =>
    Effect.gen(function* () {
      const { due } = (yield* replay(log(every("schedule-1", at), every("schedule-2", "2026-12-01T00:58:00.000Z"))))
        .json
      assert.deepStrictEqual(due, {
        kind: "batch",
        acceptedAt: "2026-12-01T01:00:00.000Z",
        reminders: [
          {
            id: "schedule-1",
            occurrenceAt: "2026-12-01T01:00:00.000Z",
            nextScheduledAt: "2026-12-01T01:05:00.000Z"
          },
          {
            id: "schedule-2",
            occurrenceAt: "2026-12-01T00:58:00.000Z",
            nextScheduledAt: "2026-12-01T01:03:00.000Z"
          }
        ]
      })
    })
  )

  it.effect("passes over a parent's events, as many as the header or the flag says", () =>
    Effect.gen(function* () {
      const events = log(once("schedule-1", at), once("schedule-2", at))
      const ids = (text: string, ...flags: ReadonlyArray<string>) =>
        Effect.map(replay(text, ...flags), ({ json }) => json.seenIds)
      assert.deepStrictEqual(yield* ids(header() + events), ["schedule-1", "schedule-2"])
      assert.deepStrictEqual(yield* ids(header({ seedLength: 1 }) + events), ["schedule-2"])
      assert.deepStrictEqual(yield* ids(header({ seedLength: 1 }) + events, "--seed-length", "0"), [
        "schedule-1",
        "schedule-2"
      ])
    })
  )

  it.effect("refuses a corrupt log, and names the event", () =>
    Effect.gen(function* () {
      const corrupt = (text: string, seq: number | null, ...flags: ReadonlyArray<string>) =>
        Effect.map(replay(text, ...flags), ({ code, json }) => {
          assert.deepStrictEqual(Object.keys(json), ["code", "message", "seq"])
          assert.deepStrictEqual([code, json.code, json.seq], [1, "corrupt_schedule_log", seq])
          return String(json.message)
        })
      yield* corrupt(log({ type: "note", data: 1 }, every("schedule-1", "2026-12-01")), 1)
      yield* corrupt(log(once("schedule-1", at), once("schedule-1", at)), 1)
      yield* corrupt(log(), null, "--seed-length", "1")
      assert.include(yield* corrupt(`${log(once("schedule-1", at))}\n{"seq":1,"at`, 1), "line 3 is no JSON")
      assert.include(yield* corrupt(log({ type: "" }), 0), "line 1 is no event")
      assert.include(yield* corrupt(log({ seq: 1, type: "note", data: 1 }), 0), "line 1 has seq 1, where 0 comes next")
      const extra = `${log(once("schedule-1", at))}${log({ type: "note", data: 1 }).replace('"seq":0', '"seq":1,"by":"me"')}`
      assert.include(yield* corrupt(extra, 1), "line 2 is no event: it has exactly seq, at, type and data")
      for (const bad of [{ version: 2 }, { title: "tea" }, { seedLength: -1 }]) {
        const said = yield* corrupt(header(bad), null)
        assert.include(said, "line 1 is no header of a Session, which has exactly")
        assert.notInclude(said, "seedLength is corrupt")
      }
      assert.include(yield* corrupt(header() + header(), 0), "line 2 is no event")
    })
  )

  it.effect("reads a file, and says so when it can't", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const file = `${yield* files.makeTempDirectoryScoped()}/log.jsonl`
      const missing = yield* run(["replay", file, "--json"])
      assert.deepStrictEqual([missing.code, json(missing).code], [1, "unreadable_file"])
      yield* files.writeFileString(file, log(once("schedule-1", at)))
      const ran = yield* run(["replay", file, "--now", at])
      assert.strictEqual(ran.code, 0)
      assert.match(ran.out[0] ?? "", /^ID .*PROMPT\nschedule-1 +at +2026-12-01T00:00:00\.000Z +overdue +Tea\n/u)
      assert.match(ran.out[0] ?? "", /Due now: schedule-1\.$/u)
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("shows no control character of a prompt to a terminal", () =>
    Effect.gen(function* () {
      const prompt = "a\u001b[31mb\u202ec\u009bd\ne"
      const schedule = { id: "schedule-1", kind: "at", prompt, scheduledAt: at }
      const data = { version: 1, operation: "create", schedule }
      const { out } = yield* run(["replay", "-"], log({ type: "schedule/change", data }))
      assert.include(out[0], "a [31mb c d e")
      for (const character of "\u001b\u009b\u202e") assert.notInclude(out[0], character)
    })
  )
})
