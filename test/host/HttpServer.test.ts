import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { HostApi } from "../../src/host/HostApi.ts"
import { get, host, isRefused, json, post, raw, send, url } from "./HttpClient.ts"

describe("HttpServer", () => {
  layer(host)("sessions", (it) => {
    it.effect("creates a Session, shows it, and makes it cold and live again", () =>
      Effect.gen(function* () {
        const created = yield* post("/sessions", { id: "a" })
        assert.strictEqual(created.status, 201)
        assert.deepStrictEqual(created.json, { version: 1, id: "a", createdAt: "1970-01-01T00:00:00.000Z" })
        assert.strictEqual((yield* post("/sessions/a/close")).status, 204)
        assert.strictEqual((yield* get("/sessions/a")).json.state, "cold")
        assert.deepStrictEqual((yield* post("/sessions/a/open")).json, created.json)
        assert.strictEqual((yield* get("/sessions/a")).json.state, "live")
        assert.isTrue((yield* get("/sessions")).json.some(({ id }: { id: string }) => id === "a"))
      })
    )

    it.effect("gives a Session an id when the caller gives none, or no body at all", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* post("/sessions")).status, 201)
        assert.strictEqual((yield* post("/sessions", {})).status, 201)
      })
    )

    it.effect("takes a prompt, and shows the transcript a part at a time", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "b" })
        const data = { text: "one", timeZone: "Asia/Shanghai" }
        const accepted = yield* post("/sessions/b/prompts", data)
        assert.deepStrictEqual([accepted.status, accepted.json], [202, { messageId: 1 }])
        yield* post("/sessions/b/prompts", { text: "two" })
        const first = (yield* get("/sessions/b/transcript?from=0&limit=1")).json
        const message = { kind: "prompt", id: 1, ...data }
        const event = { seq: 0, at: "1970-01-01T00:00:00.000Z", type: "inbox/queued", data: { message } }
        assert.deepStrictEqual(first, { events: [event], end: 1 })
        const [second] = (yield* get(`/sessions/b/transcript?from=${first.end}`)).json.events
        assert.strictEqual(second.seq, 1)
      })
    )

    it.effect("forks a Session at an event, or at its end", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "parent" })
        yield* post("/sessions/parent/reminders", { prompt: "one", after_seconds: 60 })
        yield* post("/sessions/parent/reminders", { prompt: "two", after_seconds: 60 })
        const child = yield* post("/sessions/parent/fork", { id: "child", length: 1 })
        assert.strictEqual(child.status, 201)
        assert.deepInclude(child.json, { id: "child", parentId: "parent", seedLength: 1 })
        assert.strictEqual((yield* post("/sessions/parent/fork")).json.seedLength, 2)
      })
    )

    it.effect("refuses bodies of the wrong shape, values of the wrong kind, and unknown Sessions", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "d" })
        isRefused(yield* post("/sessions", { id: "d" }), 409, "session_exists")
        isRefused(yield* post("/sessions", { id: 7 }), 400, "invalid_session_id")
        for (const body of [[], "x", 1, { ID: "e" }]) {
          isRefused(yield* post("/sessions", body), 400, "invalid_request")
        }
        isRefused(yield* post("/sessions/d/prompts", { text: 1 }), 400, "invalid_prompt")
        isRefused(yield* post("/sessions/d/prompts", { text: "x", timezone: "UTC" }), 400, "invalid_request")
        isRefused(yield* post("/sessions/d/prompts", { text: "x", timeZone: "Mars/Base" }), 400, "invalid_time_zone")
        isRefused(yield* post("/sessions/d/fork", { length: "1" }), 400, "invalid_fork")
        for (const path of ["", "/transcript", "/events", "/reminders"]) {
          isRefused(yield* get(`/sessions/nobody${path}`), 404, "session_not_found")
        }
      })
    )

    it.effect("refuses a place in the transcript that is no whole number", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "f" })
        for (const query of ["from=-1", "from=x", "from=1.5", "from=", "limit=0", "limit=1001", "from=1&from=2"]) {
          isRefused(yield* get(`/sessions/f/transcript?${query}`), 400, "invalid_request")
        }
        isRefused(yield* get("/sessions/f/events?from=x"), 400, "invalid_request")
        isRefused(yield* get("/sessions/f/events", { "last-event-id": "x" }), 400, "invalid_request")
      })
    )
  })

  layer(host)("reminders", (it) => {
    it.effect("creates, lists and deletes reminders, in the form of the log", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "r" })
        const created = yield* post("/sessions/r/reminders", { prompt: "Tea", after_seconds: 60 })
        assert.strictEqual(created.status, 201)
        assert.deepStrictEqual(created.json, {
          id: "schedule-1",
          kind: "after",
          prompt: "Tea",
          afterSeconds: 60,
          scheduledAt: "1970-01-01T00:01:00.000Z",
          state: "scheduled",
          deliveryMode: "session-local"
        })
        assert.deepStrictEqual((yield* get("/sessions/r/reminders")).json, [created.json])
        const path = "/sessions/r/reminders/schedule-1"
        assert.deepStrictEqual((yield* send("DELETE", path)).json, { id: "schedule-1", deleted: true })
        const again = yield* send("DELETE", path)
        assert.strictEqual(again.status, 200)
        assert.deepStrictEqual(again.json, { id: "schedule-1", deleted: false, code: "schedule_not_found" })
      })
    )

    it.effect("lets the domain judge arguments of any shape", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "s" })
        for (const body of [[], "x", 1, null, {}, { prompt: "x" }, { prompt: "x", after: 1 }, undefined]) {
          isRefused(yield* post("/sessions/s/reminders", body), 400, "invalid_selector")
        }
        isRefused(yield* post("/sessions/s/reminders", { prompt: 1, after_seconds: 1 }), 400, "invalid_prompt")
        for (const huge of ["1e400", "-1e400", "9".repeat(400)]) {
          const body = `{"prompt":"x","after_seconds":${huge}}`
          isRefused(yield* send("POST", "/sessions/s/reminders", body, json), 400, "invalid_rule")
          isRefused(yield* send("POST", "/sessions/s/reminders", huge, json), 400, "invalid_selector")
        }
        isRefused(yield* post("/sessions/s/reminders", { prompt: "x", every_seconds: 1 }), 400, "frequency_too_high")
      })
    )

    it.effect("takes an id of any length and spelling from the path", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "t" })
        isRefused(yield* send("DELETE", "/sessions/t/reminders/%20x"), 400, "invalid_rule")
        for (const id of ["x".repeat(5_000), "a/b%", "提醒"]) {
          const { json } = yield* send("DELETE", `/sessions/t/reminders/${encodeURIComponent(id)}`)
          assert.deepStrictEqual(json, { id, deleted: false, code: "schedule_not_found" })
        }
      })
    )

    it.effect("says what is not its caller's fault, and nothing of a defect", () =>
      Effect.gen(function* () {
        for (const id of ["uncertain", "corrupt", "broken"]) yield* post("/sessions", { id })
        const unsure = yield* post("/sessions/uncertain/reminders", { prompt: "Tea", after_seconds: 60 })
        isRefused(unsure, 503, "persistence_uncertain")
        assert.deepInclude(unsure.json, { operation: "create", id: "schedule-9" })
        isRefused(yield* get("/sessions/corrupt/reminders"), 500, "corrupt_schedule_log")
        for (const path of ["/sessions/broken/reminders", "/sessions/secret/reminders"]) {
          const answer = yield* get(path)
          isRefused(answer, 500, "internal_error")
          assert.notInclude(JSON.stringify(answer.json), "secret")
        }
      })
    )
  })

  layer(host)("the edge", (it) => {
    it.effect("answers unknown paths and methods in JSON", () =>
      Effect.gen(function* () {
        for (const path of ["/nothing", "/%zz", "/sessions/%zz", "/sessions/a/b/c"]) {
          isRefused(yield* get(path), 404, "not_found")
        }
        isRefused(yield* send("PUT", "/sessions"), 404, "not_found")
        isRefused(yield* send("OPTIONS", "/sessions"), 404, "not_found")
      })
    )

    it.effect("refuses a body that is no JSON", () =>
      Effect.gen(function* () {
        for (const body of ["{", "{'a':1}", "\u0000", "nope", '{"a":1}x']) {
          isRefused(yield* send("POST", "/sessions", body, json), 400, "invalid_request")
        }
        isRefused(yield* send("POST", "/sessions", "{}", { "content-type": "text/plain" }), 400, "invalid_request")
      })
    )

    it.effect("refuses a body of more than 64 KiB, announced or not", () =>
      Effect.gen(function* () {
        const large = JSON.stringify({ id: "x".repeat(100_000) })
        isRefused(yield* send("POST", "/sessions", large, json), 413, "too_large")
        isRefused(yield* send("POST", "/sessions", new Blob([large]).stream(), json), 413, "too_large")
        isRefused(yield* send("POST", "/rpc", large, json), 413, "too_large")
      })
    )

    it.effect("refuses other names for itself and pages from elsewhere, on every path", () =>
      Effect.gen(function* () {
        for (const path of ["/sessions", "/nothing", "/openapi.json", "/rpc"]) {
          isRefused(yield* get(path, { origin: "https://evil.example" }), 403, "forbidden")
        }
        const asked = (name: string) => raw(`GET /sessions HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`)
        assert.match(yield* asked("evil.example"), /^HTTP\/1\.1 403 [^]*"code":"forbidden"/u)
        assert.match(yield* asked("localhost"), /^HTTP\/1\.1 200 /u)
        const absolute = "GET http://evil.example/sessions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        assert.match(yield* raw(absolute), /^HTTP\/1\.1 403 /u)
      })
    )

    it.effect("describes itself, with the exact arguments of a reminder", () =>
      Effect.gen(function* () {
        const { json, headers } = yield* get("/openapi.json")
        assert.match(json.openapi, /^3\.1/u)
        assert.deepStrictEqual(json.security, [{}, { token: [] }])
        assert.deepStrictEqual(json.components.securitySchemes, { token: { type: "http", scheme: "bearer" } })
        const { requestBody, responses } = json.paths["/sessions/{id}/reminders"].post
        const { schema } = requestBody.content["application/json"]
        assert.includeMembers(Object.keys(schema.properties), ["prompt", "after_seconds", "cron"])
        assert.strictEqual(schema.additionalProperties, false)
        assert.notInclude(JSON.stringify(schema), "$ref")
        assert.includeMembers(Object.keys(responses), ["201", "400", "404", "503"])
        assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
        assert.strictEqual(headers.get("cache-control"), "no-store")
      })
    )

    it.effect("answers what is no HTTP in JSON, too", () =>
      Effect.gen(function* () {
        assert.match(yield* raw("nonsense\r\n\r\n"), /^HTTP\/1\.1 400 [^]*"code":"invalid_request"/u)
      })
    )

    it.effect("has a typed client, whose failures are values", () =>
      Effect.gen(function* () {
        const client = yield* HttpApiClient.make(HostApi, { baseUrl: yield* url })
        const params = yield* client.sessions.create({ payload: { id: "typed" } })
        const view = yield* client.reminders.create({ params, payload: { prompt: "Tea", after_seconds: 60 } })
        assert.strictEqual(view.scheduledAt, 60_000)
        const failure = yield* Effect.flip(client.reminders.create({ params, payload: {} }))
        assert.deepInclude(failure, { code: "invalid_selector" })
      }).pipe(Effect.provide(FetchHttpClient.layer))
    )
  })
})
