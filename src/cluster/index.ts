/**
 * Many machines: the host's Sessions over Effect Cluster and PostgreSQL, for those who compose it.
 */
export * as ClusterHost from "./ClusterHost.ts"
export * as ClusterSettings from "./ClusterSettings.ts"
export * as PgHost from "../host/PgHost.ts"
export * as PgStore from "../layers/PgStore.ts"
export * as RunnerHealth from "./RunnerHealth.ts"
export * as RunnerPing from "./RunnerPing.ts"
export * as RunnerSocket from "./RunnerSocket.ts"
export * as SessionEntity from "./SessionEntity.ts"
export * as SessionsCluster from "./SessionsCluster.ts"
