/**
 * Where the other runners reach this one. A connection of theirs that has ended takes nothing more: Effect's socket has
 * whoever still answers wait until it opens again, or drains, which it never does; and where that wait can't be
 * interrupted, the runner would not end.
 */
import * as NodeClusterSocket from "@effect/platform-node/NodeClusterSocket"
import { Deferred, Effect, Exit, Layer, type Scope } from "effect"
import type { ShardingConfig } from "effect/cluster"
import { Socket, SocketServer } from "effect/socket"

const over = Exit.fail(new Socket.SocketError({ reason: new Socket.SocketCloseError({ code: 1006 }) }))

/** The same connection; what is written when it ends, or later, fails. */
const once = (socket: Socket.Socket): Socket.Socket => {
  const ended = Deferred.makeUnsafe<never, Socket.SocketError>()
  // Whoever writes may be uninterruptible; the write is not.
  const untilEnded = (write: Effect.Effect<void, Socket.SocketError>) =>
    Effect.raceFirst(Effect.interruptible(Deferred.await(ended)), Effect.interruptible(write))
  const reader: Effect.Effect<Socket.Reader, Socket.SocketError, Scope.Scope> = Effect.tap(socket.reader, () =>
    Effect.addFinalizer(() => Deferred.done(ended, over))
  )
  const writer = Effect.map(socket.writer, ({ write, writeAll }) => ({
    write: (chunk: Parameters<typeof write>[0]) => untilEnded(write(chunk)),
    writeAll: (chunks: Parameters<typeof writeAll>[0]) => untilEnded(writeAll(chunks))
  }))
  return Socket.make({ reader, writer })
}

const make = Effect.map(SocketServer.SocketServer, ({ address, run }) =>
  SocketServer.SocketServer.of({ address, run: (handler) => run((socket) => handler(once(socket))) })
)

/** Listens for as long as the layer is open, at the address of the settings and no other. */
export const layer: Layer.Layer<
  SocketServer.SocketServer,
  SocketServer.SocketServerError,
  ShardingConfig.ShardingConfig
> = Layer.effect(SocketServer.SocketServer, make).pipe(Layer.provide(NodeClusterSocket.layerSocketServer))
