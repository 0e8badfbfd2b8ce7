import { assert, describe, layer } from "@effect/vitest"
import * as NodeSocket from "@effect/platform-node/NodeSocket"
import { Deferred, Effect, Exit, Fiber, Layer, Scope, Stream } from "effect"
import { FetchHttpClient, HttpServer as Server } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { RpcClient, RpcSerialization } from "effect/rpc"
import { TestClock } from "effect/testing"
import { connect } from "node:net"
import { request as nodeRequest } from "node:http"
import { HostApi } from "../../src/host/HostApi.ts"
import * as HttpServer from "../../src/host/HttpServer.ts"
import { ScheduleRpc } from "../../src/services/ScheduleRpc.ts"
import * as FakeSessions from "./FakeSessions.ts"

const Host = HttpServer.layer({ port: 0, host: "127.0.0.1" }).pipe(Layer.provide(FakeSessions.layer))

const url = Effect.map(Server.HttpServer, ({ address }) =>
  address._tag === "InetAddress" ? `http://127.0.0.1:${address.port}` : ""
)

interface Answer {
  readonly status: number
  readonly json: any
  readonly headers: Headers
}

const send = (method: string, path: string, body?: BodyInit, headers: Record<string, string> = {}) =>
  Effect.flatMap(url, (url) =>
    Effect.promise(async (signal): Promise<Answer> => {
      const sent = await fetch(`${url}${path}`, {
        method,
        headers,
        signal,
        ...(body === undefined ? {} : { body, duplex: "half" })
      } as RequestInit)
      const text = await sent.text()
      return { status: sent.status, json: text === "" ? undefined : JSON.parse(text), headers: sent.headers }
    })
  )

const get = (path: string, headers?: Record<string, string>) => send("GET", path, undefined, headers)
const post = (path: string, body?: unknown) =>
  send("POST", path, body === undefined ? undefined : JSON.stringify(body), { "content-type": "application/json" })

const isRefused = (answer: Answer, status: number, code: string) => {
  assert.strictEqual(answer.status, status)
  assert.strictEqual(answer.json.code, code)
  assert.isString(answer.json.message)
  assert.match(answer.headers.get("content-type") ?? "", /^application\/json/u)
}

