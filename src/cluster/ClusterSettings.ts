/**
 * How fast the cluster notices what is lost, and what that costs. Each can be set otherwise in the environment, under the
 * name that it has here.
 */
import { ConfigProvider, type Config, Effect, Layer, Option } from "effect"
import { RunnerAddress, ShardingConfig } from "effect/cluster"

/** By the names of the environment, in its words. */
export const TUNED: Readonly<Record<string, string>> = {
  /**
   * A frozen runner keeps its shards this long, and so do those that wait to hear of a killed one that watched over the
   * others. With 3 seconds, Sessions went on 2.7 to 3.5 seconds after a SIGKILL or SIGSTOP on two busy cores, with 6 after
   * 5.5. Less would take them from a runner that is only busy.
   */
  SHARD_LOCK_EXPIRATION: "3 seconds",
  /**
   * Every runner asks PostgreSQL once in this time whether it still has its locks. It is also how long a question about
   * locks may take: with 500 milliseconds, runners on two busy cores gave up on handing over a hundred shards.
   */
  SHARD_LOCK_REFRESH_INTERVAL: "1 second",
  /** How soon runners notice that one has come or gone, a question each. */
  REFRESH_ASSIGNMENTS_INTERVAL: "500 millis",
  /** Each shard is a lock, and handed over by itself; some for each runner keep the load even. The same on all runners. */
  SHARDS_PER_GROUP: "300",
  /** One runner asks all others. */
  RUNNER_HEALTH_CHECK_INTERVAL: "1 second",
  /** Entities wake up by themselves when a shard arrives; this is for what was missed. */
  ENTITY_MESSAGE_POLL_INTERVAL: "2 seconds",
  /** A caller waits for the next owner in steps of this. */
  SEND_RETRY_INTERVAL: "50 millis",
  /** A Session that waits for a reminder is small, and must be somewhere. */
  MAX_RESIDENT_ENTITIES: "100000",
  /** A call that stays in the process need not be written and read. */
  SIMULATE_REMOTE_SERIALIZATION: "false"
}

/** Where other runners reach this one. */
export interface Runner {
  readonly host: string
  readonly port: number
}

/** HOST and PORT mean other things to other programs; the command has flags for them. */
const OTHERS = new Set(["HOST", "PORT"])

const provider = (environment: Readonly<Record<string, string | undefined>>) => {
  const given = Object.entries(environment).filter(([name, value]) => !OTHERS.has(name) && value !== undefined)
  return ConfigProvider.constantCase(
    ConfigProvider.fromEnv({ env: { ...TUNED, ...Object.fromEntries(given) } as Record<string, string> })
  )
}

/** The settings of a runner. It listens where it is reached, unless LISTEN_HOST and LISTEN_PORT say otherwise. */
export const layer = (
  { host, port }: Runner,
  environment: Readonly<Record<string, string | undefined>> = process.env
): Layer.Layer<ShardingConfig.ShardingConfig, Config.ConfigError> =>
  Layer.effect(
    ShardingConfig.ShardingConfig,
    Effect.map(
      Effect.provideService(ShardingConfig.config, ConfigProvider.ConfigProvider, provider(environment)),
      (config) => ({ ...config, runnerAddress: Option.some(RunnerAddress.make(host, port)) })
    )
  )
