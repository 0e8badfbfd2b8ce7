/**
 * Whether this runner has its place in the cluster: the others know it, and it holds the locks of Sessions.
 */
import { Effect, Option } from "effect"
import { RunnerStorage, ShardId, Sharding, ShardingConfig } from "effect/cluster"
import type { Problem } from "../host/Health.ts"

/** Whoever can't refresh its locks gives them all up, and takes them again once it can. */
const holdsShards = (sharding: Sharding.Sharding["Service"], group: string, shards: number): boolean => {
  for (let n = 1; n <= shards; n++) if (sharding.hasShardId(ShardId.make(group, n))) return true
  return false
}

/** What the cluster's storage and its locks say of this runner. */
export const make: Effect.Effect<
  Problem,
  never,
  RunnerStorage.RunnerStorage | Sharding.Sharding | ShardingConfig.ShardingConfig
> = Effect.gen(function* () {
  const { getRunners } = yield* RunnerStorage.RunnerStorage
  const sharding = yield* Sharding.Sharding
  const { runnerAddress, shardsPerGroup } = yield* ShardingConfig.ShardingConfig
  const own = Option.getOrUndefined(runnerAddress)?.toString()

  const judge = (runners: Effect.Success<typeof getRunners>): string | null => {
    const [, isReached] = runners.find(([{ address }]) => address.toString() === own) ?? []
    if (isReached === undefined) return "the other runners do not know this one."
    if (!isReached) return "the other runners do not reach this one at its address."
    const holds = holdsShards(sharding, "default", shardsPerGroup)
    return holds ? null : "this runner holds none of the locks, and so none of the Sessions."
  }
  return Effect.match(getRunners, {
    onFailure: () => "its storage can't be read. Is PostgreSQL there?",
    onSuccess: judge
  })
})
