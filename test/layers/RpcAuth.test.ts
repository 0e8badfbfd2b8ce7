import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { RpcTest } from "effect/rpc"
import * as BearerToken from "../../src/layers/BearerToken.ts"
import * as RpcAuthBearer from "../../src/layers/RpcAuthBearer.ts"
import * as ScheduleRpcHandlers from "../../src/layers/ScheduleRpcHandlers.ts"
import { RpcAuth } from "../../src/services/RpcAuth.ts"
import { RemindersBySession, ScheduleRpc } from "../../src/services/ScheduleRpc.ts"
import * as SessionWorld from "../../src/testing/SessionWorld.ts"

const Tools = ScheduleRpc.middleware(RpcAuth)
const right = Option.getOrThrow(BearerToken.fromText("right"))
const wrong = Option.getOrThrow(BearerToken.fromText("wrong"))

/** Lists the reminders of a server that asks for one token, with another. */
const list = (asked: BearerToken.BearerToken | undefined, shown: BearerToken.BearerToken | undefined) =>
  Effect.gen(function* () {
    const { reminders } = yield* SessionWorld.make({ now: "2026-12-01T00:00:00.000Z" })
    const sessions = Layer.succeed(RemindersBySession, { get: () => Effect.succeed(reminders) })
    const client = yield* Effect.provide(RpcTest.makeClient(Tools), [
      Layer.provide(ScheduleRpcHandlers.layer, sessions),
      RpcAuthBearer.layer(asked),
      RpcAuthBearer.layerClient(shown)
    ])
    return yield* client.schedule_list({ session: "any" })
  })

describe("RpcAuth by a bearer token", () => {
  it.effect("lets those call who show it", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* list(right, right), [])
    })
  )

  it.effect("refuses everyone else, with a code", () =>
    Effect.gen(function* () {
      for (const shown of [wrong, undefined]) {
        assert.deepInclude(yield* Effect.flip(list(right, shown)), { code: "unauthorized" })
      }
    })
  )

  it.effect("lets everyone call where there is none", () =>
    Effect.gen(function* () {
      for (const shown of [right, undefined]) assert.deepStrictEqual(yield* list(undefined, shown), [])
    })
  )
})
