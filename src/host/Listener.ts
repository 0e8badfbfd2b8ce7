/**
 * The Node server under the host's endpoints: it waits for no one for long, and is gone within seconds when told to stop.
 */
import { Context, Deferred, Effect, Fiber, Layer } from "effect"
import { createServer, type Server } from "node:http"
import type { Duplex } from "node:stream"

/** How long requests under way may take when the host stops. */
const GRACE = "2 seconds"

const patience = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16_384
}

export class Listener extends Context.Service<
  Listener,
  {
    readonly server: Server
    /** Succeeds when the host begins to stop: what would go on for ever ends then. */
    readonly stopping: Effect.Effect<void>
    /** Takes no more requests, lets those under way end, and cuts off what is left after two seconds. */
    readonly stop: Effect.Effect<void>
  }
>()("effect-session-schedule/host/Listener") {}

/** What can't be read as HTTP gets an answer in JSON, too. */
const refuse = (error: Error & { readonly code?: string }, socket: Duplex): void => {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy()
  const body = JSON.stringify({
    code: "invalid_request",
    message: "This is not an HTTP request that can be read here."
  })
  socket.end(
    "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json\r\n" +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
}

const make = Effect.sync(() => {
  const server = createServer(patience)
  const connections = new Set<Duplex>()
  const stopping = Deferred.makeUnsafe<void>()
  server.on("clientError", refuse)
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

  return Listener.of({ server, stopping: Deferred.await(stopping), stop })
})

export const layer: Layer.Layer<Listener> = Layer.effect(Listener, make)
