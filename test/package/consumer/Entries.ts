/**
 * What no other module here imports, for the type checker: it needs no driver of PostgreSQL.
 */
export type * as Cluster from "effect-session-schedule/cluster"
