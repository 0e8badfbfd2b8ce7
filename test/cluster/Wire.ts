/**
 * A TCP proxy of ours, which can be cut: then nothing gets through in either direction, and nobody is told.
 */
import { Effect, type Scope } from "effect"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"

export interface Wire {
  readonly port: number
  readonly cut: Effect.Effect<void>
  /** Lets new connections through; those that were cut off hear that they are closed. */
  readonly mend: Effect.Effect<void>
}

interface Pair {
  readonly near: Socket
  readonly far: Socket
}

const destroy = ({ near, far }: Pair): void => {
  near.destroy()
  far.destroy()
}

const listen = (server: Server) =>
  Effect.callback<number>((resume) => {
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
  })

/** A wire to a port of this machine, for as long as the scope is open. */
export const make = Effect.fnUntraced(function* (target: number): Effect.fn.Return<Wire, never, Scope.Scope> {
  const pairs = new Set<Pair>()
  let isCut = false
  const server = createServer((near) => {
    const pair = { near, far: connect(target, "127.0.0.1") }
    pairs.add(pair)
    for (const [from, to] of [
      [near, pair.far],
      [pair.far, near]
    ] as const) {
      from.on("data", (bytes) => void (isCut || to.write(bytes)))
      from.on("error", () => destroy(pair))
      from.on("close", () => void (isCut || destroy(pair)))
    }
  })
  const port = yield* listen(server)
  const clear = () => {
    for (const pair of pairs) destroy(pair)
    pairs.clear()
  }
  yield* Effect.addFinalizer(() => Effect.sync(() => (clear(), void server.close())))
  return {
    port,
    cut: Effect.sync(() => void (isCut = true)),
    mend: Effect.sync(() => {
      isCut = false
      clear()
    })
  }
})
