import { assert, describe, layer } from "@effect/vitest"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { Effect, Layer, Option } from "effect"
import { Limits } from "../../src/host/Listener.ts"
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

const initialize = (protocolVersion: string) =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } }
  })

const few = {
  headersMillis: 10_000,
  requestMillis: 30_000,
  standstillMillis: 300_000,
  connections: 100,
  streams: 8,
  mcpSessions: 2
}

describe("MCP over HTTP", () => {
  layer(Layer.provide(hostWith({}), Layer.succeed(Limits, few)))("where there may be few conversations", (it) => {
    it.effect("ends those that were used longest ago, and no others, so that none are kept for ever", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "a" })
        const path = "/sessions/a/mcp"
        const begun = (version: string) =>
          Effect.map(send("POST", path, initialize(version), headers), (answer) => ({
            ...headers,
            "mcp-session-id": answer.headers.get("mcp-session-id") ?? "",
            "mcp-protocol-version": version
          }))
        const status = (session: Record<string, string>) =>
          Effect.map(send("POST", path, ping, session), ({ status }) => status)
        const first = yield* begun("2025-06-18")
        const second = yield* begun("2024-11-05")
        assert.deepStrictEqual([yield* status(second), yield* status(first)], [200, 200])
        const third = yield* begun("2025-11-25")
        assert.deepStrictEqual([yield* status(second), yield* status(first), yield* status(third)], [404, 200, 200])
        assert.strictEqual((yield* send("DELETE", path, undefined, third)).status, 204)
        yield* begun("2025-06-18")
        assert.strictEqual(yield* status(first), 200)
      })
    )
  })

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

    it.effect("judges arguments that are no object, too", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "odd" })
        const began = yield* send("POST", "/sessions/odd/mcp", initialize("2025-03-26"), headers)
        const session = { ...headers, "mcp-session-id": began.headers.get("mcp-session-id") ?? "" }
        const callOf = (name: string, input: unknown) => ({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name, arguments: input }
        })
        const codeOf = ({ result }: any) => [result.isError, JSON.parse(result.content[0].text).code]
        const huge = JSON.stringify(callOf("schedule_create", { prompt: "x", after_seconds: 0 })).replace(
          ":0}",
          ":1e400}"
        )
        assert.deepStrictEqual(codeOf((yield* send("POST", "/sessions/odd/mcp", huge, session)).json), [
          true,
          "invalid_rule"
        ])
        for (const input of [[], ["a"], "tomorrow", 7, true, null]) {
          for (const [name, code] of [
            ["schedule_create", "invalid_selector"],
            ["schedule_delete", "invalid_rule"]
          ] as const) {
            const { json } = yield* send("POST", "/sessions/odd/mcp", JSON.stringify(callOf(name, input)), session)
            assert.deepStrictEqual(codeOf(json), [true, code])
          }
          const { json } = yield* send(
            "POST",
            "/sessions/odd/mcp",
            JSON.stringify(callOf("schedule_list", input)),
            session
          )
          assert.deepStrictEqual(JSON.parse(json.result.content[0].text), { reminders: [] })
        }
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
