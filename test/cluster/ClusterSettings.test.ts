import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Option } from "effect"
import { RunnerAddress, ShardingConfig } from "effect/cluster"
import * as ClusterSettings from "../../src/cluster/ClusterSettings.ts"

const runner = { host: "10.0.0.7", port: 7_000 }
const settings = (environment: Record<string, string>) =>
  Effect.provide(ShardingConfig.ShardingConfig, ClusterSettings.layer(runner, environment))

describe("The settings of the cluster", () => {
  it.effect("are the tuned ones, at the runner's own address, whatever HOST and PORT mean to others", () =>
    Effect.gen(function* () {
      const config = yield* settings({ HOST: "elsewhere", PORT: "not a number" })
      assert.deepStrictEqual(config.runnerAddress, Option.some(RunnerAddress.make("10.0.0.7", 7_000)))
      assert.isTrue(Option.isNone(config.runnerListenAddress))
      assert.strictEqual(Duration.toMillis(config.shardLockExpiration), 3_000)
      assert.strictEqual(config.maxResidentEntities, 100_000)
      assert.isFalse(config.simulateRemoteSerialization)
    })
  )

  it.effect("give way to the environment", () =>
    Effect.gen(function* () {
      const config = yield* settings({
        SHARD_LOCK_EXPIRATION: "10 seconds",
        RUNNER_SHARD_WEIGHT: "2",
        LISTEN_HOST: "0.0.0.0",
        LISTEN_PORT: "8000"
      })
      assert.strictEqual(Duration.toMillis(config.shardLockExpiration), 10_000)
      assert.strictEqual(config.runnerShardWeight, 2)
      assert.deepStrictEqual(config.runnerListenAddress, Option.some(RunnerAddress.make("0.0.0.0", 8_000)))
    })
  )

  it.effect("that can't be read are an error", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(settings({ SHARD_LOCK_EXPIRATION: "soon" }))
      assert.strictEqual(error._tag, "ConfigError")
    })
  )
})
