import { assert, describe, layer } from "@effect/vitest"
import * as NodeSocket from "@effect/platform-node/NodeSocket"
import { Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { RpcClient, RpcSerialization } from "effect/rpc"
import { ScheduleRpc } from "../../src/services/ScheduleRpc.ts"
import { host, port, post, raw, send } from "./HttpClient.ts"

const overHttp = Layer.unwrap(
  Effect.map(port, (port) => RpcClient.layerProtocolHttp({ url: `http://127.0.0.1:${port}/rpc` }))
).pipe(Layer.provide([FetchHttpClient.layer, RpcSerialization.layerNdjson]))

const overWebSocket = RpcClient.layerProtocolSocket().pipe(
  Layer.provide(Layer.unwrap(Effect.map(port, (port) => NodeSocket.layerWebSocket(`ws://127.0.0.1:${port}/rpc/ws`)))),
  Layer.provide(RpcSerialization.layerNdjson)
)

const calls = Effect.gen(function* () {
  const client = yield* RpcClient.make(ScheduleRpc)
  yield* post("/sessions", { id: "rpc" })
  yield* post("/sessions", { id: "broken" })

  const view = yield* client.schedule_create({ session: "rpc", input: { prompt: "Tea", after_seconds: 60 } })
  assert.strictEqual(view.scheduledAt, 60_000)
  assert.deepStrictEqual(yield* client.schedule_list({ session: "rpc" }), [view])
  const gone = { id: view.id, deleted: true }
  assert.deepStrictEqual(yield* client.schedule_delete({ session: "rpc", id: view.id }), gone)

  const refused = yield* Effect.flip(client.schedule_create({ session: "rpc", input: [] }))
  assert.deepInclude(refused, { code: "invalid_selector" })
  const unknown = { nobody: "session_not_found", "": "invalid_session_id" }
  for (const [session, code] of Object.entries(unknown)) {
    assert.deepInclude(yield* Effect.flip(client.schedule_list({ session })), { code })
  }
  assert.deepInclude(yield* Effect.flip(client.schedule_list({ session: 7 })), { code: "invalid_session_id" })
  for (const session of ["secret", "broken"]) {
    const failure = yield* Effect.flip(client.schedule_list({ session }))
    assert.deepInclude(failure, { code: "internal_error" })
    assert.notInclude(JSON.stringify(failure), "secret")
  }
}).pipe(Effect.scoped)

describe("RPC of the host", () => {
  layer(host)("over HTTP", (it) => {
    it.effect("answers the three calls, by Session", () => Effect.provide(calls, overHttp))

    it.effect("reads the last line of a body without a line end, too", () =>
      Effect.gen(function* () {
        const call = { _tag: "Request", id: "1", tag: "schedule_list", payload: { session: "nobody" }, headers: [] }
        const { json } = yield* send("POST", "/rpc", JSON.stringify(call))
        assert.deepInclude(json.exit.cause[0].error, { code: "session_not_found" })
      })
    )

    it.effect("judges a number that is too large for JavaScript like any other", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "huge" })
        const payload = { session: "huge", input: { prompt: "x", after_seconds: 0 } }
        const call = JSON.stringify({ _tag: "Request", id: "1", tag: "schedule_create", payload, headers: [] })
        const { json } = yield* send("POST", "/rpc", call.replace(":0}", ":1e400}"))
        assert.deepInclude(json.exit.cause[0].error, { code: "invalid_rule" })
      })
    )
  })

  layer(host)("over WebSocket", (it) => {
    it.effect("answers the three calls, by Session", () => Effect.provide(calls, overWebSocket))

    it.effect("closes on a message of more than 64 KiB", () =>
      Effect.gen(function* () {
        const socket = new WebSocket(`ws://127.0.0.1:${yield* port}/rpc/ws`)
        socket.addEventListener("open", () => socket.send("x".repeat(70_000)))
        const code = yield* Effect.callback<number>((resume) => {
          socket.addEventListener("close", ({ code }) => resume(Effect.succeed(code)))
        })
        assert.strictEqual(code, 1009)
      })
    )

    it.effect("refuses the WebSocket of a page from elsewhere", () =>
      Effect.gen(function* () {
        const answer = yield* raw(
          "GET /rpc/ws HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nConnection: Upgrade\r\n" +
            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        assert.match(answer, /^HTTP\/1\.1 403 [^]*"code":"forbidden"/u)
      })
    )
  })
})
