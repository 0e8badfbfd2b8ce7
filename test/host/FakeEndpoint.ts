/** An OpenAI-compatible endpoint on a real socket that answers as a test says, and keeps what it was asked. */
import { Effect } from "effect"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

interface Asked {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: any
}

export type Reply = (response: ServerResponse) => void

export const json =
  (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Reply =>
  (response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))

export const text =
  (body: string, status: number, contentType: string): Reply =>
  (response) =>
    response.writeHead(status, { "content-type": contentType }).end(body)

/** Server-sent events, each a chunk of an answer, with what closes them. */
export const events =
  (...chunks: ReadonlyArray<unknown>): Reply =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    for (const chunk of chunks) response.write(`data: ${JSON.stringify(chunk)}\n\n`)
    response.end("data: [DONE]\n\n")
  }

/** Begins to answer with so much, and is gone. */
export const cut =
  (begun: string, contentType: string): Reply =>
  (response) => {
    response.writeHead(200, { "content-type": contentType, "content-length": "10000" })
    response.write(begun, () => response.destroy())
  }

/** Gone without a word. */
export const hangUp: Reply = (response) => response.destroy()

/** Never answers. */
export const silence: Reply = () => {}

/** An endpoint that gives the replies one after the other, and the last of them from then on. */
export const make = Effect.fnUntraced(function* (...replies: ReadonlyArray<Reply>) {
  const asked: Array<Asked> = []
  let heard = () => {}
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (part: string) => (body += part))
    request.on("end", () => {
      replies[Math.min(asked.length, replies.length - 1)]?.(response)
      asked.push({ path: request.url ?? "", headers: request.headers, body: JSON.parse(body) })
      heard()
    })
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () => Effect.sync(() => (server.close(), server.closeAllConnections()))
  )
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    /** Waits until so many requests have come. */
    heard: (count: number) =>
      Effect.callback<void>((resume) => {
        heard = () => void (asked.length >= count && resume(Effect.void))
        heard()
      })
  }
})

/** An address where nobody listens. */
export const nowhere = Effect.map(Effect.scoped(make()), ({ url }) => url)
