/**
 * A way to the server on which it passes for another version of PostgreSQL: for those that are too old to be at hand.
 */
import { Effect, type Scope } from "effect"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

const replaced = (bytes: Buffer, words: readonly [string, string]): Buffer =>
  Buffer.from(bytes.toString("latin1").replace(...words), "latin1")

/** The port of that way. Both words are of the same length, and the answers must not be encrypted. */
export const make = (target: number, words: readonly [string, string]): Effect.Effect<number, never, Scope.Scope> =>
  Effect.gen(function* () {
    const open = new Set<Socket>()
    const server = createServer((near) => {
      const far = connect(target, "127.0.0.1")
      for (const [from, to] of [
        [near, far],
        [far, near]
      ] as const) {
        open.add(from)
        from.on("error", () => to.destroy()).on("close", () => to.destroy())
      }
      near.on("data", (bytes) => far.write(bytes))
      far.on("data", (bytes) => near.write(replaced(bytes, words)))
    })
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const socket of open) socket.destroy()
        server.close()
      })
    )
    return yield* Effect.callback<number>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
    })
  })
