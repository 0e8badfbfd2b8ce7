import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { connect } from "node:net"
import { follow, host, port, post, raw } from "./HttpClient.ts"

/** A connection on which some bytes were sent; succeeds with what came until it was closed. */
const connection = (bytes: string) =>
  Effect.flatMap(port, (port) =>
    Effect.callback<Effect.Effect<string>>((resume) => {
      let answer = ""
      const socket = connect(port, "127.0.0.1", () => socket.write(bytes))
      const ended = Effect.callback<string>((done) => {
        if (socket.destroyed) done(Effect.succeed(answer))
        else socket.once("close", () => done(Effect.succeed(answer)))
      })
      socket.setEncoding("utf8").on("data", (part: string) => (answer += part))
      socket.on("error", () => socket.destroy())
      socket.on("connect", () => resume(Effect.succeed(ended)))
    })
  )

const upgrade =
  "GET /rpc/ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"

describe("Listener", () => {
  it.effect("ends streams at once when told to stop, and cuts off what is left after two seconds", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(host, scope)
      yield* Effect.gen(function* () {
        yield* post("/sessions", { id: "a" })
        const { next } = yield* follow("/sessions/a/events")
        assert.strictEqual((yield* next).event, "heartbeat")
        const endless = yield* connection("POST /sessions/never/open HTTP/1.1\r\nHost: localhost\r\n\r\n")
        const unfinished = yield* connection("POST /sessions HTTP/1.1\r\nHost: loc")
        const webSocket = yield* connection(upgrade)

        const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
        assert.isTrue(Cause.isDone(yield* Effect.flip(next)))
        assert.isUndefined(closing.pollUnsafe())
        yield* TestClock.adjust("2 seconds")
        yield* Fiber.join(closing)
        assert.match(yield* webSocket, /^HTTP\/1\.1 101 /u)
        for (const ended of [endless, unfinished]) assert.strictEqual(yield* ended, "")
      }).pipe(Effect.provide(context))
    })
  )

  it.effect("waits for no one when nothing is under way", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(host, scope)
      yield* Effect.provide(post("/sessions", { id: "a" }), context)
      yield* Scope.close(scope, Exit.void)
    })
  )

  it.effect("answers in JSON what Node would refuse in its own way", () =>
    Effect.gen(function* () {
      const body = "Connection: close\r\nContent-Length: 2\r\n\r\n{}"
      const refused = [
        ["GET /sessions HTTP/1.1\r\nConnection: close\r\n\r\n", 403],
        [`POST /sessions HTTP/1.1\r\nHost: localhost\r\nExpect: magic\r\n${body}`, 417],
        ["CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400]
      ] as const
      for (const [bytes, status] of refused) {
        assert.match(yield* raw(bytes), new RegExp(`^HTTP/1\\.1 ${status} [^]*\\{"code":"[a-z_]+","message":"`, "u"))
      }
    }).pipe(Effect.provide(host))
  )
})
