/**
 * The host on one loopback port: the HTTP API, and RPC over HTTP (`/rpc`) and WebSocket (`/rpc/ws`).
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { ByteSize, Cause, Effect, Layer } from "effect"
import { HttpEffect, HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { RpcSerialization, RpcServer } from "effect/rpc"
import * as ScheduleRpcHandlers from "../layers/ScheduleRpcHandlers.ts"
import { ScheduleRpc } from "../services/ScheduleRpc.ts"
import type { Failure } from "./HostApi.ts"
import * as HostApiHandlers from "./HostApiHandlers.ts"
import { internalError } from "./HostFailure.ts"
import * as Listener from "./Listener.ts"
import * as RemindersOfSessions from "./RemindersOfSessions.ts"
import * as RequestGuard from "./RequestGuard.ts"

/** Where to listen. Port 0 picks a free one. */
export interface Options {
  readonly port: number
  readonly host: string
}

/** The largest body, or WebSocket message, that is read. */
const MAX_BODY = ByteSize.kibibytes(64)

/** A path parameter is judged by whoever it names something for, not by its length. */
const routerConfig = { maxParamLength: 16_384 }

const rpc = Layer.mergeAll(
  RpcServer.layerHttp({ group: ScheduleRpc, path: "/rpc", protocol: "http", disableFatalDefects: true }),
  RpcServer.layerHttp({ group: ScheduleRpc, path: "/rpc/ws", protocol: "websocket", disableFatalDefects: true })
).pipe(
  Layer.provide(ScheduleRpcHandlers.layer),
  Layer.provide(RemindersOfSessions.layer),
  Layer.provide(RpcSerialization.layerNdjson)
)

/** What the frameworks below say without words. */
const failureOf = (status: number): Failure => {
  switch (status) {
    case 404:
      return { code: "not_found", message: "There is nothing at this path; /openapi.json lists what there is." }
    case 413:
      return { code: "too_large", message: "The body is larger than 64 KiB." }
    case 415:
      return { code: "invalid_request", message: "Send the body as JSON, with content-type: application/json." }
    case 503:
      return { code: "unavailable", message: "The host is stopping; try again when it is back." }
    default:
      return status < 500 ? { code: "invalid_request", message: "This request is not understood." } : internalError
  }
}

const isJson = (response: HttpServerResponse.HttpServerResponse): boolean =>
  response.headers["content-type"]?.startsWith("application/json") === true

/** Every failure is JSON, and nothing is kept by caches or read by other sites. */
const plain = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
  const isPlain = response.status < 400 || isJson(response)
  const status = response.status === 415 ? 400 : response.status
  const told = isPlain ? response : HttpServerResponse.jsonUnsafe(failureOf(response.status), { status })
  return HttpServerResponse.setHeaders(told, {
    "cache-control": told.headers["cache-control"] ?? "no-store",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff"
  })
}

const isUnexpected = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => reason._tag === "Die" && !HttpServerError.isHttpServerError(reason.defect))

/** What holds for every request, whoever answers it. */
const everyRequest = HttpRouter.middleware(
  (app) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      yield* HttpEffect.appendPreResponseHandler((_, response) => Effect.succeed(plain(response)))
      const refusal = RequestGuard.refusal(request.headers)
      if (refusal !== undefined) {
        return HttpServerResponse.jsonUnsafe({ code: "forbidden", message: refusal } satisfies Failure, { status: 403 })
      }
      return yield* app
    }).pipe(
      Effect.provideService(HttpServerRequest.MaxBodySize, MAX_BODY),
      Effect.tapCause((cause) =>
        isUnexpected(cause) ? Effect.logError("A request failed unexpectedly", cause) : Effect.void
      )
    ),
  { global: true }
)

const routes = Layer.mergeAll(HostApiHandlers.layer, rpc, everyRequest)

const node = ({ host, port }: Options) =>
  Layer.unwrap(
    Effect.map(Listener.Listener, ({ server }) =>
      NodeHttpServer.layer(() => server, {
        host,
        port,
        disablePreemptiveShutdown: true,
        websocket: { maxPayload: ByteSize.toNumberUnsafe(MAX_BODY) }
      })
    )
  )

/** Stops the listener before what answers its requests is taken down. */
const stopFirst = Layer.effectDiscard(
  Effect.flatMap(Listener.Listener, ({ stop }) => Effect.addFinalizer(() => stop))
)

/** The host's Sessions, served: `HttpServer` tells the address. Fails if it can't listen there. */
export const layer = (options: Options) =>
  stopFirst.pipe(
    Layer.provideMerge(HttpRouter.serve(routes, { routerConfig, disableLogger: true, disableListenLog: true })),
    Layer.provideMerge(node(options)),
    Layer.provide(Listener.layer)
  )
