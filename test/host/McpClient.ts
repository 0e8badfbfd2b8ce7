/** The official client of MCP, and what it must see of a Session's tools over every transport. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"

/** A client that is connected until its scope is closed. */
export const connect = (transport: Transport) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ name: "test", version: "1.0.0" })
      await client.connect(transport)
      return client
    }),
    (client) => Effect.promise(() => client.close())
  )

/** Calls a tool: whether it failed, its text as JSON, and its structured result. */
export const call = (client: Client, name: string, args?: Record<string, unknown>) =>
  Effect.promise(async () => {
    const result = await client.callTool({ name, ...(args === undefined ? {} : { arguments: args }) })
    const [content, ...others] = result.content as ReadonlyArray<{ readonly type: string; readonly text: string }>
    assert.deepStrictEqual([content?.type, others], ["text", []])
    const text: unknown = JSON.parse(content?.text ?? "")
    return { isError: result.isError, text, structured: result.structuredContent }
  })

const annotations = (title: string, [readOnlyHint, destructiveHint, idempotentHint]: ReadonlyArray<boolean>) => ({
  title,
  readOnlyHint,
  destructiveHint,
  idempotentHint,
  openWorldHint: false
})

/** The three tools, shown and called. The Session exists, and has no reminders. */
export const scenario = Effect.fnUntraced(function* (client: Client) {
  assert.deepInclude(client.getServerVersion(), { name: "session-schedule", version: "0.1.0" })
  assert.include(client.getInstructions(), "never guess")
  const { tools } = yield* Effect.promise(() => client.listTools())
  const shown = Object.fromEntries(tools.map((tool) => [tool.name, tool]))
  assert.deepStrictEqual(Object.keys(shown), ["schedule_create", "schedule_list", "schedule_delete"])
  assert.deepStrictEqual(shown["schedule_create"]?.annotations, annotations("Create a reminder", [false, false, false]))
  assert.deepStrictEqual(shown["schedule_list"]?.annotations, annotations("List reminders", [true, false, true]))
  assert.deepStrictEqual(shown["schedule_delete"]?.annotations, annotations("Delete a reminder", [false, true, true]))
  assert.deepInclude(shown["schedule_create"]?.inputSchema, { required: ["prompt"], additionalProperties: false })
  for (const { outputSchema, description } of tools) {
    assert.strictEqual(outputSchema?.type, "object")
    assert.isString(description)
  }

  const created = yield* call(client, "schedule_create", { prompt: "Tea", after_seconds: 3_600 })
  assert.deepInclude(created.structured, { id: "schedule-1", kind: "after", prompt: "Tea", state: "scheduled" })
  assert.deepStrictEqual([created.text, created.isError], [created.structured, false])
  const daily = { time: "09:00:00", time_zone: "Asia/Shanghai" }
  const second = yield* call(client, "schedule_create", { prompt: "Stand-up", daily })
  const reminders = [created.structured, second.structured]
  for (const args of [undefined, {}]) {
    assert.deepStrictEqual((yield* call(client, "schedule_list", args)).structured, { reminders })
  }
  const gone = { id: "schedule-1", deleted: true }
  assert.deepStrictEqual((yield* call(client, "schedule_delete", { id: "schedule-1" })).structured, gone)
  const again = yield* call(client, "schedule_delete", { id: "schedule-1" })
  const answer = { id: "schedule-1", deleted: false, code: "schedule_not_found" }
  assert.deepStrictEqual(again, { isError: false, text: answer, structured: answer })

  const refused = [
    ["schedule_create", { prompt: "x" }, "invalid_selector"],
    ["schedule_create", undefined, "invalid_selector"],
    ["schedule_create", { prompt: 7, after_seconds: 60 }, "invalid_prompt"],
    ["schedule_create", { prompt: "x", every_seconds: 60 }, "frequency_too_high"],
    ["schedule_create", { prompt: "x", at: "tomorrow" }, "invalid_rule"],
    ["schedule_delete", { id: 7 }, "invalid_rule"],
    ["schedule_delete", { id: "" }, "invalid_rule"],
    ["schedule_delete", { id: "schedule-2", unless: "it is late" }, "invalid_rule"],
    ["schedule_delete", undefined, "invalid_rule"]
  ] as const
  for (const [name, args, code] of refused) {
    const { isError, text, structured } = yield* call(client, name, args)
    assert.deepStrictEqual([isError, (text as { readonly code: string }).code, structured], [true, code, undefined])
    assert.isString((text as { readonly message: string }).message)
  }
  for (const args of [undefined, { random_string: "" }]) {
    assert.deepStrictEqual((yield* call(client, "schedule_list", args)).structured, { reminders: [second.structured] })
  }
})
