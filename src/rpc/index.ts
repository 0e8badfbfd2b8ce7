/**
 * What a caller in another process needs: the typed client of a host's Sessions and reminders, and the groups of calls
 * that it makes. It loads `effect` alone, no server and nothing of Node's.
 */
export * as HostRpcClient from "../host/HostRpcClient.ts"
export * as RpcAuth from "../services/RpcAuth.ts"
export * as ScheduleRpc from "../services/ScheduleRpc.ts"
export * as SessionsRpc from "../host/SessionsRpc.ts"
