import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Queue } from "effect"
import { type Socket, SocketServer } from "effect/socket"
import { connect } from "node:net"
import * as ClusterSettings from "../../src/cluster/ClusterSettings.ts"
import * as RunnerSocket from "../../src/cluster/RunnerSocket.ts"
import * as Ports from "./Ports.ts"

/** A runner that listens at an address of this machine. */
const listening = Effect.fnUntraced(function* (host: string) {
  const port = yield* Ports.free
  const settings = ClusterSettings.layer({ host, port }, {})
  const { run } = yield* Effect.map(Layer.build(RunnerSocket.layer.pipe(Layer.provide(settings))), (context) =>
    SocketServer.SocketServer.pipe(Effect.provide(context))
  ).pipe(Effect.flatten)
  return { port, run }
})

/** A connection of another runner; the error, if it is refused. */
const reach = (host: string, port: number) =>
  Effect.acquireRelease(
    Effect.callback<string | ReturnType<typeof connect>>((resume) => {
      const connection = connect(port, host, () => resume(Effect.succeed(connection)))
      connection.once("error", (error) => resume(Effect.succeed("code" in error ? String(error.code) : "?")))
    }),
    (connection) => Effect.sync(() => void (typeof connection === "string" || connection.destroy()))
  )

describe("The port of a runner", () => {
  it.live("fails an answer to a runner that has hung up, though nothing can interrupt it", () =>
    Effect.gen(function* () {
      const { port, run } = yield* listening("127.0.0.1")
      const answered = yield* Queue.unbounded<string>()
      const late = Effect.fnUntraced(function* ({ write, writeAll }: Socket.Writer) {
        const exits = [yield* Effect.exit(write("late")), yield* Effect.exit(writeAll(["too", "late"]))]
        yield* Queue.offerAll(
          answered,
          exits.map(({ _tag }) => _tag)
        )
      }, Effect.uninterruptible)
      const handle = Effect.fnUntraced(function* (socket: Socket.Socket) {
        const writer = yield* socket.writer
        const soon = Effect.andThen(Effect.forkDetach(late(writer)), Effect.yieldNow)
        yield* Effect.scoped(
          Effect.flatMap(socket.reader, ({ pull }) => Effect.andThen(Effect.ignore(Effect.forever(pull)), soon))
        )
        yield* soon
      }, Effect.scoped)
      yield* Effect.forkScoped(run(handle))
      const connection = yield* reach("127.0.0.1", port)
      if (typeof connection === "string") return assert.fail(connection)
      connection.resetAndDestroy()
      const all = yield* Effect.timeout(Queue.takeN(answered, 4), "2 seconds")
      assert.deepStrictEqual(all, ["Failure", "Failure", "Failure", "Failure"])
    })
  )

  it.live("answers while the connection lasts", () =>
    Effect.gen(function* () {
      const { port, run } = yield* listening("127.0.0.1")
      yield* Effect.forkScoped(
        run((socket) =>
          Effect.gen(function* () {
            const { write, writeAll } = yield* socket.writer
            const { pull } = yield* socket.reader
            yield* pull
            yield* write("one")
            yield* writeAll(["two", "three"])
          }).pipe(Effect.scoped)
        )
      )
      const connection = yield* reach("127.0.0.1", port)
      if (typeof connection === "string") return assert.fail(connection)
      const heard = yield* Effect.callback<string>((resume) => {
        let all = ""
        connection.setEncoding("utf8").on("data", (part: string) => (all += part))
        connection.once("end", () => resume(Effect.succeed(all)))
        connection.write("?")
      })
      assert.strictEqual(heard, "onetwothree")
    })
  )

  it.live("is that of the address that it was given, and of no other of the machine", () =>
    Effect.gen(function* () {
      const { port } = yield* listening("127.0.0.2")
      assert.strictEqual(yield* reach("127.0.0.1", port), "ECONNREFUSED")
      assert.isFalse(typeof (yield* reach("127.0.0.2", port)) === "string")
    })
  )
})
