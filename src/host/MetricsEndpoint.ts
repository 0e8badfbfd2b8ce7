/**
 * `GET /metrics`: the metrics of the host as Prometheus reads them.
 */
import type { Layer } from "effect"
import type { HttpRouter } from "effect/http"
import { PrometheusMetrics } from "effect/observability"

export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter> = PrometheusMetrics.layerHttp({ path: "/metrics" })
