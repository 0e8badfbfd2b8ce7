/**
 * Runs the host until it is told to stop.
 */
import { Effect, Layer } from "effect"
import { HttpServer as Bound, type HttpServerError } from "effect/http"
import * as HttpServer from "../host/HttpServer.ts"
import * as Resume from "../host/Resume.ts"
import * as Telemetry from "../host/Telemetry.ts"
import * as GracePeriod from "./GracePeriod.ts"
import * as LogLine from "./LogLine.ts"
import { print, type Refusal, refuse } from "./Output.ts"
import type { ModelLayer } from "./ServeModel.ts"
import * as ServeStore from "./ServeStore.ts"
import type { Store } from "./ServeStore.ts"

export interface Options extends HttpServer.Options {
  readonly store: Store
  readonly model: ModelLayer
  readonly logFormat: LogLine.Format
  /** Whether to go on with what the Sessions have to do. */
  readonly resume: boolean
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program listens there. Stop it, or choose another port with --port.",
  EACCES: "that port is reserved. Choose one above 1023 with --port.",
  EADDRNOTAVAIL: "this machine has no such address. Choose another with --host."
}

const reasonOf = (cause: unknown): string => {
  const { code } = Object(cause) as { readonly code?: unknown }
  return reasons[String(code)] ?? "the system refuses it."
}

const unserved =
  ({ host, port }: Options) =>
  (error: ServeStore.Failure | Telemetry.TelemetryError | HttpServerError.ServeError): Refusal => {
    switch (error._tag) {
      case "StoreError":
        return refuse("unusable_database", error.message)
      case "ConfigError":
        return refuse("invalid_cluster", `A setting of the cluster can't be read: ${error.message}`)
      case "TelemetryError":
        return refuse("invalid_telemetry", error.message)
      case "SocketServerError":
        return refuse("unusable_address", `The runner can't listen: ${reasonOf(error.reason.cause)}`)
      default:
        return refuse("unusable_address", `The host can't listen on ${host}, port ${port}: ${reasonOf(error.cause)}`)
    }
  }

/** The first signal stops the host and succeeds; whoever sends a second one will not wait for that. */
const untilStopped = Effect.onInterrupt(Effect.never, () =>
  Effect.suspend(() => {
    process.exitCode = 0
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130))
    return Effect.forkDetach(GracePeriod.enforce((code) => process.exit(code)))
  })
)

const url = Effect.map(Bound.HttpServer, ({ address }) => Bound.formatAddress(address))

export const serve = (options: Options) =>
  Effect.gen(function* () {
    const sessions = yield* ServeStore.load(options.store, options.model)
    const layer = HttpServer.layer(options).pipe(
      Layer.provideMerge(sessions),
      Layer.provideMerge(Telemetry.layer),
      Layer.provideMerge(LogLine.layerOf(options.logFormat))
    )
    const context = yield* Effect.mapError(Layer.build(layer), unserved(options))
    const at = yield* Effect.provide(url, context)
    yield* print({ url: at }, `Listening on ${at}`)
    yield* Effect.forkScoped(Effect.provide(options.resume ? Resume.run : Resume.hint, context))
    return yield* untilStopped
  }).pipe(Effect.scoped)
