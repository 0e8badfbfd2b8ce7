/**
 * Plain requests over a real socket to the host under test, as any program would send them.
 */
import { assert } from "@effect/vitest"
import { type Cause, Effect, Layer, Queue, Stream } from "effect"
import * as Sse from "effect/encoding/Sse"
import { HttpServer as Server } from "effect/http"
import { connect } from "node:net"
import * as HttpServer from "../../src/host/HttpServer.ts"
import * as FaultySessions from "./FaultySessions.ts"

export const hostWith = (options: Partial<HttpServer.Options>) =>
  HttpServer.layer({ port: 0, host: "127.0.0.1", ...options }).pipe(Layer.provide(FaultySessions.layer))

export const host = hostWith({})

export const port = Effect.map(Server.HttpServer, ({ address }) => ("port" in address ? address.port : 0))
export const url = Effect.map(port, (port) => `http://127.0.0.1:${port}`)

export interface Answer {
  readonly status: number
  readonly json: any
  readonly headers: Headers
}

export const send = (method: string, path: string, body?: BodyInit, headers: Record<string, string> = {}) =>
  Effect.flatMap(url, (url) =>
    Effect.promise(async (signal): Promise<Answer> => {
      const content = body === undefined ? {} : { body, duplex: "half" }
      const answer = await fetch(`${url}${path}`, { method, headers, signal, ...content })
      const text = await answer.text()
      return { status: answer.status, json: text === "" ? undefined : JSON.parse(text), headers: answer.headers }
    })
  )

export const get = (path: string, headers?: Record<string, string>) => send("GET", path, undefined, headers)

export const json = { "content-type": "application/json" }

export const post = (path: string, body?: unknown) =>
  send("POST", path, body === undefined ? undefined : JSON.stringify(body), json)

export const isRefused = (answer: Answer, status: number, code: string): void => {
  assert.deepStrictEqual([answer.status, answer.json.code], [status, code])
  assert.isString(answer.json.message)
  assert.match(answer.headers.get("content-type") ?? "", /^application\/json/u)
}

/** What the host says to bytes of any kind, until it closes the connection. */
export const raw = (bytes: string) =>
  Effect.flatMap(port, (port) =>
    Effect.callback<string>((resume) => {
      const socket = connect(port, "127.0.0.1", () => socket.write(bytes))
      let answer = ""
      socket.setEncoding("utf8")
      socket.on("data", (part: string) => (answer += part))
      socket.on("close", () => resume(Effect.succeed(answer)))
      socket.on("error", () => socket.destroy())
    })
  )

interface Message {
  readonly id: string | undefined
  readonly event: string
  readonly data: string
}

/** Follows a transcript; the queue ends with the stream. */
export const follow = Effect.fnUntraced(function* (path: string, headers: Record<string, string> = {}) {
  const target = `${yield* url}${path}`
  const messages = yield* Queue.unbounded<Message, Cause.Done>()
  const response = yield* Effect.promise((signal) => fetch(target, { headers, signal }))
  assert.match(response.headers.get("content-type") ?? "", /^text\/event-stream/u)
  yield* Stream.fromReadableStream({ evaluate: () => response.body!, onError: String }).pipe(
    Stream.decodeText,
    Stream.pipeThroughChannel(Sse.decode()),
    Stream.runForEach((message) => Queue.offer(messages, message)),
    Effect.ensuring(Queue.end(messages)),
    Effect.forkScoped
  )
  const next = Queue.take(messages)
  /** The events of the transcript up to one of that type. */
  const until = Effect.fnUntraced(function* (type: string) {
    const told: Array<Message> = []
    while (told.length === 0 || JSON.parse(told.at(-1)?.data ?? "").type !== type) {
      const message = yield* next
      if (message.event === "message") told.push(message)
    }
    return told
  })
  return { next, until }
})
