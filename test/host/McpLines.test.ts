import { assert, describe, it } from "@effect/vitest"
import { judge, MAX_LINE, splitter } from "../../src/host/McpLines.ts"

const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "schedule_list", arguments: {} } }

const message = (line: unknown) => JSON.parse(judge(JSON.stringify(line)).message ?? "")
const answer = (line: string | undefined) => JSON.parse(judge(line).answer ?? "")

describe("Lines of MCP", () => {
  it("go on to the library as they are, requests, answers, and batches", () => {
    const note = { jsonrpc: "2.0", method: "notifications/initialized" }
    const response = { jsonrpc: "2.0", id: "a", result: {} }
    for (const sound of [call, note, response, [], [call, note]]) assert.deepStrictEqual(message(sound), sound)
  })

  it("have neither what only the library's own protocol knows, nor arguments that are no object", () => {
    assert.deepStrictEqual(message({ ...call, headers: 5, spanId: {} }), call)
    for (const odd of [null, "x", [], 7]) {
      assert.deepStrictEqual(message({ ...call, params: { ...call.params, arguments: odd } }), call)
    }
  })

  it("that are no JSON are a parse error", () => {
    for (const line of ["not json", "{", "\ufffd", '{"a":1} {"a":2}']) {
      assert.deepInclude(answer(line), { jsonrpc: "2.0", id: null })
      assert.strictEqual(answer(line).error.code, -32_700)
    }
  })

  it("that are no message, or too long, are an invalid request", () => {
    const odd = [
      null,
      7,
      "x",
      {},
      [1],
      [call, null],
      { ...call, id: {} },
      { ...call, id: null },
      { ...call, method: 7 }
    ]
    const lines = [...odd.map((one) => JSON.stringify(one)), '{"method":"@effect/rpc/Eof"}', undefined]
    for (const line of lines) assert.strictEqual(answer(line).error.code, -32_600, line)
  })

  it("that are nested too deeply are refused under their own id", () => {
    const line = `{"id":7,"method":"ping","params":{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}}`
    assert.deepInclude(answer(line), { id: 7 })
  })

  it("that are blank have no answer", () => {
    for (const line of ["", " ", "\r"]) assert.deepStrictEqual(judge(line), {})
  })
})

describe("Text", () => {
  it("is split into lines, in parts of any size", () => {
    const split = splitter()
    assert.deepStrictEqual([..."ab\n\nc\n"].flatMap(split), ["ab", "", "c"])
  })

  it("keeps no line that is too long, and the next one is read", () => {
    const split = splitter()
    const half = "x".repeat(MAX_LINE / 2 + 1)
    assert.deepStrictEqual([half, half, half, "y\nnext\n"].flatMap(split), [undefined, "next"])
    assert.deepStrictEqual(split(`${half}${half}\nnext\n`), [undefined, "next"])
  })
})
