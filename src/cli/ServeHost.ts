/**
 * Runs the host until it is told to stop.
 */
import { Effect, Layer } from "effect"
import { HttpServer as Bound, type HttpServerError } from "effect/http"
import * as HttpServer from "../host/HttpServer.ts"
import * as Resume from "../host/Resume.ts"
import * as SqliteHost from "../host/SqliteHost.ts"
import * as Telemetry from "../host/Telemetry.ts"
import type { StoreError } from "../layers/StoreError.ts"
import * as LogLine from "./LogLine.ts"
import { print, type Refusal, refuse } from "./Output.ts"
import type { ModelLayer } from "./ServeModel.ts"

export interface Options extends HttpServer.Options {
  /** The file of the database. */
  readonly db: string
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

const unserved =
  ({ host, port }: Options) =>
  (error: StoreError | Telemetry.TelemetryError | HttpServerError.ServeError): Refusal => {
    if (error._tag === "StoreError") return refuse("unusable_database", error.message)
    if (error._tag === "TelemetryError") return refuse("invalid_telemetry", error.message)
    const { code } = Object(error.cause) as { readonly code?: unknown }
    const reason = reasons[String(code)] ?? "the system refuses it."
    return refuse("unusable_address", `The host can't listen on ${host}, port ${port}: ${reason}`)
  }

/** The first signal stops the host and succeeds; whoever sends a second one will not wait for that. */
const untilStopped = Effect.onInterrupt(Effect.never, () =>
  Effect.sync(() => {
    process.exitCode = 0
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130))
  })
)

const url = Effect.map(Bound.HttpServer, ({ address }) => Bound.formatAddress(address))

export const serve = (options: Options) =>
  Effect.gen(function* () {
    const sessions = SqliteHost.layer({ file: options.db, model: options.model })
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
