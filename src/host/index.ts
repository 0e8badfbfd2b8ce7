/**
 * The agent server that ships, for those who compose it: `SqliteHost` with a model of their own, served by `HttpServer`;
 * and `HostRpcClient` for those who call one.
 */
export * as Health from "./Health.ts"
export * as HostApi from "./HostApi.ts"
export * as HostError from "./HostError.ts"
export * as HostEvent from "./HostEvent.ts"
export * as HostRpcClient from "./HostRpcClient.ts"
export * as HttpServer from "./HttpServer.ts"
export * as LocalModel from "./LocalModel.ts"
export * as OpenAiModel from "./OpenAiModel.ts"
export * as Sessions from "./Sessions.ts"
export * as SessionsRpc from "./SessionsRpc.ts"
export * as SessionsSql from "./SessionsSql.ts"
export * as SqliteHost from "./SqliteHost.ts"
export * as Telemetry from "./Telemetry.ts"

export * as GroupCommit from "../layers/GroupCommit.ts"
export * as SessionLogSql from "../layers/SessionLogSql.ts"
export * as SessionStore from "../layers/SessionStore.ts"
export * as SqliteStore from "../layers/SqliteStore.ts"
export * as StoreProbeSqlite from "../layers/StoreProbeSqlite.ts"
