import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import * as HostRpcClient from "../../src/host/HostRpcClient.ts"
import { Limits } from "../../src/host/Listener.ts"
import { follow, get, hostWith, isRefused, post, url } from "./HttpClient.ts"

const limits = {
  headersMillis: 10_000,
  requestMillis: 30_000,
  standstillMillis: 300_000,
  connections: 1_000,
  streams: 2,
  mcpSessions: 8
}

const limited = Layer.provide(hostWith({}), Layer.succeed(Limits, limits))

/** Follows over HTTP until the scope is closed, from when it has begun. */
const following = Effect.flatMap(follow("/sessions/s/events"), ({ next }) => next)

const rpc = Effect.flatMap(url, (url) =>
  Effect.map(Layer.build(HostRpcClient.layerWebSocket({ url })), (context) =>
    Effect.provideContext(HostRpcClient.HostRpcClient, context)
  )
).pipe(Effect.flatten)

describe("The streams of a host", () => {
  layer(limited, { excludeTestServices: true })("beyond as many as it takes", (it) => {
    it.effect("are refused over HTTP and RPC, in words, until there is room again", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "s" })
        yield* post("/sessions/s/prompts", { text: "hello" })
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* following
            const client = yield* rpc
            yield* Stream.runDrain(Stream.take(client.session_follow({ session: "s" }), 1))
            yield* following
            isRefused(yield* get("/sessions/s/events"), 503, "too_many_streams")
            const refused = yield* Effect.flip(Stream.runDrain(client.session_follow({ session: "s" })))
            assert.deepInclude(refused, { code: "too_many_streams" })
            isRefused(yield* get("/sessions/nobody/transcript"), 404, "session_not_found")
          })
        )
        const client = yield* rpc
        const first = client.session_follow({ session: "s" }).pipe(Stream.take(1), Stream.runCollect)
        const [event] = yield* Effect.retry(first, {
          while: (error) => "code" in error && error.code === "too_many_streams"
        })
        assert.strictEqual(event?.type, "inbox/queued")
      })
    )
  })
})
