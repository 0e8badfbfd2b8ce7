/**
 * RPC on the reminders of the host's Sessions, over HTTP at `/rpc` and over WebSocket at `/rpc/ws`.
 */
import { Effect, Layer } from "effect"
import type { HttpRouter } from "effect/http"
import { RpcSerialization, RpcServer } from "effect/rpc"
import * as ScheduleRpcHandlers from "../layers/ScheduleRpcHandlers.ts"
import { RemindersBySession, ScheduleRpc } from "../services/ScheduleRpc.ts"
import { answered } from "./HostFailure.ts"
import { Sessions } from "./Sessions.ts"

/** A call makes its Session live. */
const reminders = Layer.effect(
  RemindersBySession,
  Effect.map(Sessions, (sessions) => RemindersBySession.of({ get: (session) => answered(sessions.reminders(session)) }))
)

const { ndjson, RpcSerialization: Serialization } = RpcSerialization

/** A body is whole, so that its last line counts without a line end, too. */
const bodies = Serialization.of({
  ...ndjson,
  makeUnsafe: () => {
    const { decode, encode } = ndjson.makeUnsafe()
    return { encode, decode: (body) => decode(typeof body === "string" ? `${body}\n` : body) }
  }
})

const options = { group: ScheduleRpc, disableFatalDefects: true } as const

export const layer: Layer.Layer<never, never, Sessions | HttpRouter.HttpRouter> = Layer.mergeAll(
  RpcServer.layerHttp({ ...options, path: "/rpc", protocol: "http" }).pipe(
    Layer.provide(Layer.succeed(Serialization, bodies))
  ),
  RpcServer.layerHttp({ ...options, path: "/rpc/ws", protocol: "websocket" }).pipe(
    Layer.provide(RpcSerialization.layerNdjson)
  )
).pipe(Layer.provide(ScheduleRpcHandlers.layer), Layer.provide(reminders))
