/**
 * Sends spans, metrics and logs to an OpenTelemetry collector, as the standard environment variables say: to nobody
 * without `OTEL_EXPORTER_OTLP_ENDPOINT` or an endpoint of a signal's own. A collector that is slow or away loses data,
 * and takes neither time nor memory from the host.
 */
import { Cause, Config, ConfigProvider, Effect, Layer, Option, Schema, Tracer } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { Otlp, OtlpSerialization } from "effect/observability"
import { VERSION } from "../Version.ts"
import * as DiscreetTracer from "./DiscreetTracer.ts"
import * as TelemetryVariables from "./TelemetryVariables.ts"

/** The environment asks for what can't be done. The message names the variable, and never its value: it may be a key. */
export class TelemetryError extends Schema.TaggedError<TelemetryError>()("TelemetryError", {
  message: Schema.String
}) {}

/** What OpenTelemetry takes for granted, and how long the end of the host may wait for a last export, in milliseconds. */
const defaults = ConfigProvider.fromUnknown({
  OTEL_SERVICE_NAME: "session-schedule",
  OTEL_SERVICE_VERSION: VERSION,
  OTEL_TRACES_EXPORTER: ["otlp"],
  OTEL_METRICS_EXPORTER: ["otlp"],
  OTEL_LOGS_EXPORTER: ["otlp"],
  OTEL_BSP_EXPORT_TIMEOUT: "2000",
  OTEL_BLRP_EXPORT_TIMEOUT: "2000",
  OTEL_METRIC_EXPORT_TIMEOUT: "2000"
})

/** How long one export may take, in milliseconds. */
const PATIENCE = 10_000

/** How many exports may be under way: a slow collector is sent no more until it has taken these. */
const MAX_UNDER_WAY = 8

const impatient: typeof globalThis.fetch = (input, init) => {
  const patience = AbortSignal.timeout(PATIENCE)
  return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, patience]) : patience })
}

const bounded = (client: HttpClient.HttpClient): HttpClient.HttpClient => {
  let underWay = 0
  return HttpClient.transform(client, (exported) =>
    Effect.suspend(() => {
      if (underWay >= MAX_UNDER_WAY) return Effect.die(new Error("The collector takes too long"))
      underWay++
      return Effect.ensuring(
        exported,
        Effect.sync(() => underWay--)
      )
    })
  )
}

const client = Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, bounded)).pipe(
  Layer.provide(FetchHttpClient.layer),
  Layer.provide(Layer.succeed(FetchHttpClient.Fetch, impatient))
)

const serialization = Layer.unwrap(
  Effect.map(
    Config.Literals(["http/json", "http/protobuf"], "OTEL_EXPORTER_OTLP_PROTOCOL").pipe(
      Config.withDefault("http/protobuf")
    ),
    (protocol) => (protocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf)
  )
)

const discreet = Layer.effect(
  Tracer.Tracer,
  Effect.map(Tracer.Tracer, (tracer) => (tracer === Tracer.nativeTracer ? tracer : DiscreetTracer.make(tracer)))
)

const explain = (cause: Cause.Cause<unknown>): TelemetryError => {
  const [variable = "one of the OTEL_ variables"] = /OTEL_[A-Z_]+/u.exec(Cause.pretty(cause)) ?? []
  return new TelemetryError({ message: `Telemetry can't be sent: ${variable} has a value that can't be used.` })
}

const sending: Layer.Layer<never, TelemetryError> = discreet.pipe(
  Layer.provideMerge(Otlp.layerFromConfig()),
  Layer.provide([client, serialization]),
  Layer.provide(ConfigProvider.layerAdd(defaults)),
  Layer.catchCause((cause) => Layer.effectDiscard(Effect.fail(explain(cause))))
)

export const layer: Layer.Layer<never, TelemetryError> = Layer.unwrap(
  Effect.gen(function* () {
    if (!(yield* TelemetryVariables.isSending)) return Layer.empty
    const fault = yield* TelemetryVariables.fault
    return yield* Option.match(fault, {
      onNone: () => Effect.succeed(sending),
      onSome: (fault) => Effect.fail(new TelemetryError({ message: `Telemetry can't be sent: ${fault}` }))
    })
  })
)
