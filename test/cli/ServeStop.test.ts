import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { Clock, Deferred, Effect, Exit, Fiber, Stream } from "effect"
import { HostRpcClient, layerHttp, layerWebSocket } from "../../src/host/HostRpcClient.ts"
import * as McpClient from "../host/McpClient.ts"
import { folder, serve } from "./Process.ts"

/** Follows a Session to its end, and tells when it has begun. */
const follow = Effect.fnUntraced(function* (transport: typeof layerHttp, url: string) {
  const begun = yield* Deferred.make<void>()
  const following = yield* Effect.flatMap(HostRpcClient, (client) =>
    client
      .session_follow({ session: "a" })
      .pipe(Stream.runForEach(() => Effect.asVoid(Deferred.succeed(begun, undefined))))
  ).pipe(Effect.provide(transport({ url })), Effect.forkScoped)
  yield* Deferred.await(begun)
  return following
})

describe("serve", () => {
  it.live("stops within seconds with clients of every kind, and tells those who follow that it is over", () =>
    Effect.gen(function* () {
      const host = yield* serve(`${yield* folder}/schedule.db`)
      const { url } = JSON.parse(yield* host.firstLine)
      const create = Effect.flatMap(HostRpcClient, (client) =>
        Effect.andThen(
          client.session_create({ id: "a" }),
          client.schedule_create({ session: "a", input: { prompt: "Tea", after_seconds: 60 } })
        )
      )
      yield* Effect.provide(create, layerHttp({ url }))
      const following = [yield* follow(layerHttp, url), yield* follow(layerWebSocket, url)]
      const events = yield* Effect.promise((signal) => fetch(`${url}/sessions/a/events`, { signal }))
      const mcp = new StreamableHTTPClientTransport(new URL(`${url}/sessions/a/mcp`))
      const client = yield* McpClient.connect(mcp as Transport)
      yield* McpClient.call(client, "schedule_list")

      const told = yield* Clock.currentTimeMillis
      yield* host.signal("SIGTERM")
      assert.include(yield* Effect.promise(() => events.text()), '"schedule-1"')
      for (const exit of yield* Fiber.awaitAll(following)) assert.isTrue(Exit.isSuccess(exit))
      const { code, err } = yield* host.ended
      assert.deepStrictEqual([code, err], [0, ""])
      assert.isBelow((yield* Clock.currentTimeMillis) - told, 10_000)
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
