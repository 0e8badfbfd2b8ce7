/**
 * HTTP as bytes, so that nothing is put right on the way, and what the host says to them.
 */
import { connect } from "node:net"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { port } from "../host/HttpClient.ts"
import * as Nasty from "./Nasty.ts"

export interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
}

/** How long the host may take to answer a small request. */
const PATIENCE_MILLIS = 8_000

/** The first answer, as long as it says that it is. */
const read = (text: string): Answer => {
  const [head = "", ...rest] = text.replace(/^HTTP\/1\.1 100 [^]*?\r\n\r\n/u, "").split("\r\n\r\n")
  const body = Buffer.from(rest.join("\r\n\r\n"))
  const length = Number(/\r\ncontent-length: (\d+)/iu.exec(head)?.[1] ?? body.length)
  return {
    status: Number(/^HTTP\/1\.[01] (\d{3}) /u.exec(head)?.[1] ?? 0),
    type: /\r\ncontent-type: ([^\r]*)/iu.exec(head)?.[1] ?? "",
    body: body.subarray(0, length).toString()
  }
}

/** Sends bytes, and reads until the host closes the connection; status 0 if it says nothing, -1 if it hangs. */
export const exchange = (bytes: string | Uint8Array) =>
  Effect.flatMap(port, (port) =>
    Effect.callback<Answer>((resume) => {
      let text = ""
      const socket = connect(port, "127.0.0.1", () => socket.write(bytes))
      const finish = (answer: Answer) => {
        clearTimeout(timer)
        socket.destroy()
        resume(Effect.succeed(answer))
      }
      const timer = setTimeout(() => finish({ status: -1, type: "", body: text }), PATIENCE_MILLIS)
      socket.setEncoding("utf8").on("data", (part: string) => (text += part))
      socket.on("error", () => finish(read(text)))
      socket.on("close", () => finish(read(text)))
      return Effect.sync(() => finish(read(text)))
    })
  )

/** A whole request, after which the host is to close the connection. */
export const request = (
  method: string,
  path: string,
  body?: string | Uint8Array,
  headers: ReadonlyArray<string> = []
) => {
  const content = body === undefined ? Buffer.alloc(0) : Buffer.from(body)
  const head = [
    `${method} ${path} HTTP/1.1`,
    "Host: localhost",
    "Connection: close",
    ...(body === undefined ? [] : ["Content-Type: application/json", `Content-Length: ${content.length}`]),
    ...headers
  ]
  return exchange(Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), content]))
}

/** Whether an answer is one that every caller can read: what was asked for, or a failure in JSON. */
export const isAnswer = ({ status, type, body }: Answer, where: string): void => {
  assert.isTrue(status >= 200 && status < 500, `${where}: ${status} ${body}`)
  if (status < 400 || body === "") return
  assert.match(type, /^application\/json/u, where)
  Nasty.isFailure(JSON.parse(body), where)
}
