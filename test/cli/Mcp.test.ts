import { assert, describe, it, layer } from "@effect/vitest"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { Effect, Option } from "effect"
import * as BearerToken from "../../src/layers/BearerToken.ts"
import { hostWith, send, url } from "../host/HttpClient.ts"
import * as McpClient from "../host/McpClient.ts"
import { main, startWith } from "./Process.ts"

const token = Option.getOrThrow(BearerToken.fromText("s3cret"))

const connect = (session: string, url: string, env: Record<string, string> = {}) =>
  McpClient.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [main, "mcp", "--session", session, "--url", url],
      env
    })
  )

const refusal = (client: Effect.Success<ReturnType<typeof connect>>, args: Record<string, unknown>) =>
  Effect.map(McpClient.call(client, "schedule_create", args), ({ isError, text }) => ({
    isError,
    ...(text as { readonly code: string; readonly message: string })
  }))

const hello = (id: number) => ({
  jsonrpc: "2.0",
  id,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } }
})

describe("mcp", () => {
  layer(hostWith({ token }))("beside a host with a token", (it) => {
    const create = (id: string) =>
      send("POST", "/sessions", JSON.stringify({ id }), {
        "content-type": "application/json",
        authorization: BearerToken.toHeader(token)
      })

    it.effect("shows and calls the three tools of a Session", () =>
      Effect.gen(function* () {
        yield* create("a")
        const client = yield* connect("a", yield* url, { SESSION_SCHEDULE_TOKEN: "s3cret" })
        yield* McpClient.scenario(client)
      })
    )

    it.effect("answers with the host's refusal, or says that it has not the token", () =>
      Effect.gen(function* () {
        const tea = { prompt: "Tea", after_seconds: 60 }
        const stranger = yield* connect("nobody", yield* url, { SESSION_SCHEDULE_TOKEN: "s3cret" })
        assert.deepInclude(yield* refusal(stranger, tea), { isError: true, code: "session_not_found" })
        const large = yield* refusal(stranger, { prompt: "x".repeat(70_000), after_seconds: 60 })
        assert.deepInclude(large, { isError: true, code: "too_large" })
        assert.include(large.message, "65536 bytes")
        const unknown = yield* connect("a", yield* url)
        const refused = yield* refusal(unknown, tea)
        assert.deepInclude(refused, { isError: true, code: "unauthorized" })
        assert.include(refused.message, "SESSION_SCHEDULE_TOKEN")
      })
    )
  })

  it.live("connects before there is a host, and says that none answers", () =>
    Effect.gen(function* () {
      const client = yield* connect("a", "http://127.0.0.1:1")
      assert.strictEqual((yield* Effect.promise(() => client.listTools())).tools.length, 3)
      const refused = yield* refusal(client, { prompt: "Tea", after_seconds: 60 })
      assert.deepInclude(refused, { isError: true, code: "unreachable" })
    })
  )

  it.live("answers a line that is no JSON, and goes on with the next", () =>
    Effect.gen(function* () {
      const odd = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "schedule_list", arguments: "x" } }
      const stdin = `not json\r\n${JSON.stringify(hello(1))}\r\n\n${JSON.stringify(odd)}\n{`
      const { ended } = yield* startWith({ stdin }, "mcp", "--session", "a", "--url", "http://127.0.0.1:1")
      const { code, out, err } = yield* ended
      assert.deepStrictEqual([code, err], [0, ""])
      const answers = out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
      const failed = answers.filter(({ error }) => error !== undefined)
      assert.deepStrictEqual(
        failed.map(({ id, error }) => [id, error.code]),
        [
          [null, -32_700],
          [null, -32_700]
        ]
      )
      assert.isDefined(answers.find(({ id }) => id === 1)?.result)
    })
  )

  it.live("writes nothing but messages to its output, and ends well when the client leaves", () =>
    Effect.gen(function* () {
      const stdin = [
        hello(1),
        { jsonrpc: "2.0", method: "notifications/initialized" },
        { ...hello(2), method: "nonsense" }
      ]
        .map((message) => `${JSON.stringify(message)}\n`)
        .join("")
      const { ended } = yield* startWith({ stdin }, "mcp", "--session", "a", "--log-level", "trace")
      const { code, out } = yield* ended
      assert.strictEqual(code, 0)
      const messages = out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
      assert.isTrue(messages.every(({ jsonrpc }) => jsonrpc === "2.0"))
      assert.strictEqual(messages[0].result.serverInfo.name, "session-schedule")
    })
  )
})
