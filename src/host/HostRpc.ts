/**
 * RPC on the host's Sessions and their reminders, over HTTP at `/rpc` and over WebSocket at `/rpc/ws`.
 */
import { Effect, Layer } from "effect"
import type { HttpRouter } from "effect/http"
import { RpcSerialization, RpcServer } from "effect/rpc"
import type { BearerToken } from "../layers/BearerToken.ts"
import * as RpcAuthBearer from "../layers/RpcAuthBearer.ts"
import * as ScheduleRpcHandlers from "../layers/ScheduleRpcHandlers.ts"
import { RemindersBySession } from "../services/ScheduleRpc.ts"
import { answered } from "./HostFailure.ts"
import type { Listener } from "./Listener.ts"
import * as RpcLines from "./RpcLines.ts"
import { Sessions } from "./Sessions.ts"
import { HostRpc } from "./SessionsRpc.ts"
import * as SessionsRpcHandlers from "./SessionsRpcHandlers.ts"
import * as WebSocketHandshake from "./WebSocketHandshake.ts"

/** A call makes its Session live. */
const reminders = Layer.effect(
  RemindersBySession,
  Effect.map(Sessions, (sessions) => RemindersBySession.of({ get: (session) => answered(sessions.reminders(session)) }))
)

const serialization = Layer.succeed(RpcSerialization.RpcSerialization)

const options = { group: HostRpc, disableFatalDefects: true } as const

const routes = Layer.mergeAll(
  RpcServer.layerHttp({ ...options, path: "/rpc", protocol: "http" }).pipe(Layer.provide(serialization(RpcLines.body))),
  RpcServer.layerHttp({ ...options, path: "/rpc/ws", protocol: "websocket" }).pipe(
    Layer.provide([serialization(RpcLines.stream), WebSocketHandshake.layer])
  )
)

/** Both endpoints, for those who show the token if there is one. */
export const layer = (
  token: BearerToken | undefined
): Layer.Layer<never, never, Sessions | Listener | HttpRouter.HttpRouter> =>
  routes.pipe(
    Layer.provide([ScheduleRpcHandlers.layer, SessionsRpcHandlers.layer, RpcAuthBearer.layer(token)]),
    Layer.provide(reminders)
  )
