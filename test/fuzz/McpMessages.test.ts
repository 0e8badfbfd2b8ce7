import { assert, describe, layer } from "@effect/vitest"
import { Arbitrary, Effect } from "effect"
import { get, host, post, url } from "../host/HttpClient.ts"
import * as Nasty from "./Nasty.ts"
import { request } from "./RawHttp.ts"

const SESSION = "fuzz"
const PATH = `/sessions/${SESSION}/mcp`

const message = (method: string, params: unknown, rest: object = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  method,
  params,
  ...rest
})
const callOf = (name: unknown, input: unknown) => message("tools/call", { name, arguments: input })

/** What the host understands. */
const sound: ReadonlyArray<unknown> = [
  ...Nasty.requests.map((input) => callOf("schedule_create", input)),
  callOf("schedule_list", {}),
  callOf("schedule_delete", { id: "schedule-1" }),
  message("tools/list", {}),
  message("ping", {}),
  message("notifications/initialized", {}, { id: undefined })
]

const write = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? "null"
  } catch {
    return Nasty.deepArray(10_000)
  }
}

const initialize = message("initialize", {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "fuzz", version: "1" }
})

/** Begins a conversation; gives what every later request must show. */
const begin = Effect.flatMap(url, (url) =>
  Effect.promise(async () => {
    const answer = await fetch(url + PATH, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify(initialize)
    })
    await answer.text()
    const id = answer.headers.get("mcp-session-id")
    return ["Accept: application/json, text/event-stream", ...(id === null ? [] : [`Mcp-Session-Id: ${id}`])]
  })
)

/** A protocol error is MCP's, with a number; what a tool answers is ours. */
const isTold = (told: any, where: string): void => {
  assert.notMatch(
    JSON.stringify(told),
    /node_modules|file:\/\/|\.ts:\d|SqlError|TypeError|RangeError|internal_error/u,
    where
  )
  if (told.error !== undefined) {
    assert.isNumber(told.error.code, where)
    return assert.isString(told.error.message, where)
  }
  if (told.result?.isError !== true) return
  for (const { text } of told.result.content) Nasty.isFailure(JSON.parse(text), where)
}

const reminders = Effect.map(get(`/sessions/${SESSION}/reminders`), ({ json }) => json.length as number)

const asked = Effect.fnUntraced(function* (body: string | Uint8Array) {
  const where = Nasty.brief(body)
  const { status, body: answer } = yield* request("POST", PATH, body, yield* begin)
  assert.isTrue(status >= 200 && status < 500, `${where}: ${status} ${answer}`)
  const texts = answer.startsWith("{") || answer.startsWith("[") ? [answer] : answer.match(/(?<=^data: ).+$/gmu)
  for (const text of texts ?? []) for (const told of [JSON.parse(text)].flat()) if (status < 400) isTold(told, where)
})

describe("MCP messages of any shape", () => {
  layer(host)("to a host with one Session", (it) => {
    it.effect("make the Session", () => post("/sessions", { id: SESSION }))

    it.effect.prop("are answered", [Arbitrary.map(Nasty.near(sound), write)], ([body]) => asked(body), Nasty.runs(100))

    it.effect("are answered whatever text or bytes stand in the place of a part", () =>
      Effect.gen(function* () {
        for (const text of Nasty.texts) {
          yield* asked(text)
          yield* asked(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${text}}`)
          yield* asked(`{"jsonrpc":"2.0","id":${text},"method":"ping"}`)
          for (const name of ["schedule_create", "schedule_delete", "schedule_list"]) {
            const params = `{"name":"${name}","arguments":${text}}`
            yield* asked(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`)
          }
        }
        for (const bytes of Nasty.bytes) yield* asked(bytes)
      })
    )

    it.effect("leave a host that goes on", () =>
      Effect.gen(function* () {
        const before = yield* reminders
        yield* asked(write(sound[0]))
        assert.strictEqual(yield* reminders, before + 1)
      })
    )
  })
})
