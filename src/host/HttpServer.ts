/**
 * The host on one port: all that it answers to, and how it begins and stops to listen.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer, type HttpServerError } from "effect/http"
import type { BearerToken } from "../layers/BearerToken.ts"
import * as EveryRequest from "./EveryRequest.ts"
import * as HealthEndpoint from "./HealthEndpoint.ts"
import * as HostApiHandlers from "./HostApiHandlers.ts"
import * as HostMcp from "./HostMcp.ts"
import * as HostRpc from "./HostRpc.ts"
import * as Listener from "./Listener.ts"
import * as MetricsEndpoint from "./MetricsEndpoint.ts"
import * as Page from "./Page.ts"
import { isLoopback } from "./RequestGuard.ts"
import type { Sessions } from "./Sessions.ts"

/** Where to listen, and to whom. Port 0 picks a free one. */
export interface Options {
  readonly port: number
  readonly host: string
  /** What everyone must show who asks; needed where other machines reach the port. */
  readonly token?: BearerToken | undefined
}

const routes = ({ host, token }: Options) =>
  Layer.mergeAll(
    HostApiHandlers.layer,
    HostRpc.layer(token),
    HostMcp.layer,
    HealthEndpoint.layer(token),
    MetricsEndpoint.layer,
    Page.layer,
    EveryRequest.layer({ reach: isLoopback(host) ? "loopback" : "network", token })
  )

const served = (options: Options) =>
  HttpRouter.serve(routes(options), {
    /** An id in a path is judged by whoever knows what it names, not by its length. */
    routerConfig: { maxParamLength: 16_384 },
    disableLogger: true,
    disableListenLog: true
  })

const node = ({ host, port }: Options) =>
  Layer.unwrap(
    Effect.map(Listener.Listener, ({ server }) =>
      NodeHttpServer.layer(() => server, {
        host,
        port,
        disablePreemptiveShutdown: true,
        websocket: { maxPayload: EveryRequest.MAX_BODY_BYTES }
      })
    )
  )

/** Stops to listen before what answers is taken down. */
const stopFirst = Layer.effectDiscard(Effect.flatMap(Listener.Listener, ({ stop }) => Effect.addFinalizer(() => stop)))

const unguarded = Layer.effect(
  HttpServer.HttpServer,
  Effect.die(new TypeError("An address that other machines reach needs a token: whoever reaches it commands the host"))
)

/**
 * The host's Sessions, served; `HttpServer` tells the address. Fails if it can't listen there. To leave the token out
 * where other machines reach the port is a defect.
 */
export const layer = (options: Options): Layer.Layer<HttpServer.HttpServer, HttpServerError.ServeError, Sessions> =>
  options.token === undefined && !isLoopback(options.host)
    ? unguarded
    : stopFirst.pipe(
        Layer.provideMerge(served(options)),
        Layer.provideMerge(node(options)),
        Layer.provide(Listener.layer)
      )
