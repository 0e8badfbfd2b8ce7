/**
 * A runner: the host over PostgreSQL, with others that share its Sessions.
 */
import * as NodeClusterSocket from "@effect/platform-node/NodeClusterSocket"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { type Config, Layer, References } from "effect"
import type { LanguageModel } from "effect/ai"
import { Runners, SocketRunner, SqlMessageStorage, SqlRunnerStorage } from "effect/cluster"
import { RpcSerialization } from "effect/rpc"
import type { SocketServer } from "effect/socket"
import type { Sessions } from "../host/Sessions.ts"
import * as AlarmClock from "../layers/AlarmClock.ts"
import * as GroupCommit from "../layers/GroupCommit.ts"
import * as PgStore from "../layers/PgStore.ts"
import * as SessionStore from "../layers/SessionStore.ts"
import type { StoreError } from "../layers/StoreError.ts"
import * as ClusterSettings from "./ClusterSettings.ts"
import * as RunnerPing from "./RunnerPing.ts"
import * as RunnerSocket from "./RunnerSocket.ts"
import * as SessionsCluster from "./SessionsCluster.ts"

export interface Options<E> extends PgStore.Options {
  /** Where the other runners reach this one. Whoever reaches it too commands all Sessions. */
  readonly runner: ClusterSettings.Runner
  /** What answers the Sessions that this runner owns. */
  readonly model: Layer.Layer<LanguageModel.LanguageModel, E>
}

/** Connections for the cluster alone: the locks of its shards must not wait behind what Sessions store. */
const CONNECTIONS = 4

/** How long a statement of the cluster's may take, in milliseconds. */
const PATIENCE = 4_000

/** Its warnings are of what it tries again, shard by shard. */
const sharding = (store: PgStore.Options, runner: ClusterSettings.Runner) =>
  SocketRunner.layer.pipe(
    Layer.provide([RunnerSocket.layer, NodeClusterSocket.layerClientProtocol]),
    Layer.provide(
      RunnerPing.layer.pipe(Layer.provide(Runners.layerRpc), Layer.provide(NodeClusterSocket.layerClientProtocol))
    ),
    Layer.provide(SqlMessageStorage.layer.pipe(Layer.provide(NodeCrypto.layerDigest))),
    Layer.provideMerge(Layer.orDie(SqlRunnerStorage.layer)),
    Layer.provideMerge(ClusterSettings.layer(runner)),
    Layer.provide(RpcSerialization.layerNdjson),
    Layer.provide(Layer.succeed(References.MinimumLogLevel, "Error")),
    Layer.provide(PgStore.layer({ ...store, connections: CONNECTIONS, patience: PATIENCE }))
  )

/** The Sessions of all runners in that schema. */
export const layer = <E>({
  model,
  runner,
  ...store
}: Options<E>): Layer.Layer<Sessions, StoreError | Config.ConfigError | SocketServer.SocketServerError | E> =>
  SessionsCluster.layer.pipe(
    Layer.provide(sharding(store, runner)),
    Layer.provide([SessionStore.layer, GroupCommit.layer, AlarmClock.layer, model]),
    Layer.provide(PgStore.layer(store))
  )
