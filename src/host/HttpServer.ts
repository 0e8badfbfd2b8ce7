/**
 * The host on one port of the machine itself: all that it answers to, and how it begins and stops to listen.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer } from "effect"
import { HttpRouter, type HttpServer, type HttpServerError } from "effect/http"
import * as EveryRequest from "./EveryRequest.ts"
import * as HostApiHandlers from "./HostApiHandlers.ts"
import * as HostRpc from "./HostRpc.ts"
import * as Listener from "./Listener.ts"
import type { Sessions } from "./Sessions.ts"

/** Where to listen. Port 0 picks a free one. */
export interface Options {
  readonly port: number
  readonly host: string
}

const routes = Layer.mergeAll(HostApiHandlers.layer, HostRpc.layer, EveryRequest.layer)

const served = HttpRouter.serve(routes, {
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

/** The host's Sessions, served; `HttpServer` tells the address. Fails if it can't listen there. */
export const layer = (options: Options): Layer.Layer<HttpServer.HttpServer, HttpServerError.ServeError, Sessions> =>
  stopFirst.pipe(Layer.provideMerge(served), Layer.provideMerge(node(options)), Layer.provide(Listener.layer))
