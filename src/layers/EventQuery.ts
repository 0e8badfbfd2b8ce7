/**
 * The reads of one Session's stored events, in the words of each database. PostgreSQL's `bigint` would come as a BigInt.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { epochOf } from "./EpochPg.ts"
import type { EventRow } from "./EventRow.ts"

type Sql = SqlClient.SqlClient

/** The epoch of its newest owner; none if there is no such Session. */
export const epoch = (sql: Sql, session: number) =>
  sql.onDialectOrElse({
    pg: () => epochOf(sql, session),
    orElse: () =>
      Effect.map(
        sql.unsafe<{ readonly epoch: number }>("SELECT epoch FROM sessions WHERE key = ?", [session]),
        (rows) => rows[0]?.epoch
      )
  })

/** The `schedule/change` events from a place on and before another; others cost nothing, however many there are. */
export const changes = (sql: Sql, session: number, from: number, to: number) =>
  sql.onDialectOrElse({
    pg: () =>
      sql<EventRow>`SELECT seq, at::float8 AS at, type, data FROM events
        WHERE session = ${session} AND type = 'schedule/change' AND seq >= ${from} AND seq < ${to} ORDER BY seq`,
    orElse: () =>
      sql<EventRow>`SELECT seq, at, type, data FROM events
        WHERE session = ${session} AND type = 'schedule/change' AND seq >= ${from} AND seq < ${to} ORDER BY seq`
  })

/** The events of all types from a place on, at most `limit`. */
export const page = (sql: Sql, session: number, from: number, limit: number) =>
  sql.onDialectOrElse({
    pg: () =>
      sql<EventRow>`SELECT seq, at::float8 AS at, type, data FROM events
        WHERE session = ${session} AND seq >= ${from} ORDER BY seq LIMIT ${limit}`,
    orElse: () =>
      sql<EventRow>`SELECT seq, at, type, data FROM session_events
        WHERE session = ${session} AND seq >= ${from} ORDER BY seq LIMIT ${limit}`
  })

/** The last event of a type other than `schedule/change`. */
export const last = (sql: Sql, session: number, type: string) =>
  sql.onDialectOrElse({
    pg: () =>
      sql<EventRow>`SELECT seq, at::float8 AS at, type, data FROM events
        WHERE session = ${session} AND type = ${type} ORDER BY seq DESC LIMIT 1`,
    orElse: () =>
      sql<EventRow>`SELECT seq, at, type, data FROM events
        WHERE session = ${session} AND type <> 'schedule/change' AND type = ${type} ORDER BY seq DESC LIMIT 1`
  })
