/** An OpenTelemetry collector that takes JSON over HTTP, and keeps it. */
import { Deferred, Effect, Exit } from "effect"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"

export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly links: ReadonlyArray<{ readonly traceId: string; readonly spanId: string }>
}

interface Sent {
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

const valueOf = (value: any): unknown =>
  value.arrayValue === undefined ? Object.values(value)[0] : value.arrayValue.values.map(valueOf)

const attributesOf = (attributes: ReadonlyArray<{ key: string; value: unknown }>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]))

const spansOf = (body: string): ReadonlyArray<Span> =>
  JSON.parse(body)
    .resourceSpans.flatMap(({ scopeSpans }: any) => scopeSpans.flatMap(({ spans }: any) => spans))
    .map((span: any) => ({ ...span, attributes: attributesOf(span.attributes), links: span.links ?? [] }))

/** One that answers, or with `silent` one that only takes. */
export const make = Effect.fnUntraced(function* ({ silent = false }: { readonly silent?: boolean } = {}) {
  const sent: Array<Sent> = []
  const heard = Deferred.makeUnsafe<void>()
  const server = createServer((request, response) => {
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => {
      sent.push({ path: request.url ?? "", headers: request.headers, body: Buffer.concat(parts).toString() })
      Deferred.doneUnsafe(heard, Exit.void)
      if (!silent) response.writeHead(200, { "content-type": "application/json" }).end("{}")
    })
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Everything that was sent, in order. */
    sent,
    /** Waits until something was sent. */
    heard: Deferred.await(heard),
    spans: () => sent.filter(({ path }) => path === "/v1/traces").flatMap(({ body }) => spansOf(body))
  }
})
