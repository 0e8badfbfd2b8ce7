import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { host, post, url } from "../host/HttpClient.ts"
import { json, run } from "./Cli.ts"

const tea = JSON.stringify({ prompt: "Tea", after_seconds: 60 })

describe("the commands that ask a host", () => {
  layer(host)("over its HTTP API", (it) => {
    it.effect("create, list and delete reminders", () =>
      Effect.gen(function* () {
        const at = ["--session", "a", "--url", yield* url, "--json"]
        yield* post("/sessions", { id: "a" })
        const created = json(yield* run(["create", tea, ...at]))
        assert.deepInclude(created, { id: "schedule-1", scheduledAt: "1970-01-01T00:01:00.000Z", state: "scheduled" })
        assert.deepStrictEqual(json(yield* run(["list", ...at])), [created])
        assert.deepStrictEqual(json(yield* run(["delete", "schedule-1", ...at])), { id: "schedule-1", deleted: true })
        const again = yield* run(["delete", "schedule-1", ...at])
        assert.strictEqual(again.code, 0)
        assert.deepStrictEqual(json(again), { id: "schedule-1", deleted: false, code: "schedule_not_found" })
      })
    )

    it.effect("read the arguments of a reminder from standard input", () =>
      Effect.gen(function* () {
        const at = ["--session", "b", "--url", `${yield* url}/`]
        yield* post("/sessions", { id: "b" })
        const { out } = yield* run(["create", "-", ...at], `${tea}\n`)
        assert.match(out[0] ?? "", /\nschedule-1 +after +1970-01-01T00:01:00\.000Z +scheduled +Tea$/u)
        assert.deepStrictEqual((yield* run(["list", ...at])).out, out)
        assert.deepStrictEqual((yield* run(["delete", "schedule-1", ...at])).out, ["Deleted schedule-1."])
        assert.deepStrictEqual((yield* run(["list", ...at])).out, ["No active reminders."])
      })
    )

    it.effect("list the Sessions of the host", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "c" })
        const ran = yield* run(["sessions", "--url", yield* url, "--json"])
        const found = json(ran).find(({ id }: { id: string }) => id === "c")
        assert.deepInclude(found, { state: "live", createdAt: "1970-01-01T00:00:00.000Z", nextTarget: null })
        const { out } = yield* run(["sessions", "--url", yield* url])
        assert.match(out[0] ?? "", /^ID +STATE +REMINDERS +NEXT +CREATED\n/u)
      })
    )

    it.effect("refuse in the host's words, with exit code 1", () =>
      Effect.gen(function* () {
        const at = ["--url", yield* url, "--json", "--session"]
        for (const id of ["d", "broken", "uncertain"]) yield* post("/sessions", { id })
        const refused = [
          [["create", "{}", ...at, "d"], "invalid_selector"],
          [["create", "nope", ...at, "d"], "invalid_request"],
          [["create", tea, ...at, "nobody"], "session_not_found"],
          [["delete", " ", ...at, "d"], "invalid_rule"],
          [["list", ...at, "broken"], "internal_error"]
        ] as const
        for (const [args, code] of refused) {
          const ran = yield* run(args)
          assert.deepStrictEqual([ran.code, json(ran).code, ran.err], [1, code, []])
        }
        const unsure = yield* run(["create", tea, ...at, "uncertain"])
        assert.deepInclude(json(unsure), { code: "persistence_uncertain", operation: "create", id: "schedule-9" })
      })
    )

    it.effect("say in one line that no host answers, or that it is another program", () =>
      Effect.gen(function* () {
        const gone = yield* run(["sessions", "--url", "http://127.0.0.1:1"])
        assert.deepStrictEqual([gone.code, gone.out], [1, []])
        assert.deepStrictEqual(gone.err, [
          'session-schedule: No host answers at http://127.0.0.1:1: start one with "session-schedule serve".'
        ])
        const other = yield* run(["sessions", "--url", `${yield* url}/openapi.json`, "--json"])
        assert.strictEqual(other.code, 1)
      })
    )
  })
})