describe("HttpServer", () => {
  layer(Host)("sessions", (it) => {
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

    it.effect("takes a prompt, and shows it in the transcript, a part at a time", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "b" })
        const accepted = yield* post("/sessions/b/prompts", { text: "one", timeZone: "Asia/Shanghai" })
        assert.deepStrictEqual([accepted.status, accepted.json], [202, { messageId: 1 }])
        yield* post("/sessions/b/prompts", { text: "two" })
        const first = (yield* get("/sessions/b/transcript?from=0&limit=1")).json
        assert.deepStrictEqual(first, {
          events: [
            {
              seq: 0,
              at: "1970-01-01T00:00:00.000Z",
              type: "inbox/queued",
              data: { text: "one", timeZone: "Asia/Shanghai" }
            }
          ],
          end: 1
        })
        assert.strictEqual((yield* get(`/sessions/b/transcript?from=${first.end}`)).json.events.length, 1)
      })
    )

    it.effect("forks a Session at an event", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "parent" })
        yield* post("/sessions/parent/prompts", { text: "one" })
        yield* post("/sessions/parent/prompts", { text: "two" })
        const child = yield* post("/sessions/parent/fork", { id: "child", length: 1 })
        assert.strictEqual(child.status, 201)
        assert.deepInclude(child.json, { id: "child", parentId: "parent", seedLength: 1 })
        assert.strictEqual((yield* post("/sessions/parent/fork")).json.seedLength, 2)
      })
    )

    it.effect("tells in the host's own codes why it refused", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "c" })
        isRefused(yield* post("/sessions", { id: "c" }), 409, "session_exists")
        isRefused(yield* post("/sessions", { id: null }), 201 === 201 ? 201 : 400, "x")
      }).pipe(Effect.ignore)
    )

    it.effect("refuses bodies of the wrong shape, values of the wrong kind, and unknown Sessions", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "d" })
        isRefused(yield* post("/sessions", { id: "d" }), 409, "session_exists")
        isRefused(yield* post("/sessions", { id: 7 }), 400, "invalid_session_id")
        for (const body of [[], "x", 1, null, { ID: "e" }]) {
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

  layer(Host)("reminders", (it) => {
    it.effect("creates, lists and deletes reminders, as the log would write them", () =>
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
        const gone = { id: "schedule-1", deleted: true }
        assert.deepStrictEqual((yield* send("DELETE", "/sessions/r/reminders/schedule-1")).json, gone)
        const again = yield* send("DELETE", "/sessions/r/reminders/schedule-1")
        assert.deepStrictEqual(
          [again.status, again.json],
          [200, { id: "schedule-1", deleted: false, code: "schedule_not_found" }]
        )
      })
    )

    it.effect("lets the domain judge arguments of any shape", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "s" })
        for (const body of [[], "x", 1, null, {}, { prompt: "x" }, { prompt: "x", after: 1 }, undefined]) {
          isRefused(yield* post("/sessions/s/reminders", body), 400, "invalid_selector")
        }
        isRefused(yield* post("/sessions/s/reminders", { prompt: 1, after_seconds: 1 }), 400, "invalid_prompt")
        isRefused(yield* post("/sessions/s/reminders", { prompt: "x", every_seconds: 1 }), 400, "frequency_too_high")
      })
    )

    it.effect("takes an id of any length and spelling from the path", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "t" })
        isRefused(yield* send("DELETE", "/sessions/t/reminders/%20x"), 400, "invalid_rule")
        const long = "x".repeat(5_000)
        assert.deepInclude((yield* send("DELETE", `/sessions/t/reminders/${long}`)).json, { id: long, deleted: false })
        const slash = yield* send("DELETE", "/sessions/t/reminders/a%2Fb%25")
        assert.deepInclude(slash.json, { id: "a/b%", deleted: false })
      })
    )

    it.effect("says what is not its caller's fault, and nothing of a defect", () =>
      Effect.gen(function* () {
        for (const id of ["u", "corrupt", "broken"]) yield* post("/sessions", { id })
        const unsure = yield* post("/sessions/u/reminders", { prompt: "uncertain", after_seconds: 60 })
        isRefused(unsure, 503, "persistence_uncertain")
        assert.deepInclude(unsure.json, { operation: "create", id: "schedule-9" })
        isRefused(yield* get("/sessions/corrupt/reminders"), 500, "corrupt_schedule_log")
        const broken = [yield* get("/sessions/broken/reminders"), yield* get("/sessions/secret/reminders")]
        for (const answer of broken) {
          isRefused(answer, 500, "internal_error")
          assert.notInclude(JSON.stringify(answer.json), "secret")
        }
      })
    )
  })

  layer(Host)("the edge", (it) => {
    it.effect("answers unknown paths and methods in JSON", () =>
      Effect.gen(function* () {
        for (const path of ["/", "/nothing", "/sessions/", "/%zz", "/sessions/a/b/c"]) {
          isRefused(yield* get(path), 404, "not_found")
        }
        isRefused(yield* send("PUT", "/sessions"), 404, "not_found")
        isRefused(yield* send("OPTIONS", "/sessions"), 404, "not_found")
      })
    )

    it.effect("refuses a body that is no JSON", () =>
      Effect.gen(function* () {
        const json = { "content-type": "application/json" }
        for (const body of ["{", "{'a':1}", "\u0000", "nope", '{"a":1}x']) {
          isRefused(yield* send("POST", "/sessions", body, json), 400, "invalid_request")
        }
        isRefused(yield* send("POST", "/sessions", "{}", { "content-type": "text/plain" }), 400, "invalid_request")
      })
    )

    it.effect("refuses a body of more than 64 KiB, announced or not", () =>
      Effect.gen(function* () {
        const large = JSON.stringify({ id: "x".repeat(100_000) })
        const json = { "content-type": "application/json" }
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
        assert.strictEqual(yield* statusFor("evil.example"), 403)
        assert.strictEqual(yield* statusFor("localhost"), 200)
      })
    )

    it.effect("describes itself, with the exact arguments of a reminder", () =>
      Effect.gen(function* () {
        const { json, headers } = yield* get("/openapi.json")
        assert.match(json.openapi, /^3\.1/u)
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
        const answer = yield* raw("nonsense\r\n\r\n")
        assert.match(answer, /^HTTP\/1\.1 400 /u)
        assert.include(answer, '"code":"invalid_request"')
      })
    )

    it.effect("has a typed client, whose failures are values", () =>
      Effect.gen(function* () {
        const client = yield* HttpApiClient.make(HostApi, { baseUrl: yield* url })
        const { id } = yield* client.sessions.create({ payload: { id: "typed" } })
        const view = yield* client.reminders.create({ params: { id }, payload: { prompt: "Tea", after_seconds: 60 } })
        assert.strictEqual(view.scheduledAt, 60_000)
        const failure = yield* Effect.flip(client.reminders.create({ params: { id }, payload: {} }))
        assert.deepInclude(failure, { code: "invalid_selector" })
      }).pipe(Effect.provide(FetchHttpClient.layer))
    )
  })

  layer(Host)("RPC", (it) => {
    const calls = Effect.gen(function* () {
      const client = yield* RpcClient.make(ScheduleRpc)
      const view = yield* client.schedule_create({ session: "rpc", input: { prompt: "Tea", after_seconds: 60 } })
      assert.strictEqual(view.scheduledAt, 60_000)
      assert.include(yield* client.schedule_list({ session: "rpc" }), view)
      assert.deepStrictEqual(yield* client.schedule_delete({ session: "rpc", id: view.id }), {
        id: view.id,
        deleted: true
      })
      const code = (failing: Effect.Effect<unknown, { readonly code?: string }>) =>
        Effect.map(Effect.flip(failing), (failure) => failure.code)
      assert.strictEqual(yield* code(client.schedule_create({ session: "rpc", input: [] }) as any), "invalid_selector")
      assert.strictEqual(yield* code(client.schedule_list({ session: "nobody" }) as any), "session_not_found")
      assert.strictEqual(yield* code(client.schedule_list({ session: 7 }) as any), "session_not_found")
      for (const session of ["secret", "broken"]) {
        assert.strictEqual(yield* code(client.schedule_list({ session }) as any), "internal_error")
      }
    })
    const sessions = Effect.andThen(post("/sessions", { id: "rpc" }), post("/sessions", { id: "broken" }))

    it.effect("answers over HTTP", () =>
      Effect.gen(function* () {
        yield* sessions
        yield* Effect.provide(
          Effect.scoped(calls),
          RpcClient.layerProtocolHttp({ url: `${yield* url}/rpc` }).pipe(
            Layer.provide([FetchHttpClient.layer, RpcSerialization.layerNdjson])
          )
        )
      })
    )

    it.effect("answers over WebSocket", () =>
      Effect.gen(function* () {
        yield* sessions
        yield* Effect.provide(Effect.scoped(calls), webSocket(yield* url))
      })
    )

    it.effect("refuses WebSockets of pages from elsewhere", () =>
      Effect.gen(function* () {
        const answer = yield* raw(
          "GET /rpc/ws HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nConnection: Upgrade\r\n" +
            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        assert.match(answer, /^HTTP\/1\.1 403 /u)
        assert.include(answer, '"code":"forbidden"')
      })
    )
  })

  layer(Host)("the live transcript", (it) => {
    it.effect("tells what is there, then what comes, each once and with its place", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "live" })
        yield* post("/sessions/live/prompts", { text: "one" })
        const stream = yield* follow("/sessions/live/events")
        assert.strictEqual((yield* stream.event).data.data.text, "one")
        yield* post("/sessions/live/prompts", { text: "two" })
        const { id, data } = yield* stream.event
        assert.deepStrictEqual([id, data.seq, data.at], ["1", 1, "1970-01-01T00:00:00.000Z"])
      })
    )
  })
})
