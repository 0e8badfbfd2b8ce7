import { assert, describe, layer } from "@effect/vitest"
import { Arbitrary, Effect, Queue, type Scope } from "effect"
import { get, host, post, url } from "../host/HttpClient.ts"
import * as Nasty from "./Nasty.ts"
import { request } from "./RawHttp.ts"

const SESSION = "fuzz"

const message = (tag: string, payload: unknown, rest: object = {}) => ({
  _tag: "Request",
  id: "1",
  tag,
  payload,
  headers: [["x-name", "value"]],
  ...rest
})

/** What the host understands. */
const sound: ReadonlyArray<unknown> = [
  ...Nasty.requests.map((input) => message("schedule_create", { session: SESSION, input })),
  message("schedule_list", { session: SESSION }),
  message("schedule_delete", { session: SESSION, id: "schedule-1" }, { traceId: "a", spanId: "b", sampled: true }),
  message("session_create", { id: "another" }),
  message("session_get", { session: SESSION }),
  message("session_fork", { session: SESSION, id: "child", length: 0 }),
  message("session_prompt", { session: SESSION, text: "hello", timeZone: "Asia/Shanghai" }),
  message("session_transcript", { session: SESSION, from: 0, limit: 1 }),
  { _tag: "Interrupt", requestId: "1" },
  { _tag: "Ack", requestId: "1" },
  { _tag: "Ping" }
]

const line = (value: unknown): string => {
  try {
    return JSON.stringify(value)
  } catch {
    return Nasty.deepObject(5_000)
  }
}

const lines = Arbitrary.map(Nasty.near(sound), line)

/** Lines with a text in the place of each part of a message, which may break the whole. */
const graft = (text: string): ReadonlyArray<string> => {
  const hole = "\u2604"
  const parts = [
    hole,
    message("schedule_create", hole),
    message("schedule_create", { session: SESSION, input: hole }),
    message("schedule_create", { session: hole, input: {} }),
    message("schedule_delete", { session: SESSION, id: hole }),
    message(hole, {}),
    message("schedule_list", { session: SESSION }, { id: hole }),
    message("schedule_list", { session: SESSION }, { headers: hole }),
    message("schedule_list", { session: SESSION }, { traceId: hole }),
    { _tag: hole },
    { _tag: "Interrupt", requestId: hole }
  ]
  return parts.map((part) => JSON.stringify(part).replace(`"${hole}"`, () => text.replaceAll("\n", " ")))
}

/** Every line of an answer says what became of a call: a value, or a failure as callers are promised it. */
const isTold = (text: string, where: string): void => {
  const told = JSON.parse(text)
  if (told._tag === "Pong" || told.exit?._tag === "Success") return
  if (told._tag === "Defect") return Nasty.isFailure(told.defect, where)
  assert.strictEqual(told.exit?._tag, "Failure", where)
  for (const reason of told.exit.cause)
    if (reason._tag !== "Interrupt") Nasty.isFailure(reason.error ?? reason.defect, where)
}

const reminders = Effect.map(get(`/sessions/${SESSION}/reminders`), ({ json }) => json.length as number)

/** How many reminders more there are after these answers. */
const change = (answers: ReadonlyArray<string>): number => {
  const values = answers.map((text) => JSON.parse(text).exit?.value)
  const are = (what: (value: any) => boolean) => values.filter((value) => what(Object(value))).length
  return are(({ state }) => state === "scheduled") - are(({ deleted }) => deleted === true)
}

const overHttp = Effect.fnUntraced(function* (body: string | Uint8Array) {
  const before = yield* reminders
  const { status, body: answer } = yield* request("POST", "/rpc", body)
  if (status === 413) return
  assert.strictEqual(status, 200, Nasty.brief(body))
  const answers = answer.split("\n").filter((text) => text !== "")
  for (const text of answers) isTold(text, Nasty.brief(body))
  assert.strictEqual((yield* reminders) - before, change(answers), Nasty.brief(body))
})

interface Connection {
  /** Sends a frame and then a call of our own, and gives what came until that is answered. */
  ask(frame: string | Uint8Array<ArrayBuffer>): Effect.Effect<ReadonlyArray<string>>
}

const connect = Effect.fnUntraced(function* (): Effect.fn.Return<
  Connection,
  never,
  Scope.Scope | Effect.Services<typeof url>
> {
  const answers = yield* Queue.unbounded<string>()
  const target = `${(yield* url).replace("http", "ws")}/rpc/ws`
  const socket = yield* Effect.acquireRelease(
    Effect.callback<WebSocket>((resume) => {
      const socket = new WebSocket(target)
      socket.addEventListener("message", ({ data }) => {
        for (const text of String(data).split("\n")) if (text !== "") Queue.offerUnsafe(answers, text)
      })
      socket.addEventListener("close", ({ code }) => Queue.offerUnsafe(answers, `closed with ${code}`))
      socket.addEventListener("open", () => resume(Effect.succeed(socket)))
    }),
    (socket) => Effect.sync(() => socket.close())
  )
  let calls = 0
  return {
    ask: Effect.fnUntraced(function* (frame) {
      const id = `ours-${++calls}`
      socket.send(frame)
      socket.send(`\n${line(message("schedule_list", { session: SESSION }, { id }))}\n`)
      const told: Array<string> = []
      for (;;) {
        const text = yield* Queue.take(answers)
        assert.notMatch(text, /^closed/u, Nasty.brief(frame))
        if (JSON.parse(text).requestId === id) return told
        told.push(text)
      }
    })
  }
})

const overWebSocket = ({ ask }: Connection, frame: string | Uint8Array<ArrayBuffer>) =>
  Effect.map(ask(frame), (told) => told.forEach((text) => isTold(text, Nasty.brief(frame))))

describe("RPC messages of any shape", () => {
  layer(host)("to a host with one Session", (it) => {
    it.effect("make the Session", () => post("/sessions", { id: SESSION }))

    it.effect.prop("are answered in our words over HTTP", [lines], ([text]) => overHttp(`${text}\n`), Nasty.runs(150))

    it.effect("are answered over HTTP whatever text or bytes stand in the place of a part", () =>
      Effect.gen(function* () {
        for (const text of Nasty.texts) for (const body of graft(text)) yield* overHttp(body)
        for (const bytes of Nasty.bytes) yield* overHttp(bytes)
      })
    )

    it.effect.prop(
      "never end a WebSocket, on which the next call is answered",
      [lines],
      ([text]) =>
        Effect.gen(function* () {
          if (text.length < 60_000) yield* overWebSocket(yield* connect(), `${text}\n`)
        }).pipe(Effect.scoped),
      Nasty.runs(100)
    )

    it.effect("are answered over one WebSocket, in frames of any content", () =>
      Effect.gen(function* () {
        const connection = yield* connect()
        const frames = Nasty.texts.flatMap(graft).filter(({ length }) => length < 60_000)
        for (const frame of frames) yield* overWebSocket(connection, frame)
        for (const bytes of Nasty.bytes) yield* overWebSocket(connection, bytes)
        for (const part of ["{", '"_tag":', "[".repeat(30_000), "\r\n\r\n", "\n\n"]) {
          yield* overWebSocket(connection, part)
        }
      })
    )

    it.effect("leave the Session as it was, but for what was acknowledged", () =>
      Effect.gen(function* () {
        const { json } = yield* get(`/sessions/${SESSION}`)
        assert.deepInclude(json, { state: "live", corrupt: null, activeReminders: yield* reminders })
      })
    )
  })
})
