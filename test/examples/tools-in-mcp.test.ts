import { assert, it } from "@effect/vitest"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { Effect } from "effect"
import { fileURLToPath } from "node:url"
import * as McpClient from "../host/McpClient.ts"

const example = fileURLToPath(new URL("../../examples/tools-in-mcp.ts", import.meta.url))

it.live("an MCP server of one's own has the three tools beside its own, and hands out what is due, once", () =>
  Effect.gen(function* () {
    const client = yield* McpClient.connect(new StdioClientTransport({ command: process.execPath, args: [example] }))
    const { tools } = yield* Effect.promise(() => client.listTools())
    const names = ["inbox_read", "schedule_create", "schedule_delete", "schedule_list"]
    assert.deepStrictEqual(tools.map(({ name }) => name).sort(), names)

    const structured = (name: string, args: Record<string, unknown> = {}) =>
      Effect.map(McpClient.call(client, name, args), ({ structured }) => structured)
    const refused = yield* McpClient.call(client, "schedule_create", { prompt: "stretch", at: "tomorrow" })
    assert.deepInclude(refused.text as object, { code: "invalid_rule" })
    yield* structured("schedule_create", { prompt: "drink", after_seconds: 3_600 })
    assert.deepStrictEqual(yield* structured("schedule_delete", { id: "schedule-1" }), {
      id: "schedule-1",
      deleted: true
    })
    yield* structured("schedule_create", { prompt: "stretch", after_seconds: 1 })

    // Real time: the server is a process of its own. The inbox is asked until the reminder is in it.
    const read = Effect.map(
      structured("inbox_read"),
      (inbox) => (inbox as { messages: ReadonlyArray<string> }).messages
    )
    const [message, ...others] = yield* Effect.repeat(read, { until: (messages) => messages.length > 0 })
    assert.include(message, 'reminder_prompt: "stretch"')
    assert.deepStrictEqual(others, [])
    assert.deepStrictEqual(yield* read, [])
    assert.deepStrictEqual(yield* structured("schedule_list"), { reminders: [] })
  })
)
