import { assert, describe, layer } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { ConfigProvider, Effect, FileSystem, Option } from "effect"
import * as BearerToken from "../../src/layers/BearerToken.ts"
import { host, hostWith, post, url } from "../host/HttpClient.ts"
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

    it.effect("create a Session, under a name or a new one", () =>
      Effect.gen(function* () {
        const at = ["--url", yield* url]
        assert.deepStrictEqual((yield* run(["sessions", "create", "made", ...at])).out, ["Created made."])
        const made = json(yield* run(["sessions", ...at, "create", "--json"]))
        assert.match(made.id, /^session-/u)
        assert.deepInclude(made, { version: 1, createdAt: "1970-01-01T00:00:00.000Z" })
        const again = yield* run(["sessions", "create", "made", ...at, "--json"])
        assert.deepStrictEqual([again.code, json(again).code], [1, "session_exists"])
        assert.strictEqual((yield* run(["sessions", "creat", ...at])).code, 2)
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

  const token = Option.getOrThrow(BearerToken.fromText("s3cret"))
  const environment = (SESSION_SCHEDULE_TOKEN: string) =>
    ConfigProvider.layer(ConfigProvider.fromUnknown({ SESSION_SCHEDULE_TOKEN }))

  layer(hostWith({ token }))("of a host with a token", (it) => {
    const file = (text: string) =>
      Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        const path = yield* files.makeTempFileScoped()
        yield* files.writeFileString(path, text)
        return path
      }).pipe(Effect.provide(NodeServices.layer))

    it.effect("show the token of a file, or else of the environment", () =>
      Effect.gen(function* () {
        const at = ["--url", yield* url, "--json"]
        const withFile = [...at, "--token-file", yield* file("s3cret\n")]
        const known = environment("s3cret")
        assert.strictEqual((yield* run(["sessions", "create", "a", ...withFile])).code, 0)
        assert.strictEqual((yield* run(["create", tea, "--session", "a", ...at]).pipe(Effect.provide(known))).code, 0)
        const list = run(["list", "--session", "a", ...withFile]).pipe(Effect.provide(environment("wrong")))
        assert.strictEqual(json(yield* list).length, 1)
      })
    )

    it.effect("say how to show it when they are refused, and never what they showed", () =>
      Effect.gen(function* () {
        const at = ["--url", yield* url]
        for (const [shown, why] of [
          ["", /asks for its token: .*--token-file.*SESSION_SCHEDULE_TOKEN/u],
          ["wrong", /has another token than the one in --token-file or SESSION_SCHEDULE_TOKEN/u]
        ] as const) {
          const ran = yield* run(["sessions", ...at]).pipe(Effect.provide(environment(shown)))
          assert.deepStrictEqual([ran.code, ran.out], [1, []])
          assert.match(ran.err[0] ?? "", why)
          assert.notInclude(ran.err.join(), "wrong")
        }
        const asJson = yield* run(["sessions", ...at, "--json"]).pipe(Effect.provide(environment("wrong")))
        assert.strictEqual(json(asJson).code, "unauthorized")
      })
    )

    it.effect("refuse a token that no header can carry, without showing it", () =>
      Effect.gen(function* () {
        const at = ["--url", yield* url, "--json"]
        for (const text of ["", " \n", "s3cret with spaces", "s3cret\nX-Injected: 1"]) {
          const ran = yield* run(["sessions", ...at, "--token-file", yield* file(text)])
          assert.deepStrictEqual([ran.code, json(ran).code], [1, "invalid_token"])
          assert.notInclude(ran.out.join(), "s3cret")
        }
        const missing = yield* run(["sessions", ...at, "--token-file", "/nowhere/token"])
        assert.deepStrictEqual([missing.code, json(missing).code], [1, "invalid_token"])
        const unset = yield* run(["sessions", ...at]).pipe(Effect.provide(environment("s3 cret")))
        assert.strictEqual(json(unset).code, "invalid_token")
      })
    )
  })
})
