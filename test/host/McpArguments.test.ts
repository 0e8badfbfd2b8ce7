import { assert, describe, it } from "@effect/vitest"
import { readable } from "../../src/host/McpArguments.ts"

const call = (id: number, input: unknown) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "schedule_list", arguments: input }
})

describe("Arguments on their way into the library of MCP", () => {
  it("become an empty object where they are none, each message of a batch for itself", () => {
    const batch = [call(1, []), call(2, { id: "schedule-1" }), call(3, "all")]
    assert.deepStrictEqual(JSON.parse(readable(JSON.stringify(batch))), [
      call(1, {}),
      call(2, { id: "schedule-1" }),
      call(3, {})
    ])
  })

  it("have null where a number is too large for JavaScript", () => {
    const text = JSON.stringify(call(1, { after_seconds: "huge" })).replace('"huge"', "1e400")
    assert.deepStrictEqual(JSON.parse(readable(text)), call(1, { after_seconds: null }))
  })

  it("leave every other text as it is", () => {
    const texts = [
      "{",
      "",
      "null",
      '{"method":"ping", "params":[1]}',
      '{"method":"tools/call","params":"x"}',
      '{"id":1e400, "method":"tools/call","params":{"name":"schedule_list"}}',
      `{"method":"tools/call","params":{"arguments":{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}}}`
    ]
    for (const text of texts) assert.strictEqual(readable(text), text)
  })
})
