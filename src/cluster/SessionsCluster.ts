/**
 * The host's Sessions over the cluster: what needs the owner is asked of the entity, wherever it is; the rest is read
 * from the shared store.
 */
import { Effect, Layer } from "effect"
import type { RunnerStorage, Sharding, ShardingConfig } from "effect/cluster"
import type { SessionId } from "../domain/Session.ts"
import * as Followers from "../host/Followers.ts"
import * as Following from "../host/Following.ts"
import * as Health from "../host/Health.ts"
import * as HostMetrics from "../host/HostMetrics.ts"
import type * as LiveSession from "../host/LiveSession.ts"
import * as OwnedSessions from "../host/OwnedSessions.ts"
import * as SessionCalls from "../host/SessionCalls.ts"
import * as SessionReader from "../host/SessionReader.ts"
import { Sessions } from "../host/Sessions.ts"
import * as ScheduleMetrics from "../layers/ScheduleMetrics.ts"
import * as AskedOwner from "./AskedOwner.ts"
import * as KeptAwake from "./KeptAwake.ts"
import * as RunnerHealth from "./RunnerHealth.ts"
import * as SessionOwners from "./SessionOwners.ts"

const make = Effect.gen(function* () {
  const context = yield* Effect.context<LiveSession.Requirements>()
  const followers = Followers.make()
  const owners = SessionOwners.make()
  const live = yield* OwnedSessions.make({ tell: followers.tell, onStale: owners.lost })
  const health = yield* Health.make(live.all, yield* RunnerHealth.make)
  yield* HostMetrics.register(() => OwnedSessions.glimpses(live))
  yield* ScheduleMetrics.register
  const reader = yield* SessionReader.make((id) =>
    Effect.map(
      Effect.provideContext(KeptAwake.all(id), context),
      (awake) => (one: SessionId) => awake.has(one) || live.isLive(one)
    )
  )
  yield* owners.start(live)
  const calls = yield* SessionCalls.make(yield* AskedOwner.make, reader)

  return Sessions.of({ ...reader, ...calls, follow: Following.make(followers, reader), health })
})

/** All Sessions of the cluster; this runner owns those that the cluster gives it, for as long as the layer is open. */
export const layer: Layer.Layer<
  Sessions,
  never,
  LiveSession.Requirements | Sharding.Sharding | RunnerStorage.RunnerStorage | ShardingConfig.ShardingConfig
> = Layer.effect(Sessions, make)
