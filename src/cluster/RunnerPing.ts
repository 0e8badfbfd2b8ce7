/**
 * Whether another runner answers. The cluster's own ping takes ten seconds for an answer and asks six times, which is
 * longer than a frozen runner may keep its Sessions.
 */
import { Effect, Layer } from "effect"
import { RunnerHealth, Runners } from "effect/cluster"

/** How long a runner may take to answer. */
const PATIENCE = "500 millis"

const make = Effect.map(Runners.Runners, ({ ping }) =>
  RunnerHealth.RunnerHealth.of({
    isAlive: (address) => ping(address).pipe(Effect.timeout(PATIENCE), Effect.retry({ times: 1 }), Effect.isSuccess)
  })
)

export const layer: Layer.Layer<RunnerHealth.RunnerHealth, never, Runners.Runners> = Layer.effect(
  RunnerHealth.RunnerHealth,
  make
)
