/**
 * The Node server under the host's endpoints: it waits for no one for long, and is gone within seconds when told to stop.
 */
import { Context, Deferred, Effect, Fiber, Layer } from "effect"
import { createServer, type Server } from "node:http"
import { Socket } from "node:net"
import type { Duplex } from "node:stream"
import * as OpenStreams from "./OpenStreams.ts"

/** How long requests under way may take when the host stops. */
const GRACE = "2 seconds"

/** How long whoever is refused may take to leave. */
const PARTING_MILLIS = 1_000

/** What one client may take of the host, times in milliseconds. */
export const Limits = Context.Reference("effect-session-schedule/host/Limits", {
  defaultValue: () => ({
    /** How long the headers of a request may take to arrive. */
    headersMillis: 10_000,
    /** How long a whole request may take. */
    requestMillis: 30_000,
    /** How long a connection may stand still while it is answered: its peer does not read, or is gone. */
    standstillMillis: 300_000,
    /** The most connections at a time; each more is closed at once. */
    connections: 1_000,
    /** The most streams that are open at a time, over HTTP and RPC together; each more is refused. */
    streams: 800,
    /** The most conversations of MCP clients that are kept; each more ends the one that was used longest ago. */
    mcpSessions: 1_000
  })
})

export class Listener extends Context.Service<
  Listener,
  {
    readonly server: Server
    /** Succeeds when the host begins to stop: what would go on for ever ends then. */
    readonly stopping: Effect.Effect<void>
    /** Takes no more requests, lets those under way end, and cuts off what is left after two seconds. */
    readonly stop: Effect.Effect<void>
    /** Those who follow Sessions. */
    readonly streams: OpenStreams.OpenStreams
  }
>()("effect-session-schedule/host/Listener") {}

const REFUSAL = JSON.stringify({
  code: "invalid_request",
  message: "This is not an HTTP request that can be read here."
})

/** What can't be read as HTTP gets an answer in JSON, too. */
const refuse = (error: Error & { readonly code?: string }, socket: Duplex): void => {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy()
  socket.end(
    "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json\r\n" +
      `Content-Length: ${Buffer.byteLength(REFUSAL)}\r\n\r\n${REFUSAL}`
  )
  if (socket instanceof Socket) socket.setTimeout(PARTING_MILLIS, () => socket.destroy())
}

const serverWithin = (limits: Context.Service.Shape<typeof Limits>): Server => {
  const server = createServer({
    headersTimeout: limits.headersMillis,
    requestTimeout: limits.requestMillis,
    connectionsCheckingInterval: Math.min(limits.headersMillis / 2, 5_000),
    maxHeaderSize: 16_384,
    // Who may ask is judged where every request is, and told in JSON.
    requireHostHeader: false,
    // The system finds out who is gone without a word.
    keepAlive: true,
    keepAliveInitialDelay: 30_000
  })
  server.timeout = limits.standstillMillis
  server.maxConnections = limits.connections
  return server
}

const make = Effect.map(Limits, (limits) => {
  const server = serverWithin(limits)
  const connections = new Set<Duplex>()
  const stopping = Deferred.makeUnsafe<void>()
  server.on("clientError", refuse)
  server.on("connect", (_, socket) => refuse(new Error("The host is no proxy"), socket))
  server.on("checkExpectation", (_, response) => {
    response.writeHead(417, { "content-type": "application/json", "content-length": REFUSAL.length }).end(REFUSAL)
  })
  server.on("connection", (socket) => {
    connections.add(socket)
    socket.once("close", () => connections.delete(socket))
  })

  const closed = Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
  })
  const cutOff = Effect.sync(() => {
    for (const socket of connections) socket.destroy()
  })

  const stop = Effect.gen(function* () {
    yield* Deferred.succeed(stopping, undefined)
    const end = yield* Effect.forkDetach(Effect.interruptible(Effect.delay(cutOff, GRACE)))
    yield* closed
    yield* Fiber.interrupt(end)
  })

  const streams = OpenStreams.make(limits.streams)
  return Listener.of({ server, stopping: Deferred.await(stopping), stop, streams })
})

export const layer: Layer.Layer<Listener> = Layer.effect(Listener, make)
