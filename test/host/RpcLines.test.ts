import { assert, describe, it } from "@effect/vitest"
import * as RpcLines from "../../src/host/RpcLines.ts"

const call = { _tag: "Request", id: "1", tag: "schedule_list", payload: {}, headers: [["a", "b"]] }
const line = (message: unknown) => `${JSON.stringify(message)}\n`

const decode = (bytes: string | Uint8Array, serialization = RpcLines.stream) => serialization.makeUnsafe().decode(bytes)

const encode = (response: unknown): any => JSON.parse(String(RpcLines.stream.makeUnsafe().encode(response)))

/** What stands for a message that is none; it is answered as one of an unknown kind. */
const NONE = {}

describe("RPC messages", () => {
  it("are read as they are, in parts of any size", () => {
    const { decode } = RpcLines.stream.makeUnsafe()
    const bytes = Buffer.from(line({ ...call, payload: { session: "é🙂" } }))
    const read = [...bytes].flatMap((byte) => decode(new Uint8Array([byte])))
    assert.deepStrictEqual<unknown>(read, [{ ...call, payload: { session: "é🙂" } }])
  })

  it("need no headers, and no line end at the end of a body", () => {
    const { headers: _, ...bare } = call
    assert.deepStrictEqual<unknown>(decode(JSON.stringify(bare), RpcLines.body), [{ ...bare, headers: [] }])
  })

  it("of a shape that would end a connection are told apart from those that are calls", () => {
    const odd = [
      null,
      7,
      [],
      { ...call, headers: 5 },
      { ...call, headers: { a: "b" } },
      { ...call, headers: [null] },
      { ...call, headers: [[{}, "b"]] },
      { ...call, id: { toString: 1 } },
      { ...call, tag: { toString: 1 } },
      { _tag: { toString: 1 } },
      { _tag: "Interrupt", requestId: {} }
    ]
    assert.deepStrictEqual<unknown>(
      decode(odd.map(line).join("")),
      odd.map(() => NONE)
    )
  })

  it("that are no JSON take no other line with them", () => {
    assert.deepStrictEqual<unknown>(decode(`${line(call)}{\n${line(call)}`), [call, NONE, call])
  })
})

describe("RPC answers", () => {
  const exit = (cause: unknown) => ({ _tag: "Exit", requestId: "1", exit: { _tag: "Failure", cause: [cause] } })
  const defect = (what: unknown) => encode(exit({ _tag: "Die", defect: what })).exit.cause[0].defect

  it("tell what was wrong with a message in a code and a message of ours", () => {
    const { defect } = encode({ _tag: "Defect", defect: { name: "TypeError", message: ".for is not iterable" } })
    assert.strictEqual(defect.code, "invalid_request")
    assert.match(defect.message, /^This is no call: send one JSON object a line/u)
  })

  it("tell an unknown call from one whose payload is not understood", () => {
    assert.match(defect("Unknown request tag: nope").message, /^There is no call of that name/u)
    assert.match(defect("Expected object").message, /^payload: send an object/u)
  })

  it("show nothing of what went wrong inside", () => {
    for (const inside of ["Failed to encode response for RPC", { name: "Error", message: "secret" }]) {
      assert.strictEqual(defect(inside).code, "internal_error")
      assert.notInclude(JSON.stringify(defect(inside)), "secret")
    }
  })

  it("leave everything else as it is", () => {
    const failure = exit({ _tag: "Fail", error: { code: "invalid_rule", message: "m" } })
    for (const answer of [failure, { _tag: "Exit", requestId: "1", exit: { _tag: "Success", value: 1 } }]) {
      assert.deepStrictEqual(encode(answer), answer)
    }
  })
})
