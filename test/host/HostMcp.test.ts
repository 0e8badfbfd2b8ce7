import { assert, describe, layer } from "@effect/vitest"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { Effect, Option } from "effect"
import * as BearerToken from "../../src/layers/BearerToken.ts"
import { get, host, hostWith, isRefused, post, send, url } from "./HttpClient.ts"
import * as McpClient from "./McpClient.ts"

const transport = (session: string, headers: Record<string, string> = {}) =>
  Effect.map(
    url,
    (url) => new StreamableHTTPClientTransport(new URL(`${url}/sessions/${session}/mcp`), { requestInit: { headers } })
  )

const connect = (session: string, headers?: Record<string, string>) =>
  Effect.flatMap(transport(session, headers), (transport) => McpClient.connect(transport as Transport))

const failure = (client: Effect.Success<ReturnType<typeof connect>>, name: string) =>
  Effect.map(McpClient.call(client, name), ({ isError, text }) => ({ isError, ...(text as { readonly code: string }) }))

const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" }
const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })

describe("MCP over HTTP", () => {
  layer(host)("at the path of a Session", (it) => {
    it.effect("shows and calls the three tools", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "a" })
        yield* McpClient.scenario(yield* connect("a"))
      })
    )

    it.effect("is about that Session alone, which only a call makes live", () =>
      Effect.gen(function* () {
        for (const id of ["b", "c"]) {
          yield* post("/sessions", { id })
          yield* post(`/sessions/${id}/close`)
        }
        const [b, c] = yield* Effect.all([connect("b"), connect("c")])
        yield* Effect.promise(() => b.listTools())
        assert.strictEqual((yield* get("/sessions/b")).json.state, "cold")
        yield* McpClient.call(b, "schedule_create", { prompt: "Tea", after_seconds: 60 })
        assert.strictEqual((yield* get("/sessions/b")).json.state, "live")
        assert.deepStrictEqual((yield* McpClient.call(c, "schedule_list")).structured, { reminders: [] })
        assert.strictEqual((yield* get("/sessions/b/reminders")).json.length, 1)
      })
    )

    it.effect("answers what is not the arguments' fault as a result, too, and tells nothing of a defect", () =>
      Effect.gen(function* () {
        for (const id of ["broken", "corrupt"]) yield* post("/sessions", { id })
        const codes = {
          nobody: "session_not_found",
          "%20": "invalid_session_id",
          broken: "internal_error",
          secret: "internal_error",
          corrupt: "corrupt_schedule_log"
        }
        for (const [session, code] of Object.entries(codes)) {
          const failed = yield* failure(yield* connect(session), "schedule_list")
          assert.deepInclude(failed, { isError: true, code })
          assert.notInclude(JSON.stringify(failed), "secret")
        }
      })
    )

    it.effect("judges arguments of any depth", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "deep" })
        const at: unknown = JSON.parse("[".repeat(500) + "]".repeat(500))
        const { isError, text } = yield* McpClient.call(yield* connect("deep"), "schedule_create", { prompt: "x", at })
        assert.deepInclude(text, { code: "invalid_rule" })
        assert.isTrue(isError)
      })
    )

    it.effect("can be left: what was begun is forgotten", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "d" })
        const connection = yield* transport("d")
        const client = yield* McpClient.connect(connection as Transport)
        yield* Effect.promise(() => connection.terminateSession())
        assert.isUndefined(connection.sessionId)
        yield* Effect.promise(() => client.close())
      })
    )

    it.effect("refuses what is no call in JSON, as every path does", () =>
      Effect.gen(function* () {
        const path = "/sessions/a/mcp"
        isRefused(yield* send("GET", path), 405, "invalid_request")
        isRefused(yield* send("POST", path, ping, { ...headers, accept: "text/html" }), 406, "invalid_request")
        isRefused(yield* send("POST", path, "x".repeat(70_000), headers), 413, "too_large")
        isRefused(yield* send("POST", path, ping, { ...headers, origin: "https://evil.example" }), 403, "forbidden")
        isRefused(yield* send("POST", path, ping, { ...headers, "mcp-session-id": "x" }), 404, "not_found")
        const { json } = yield* send("POST", path, "{", headers)
        assert.strictEqual(json.error.code, -32_700)
      })
    )
  })

  const token = Option.getOrThrow(BearerToken.fromText("s3cret"))
  layer(hostWith({ token }))("with a token", (it) => {
    const authorization = BearerToken.toHeader(token)

    it.effect("answers who shows it", () =>
      Effect.gen(function* () {
        yield* send("POST", "/sessions", '{"id":"a"}', { ...headers, authorization })
        yield* McpClient.scenario(yield* connect("a", { authorization }))
        isRefused(yield* send("POST", "/sessions/a/mcp", ping, headers), 401, "unauthorized")
      })
    )
  })
})
