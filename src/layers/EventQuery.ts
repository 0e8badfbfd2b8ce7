/**
 * The reads of one Session's stored events.
 */
import type { SqlClient } from "effect/sql"
import type { EventRow } from "./EventRow.ts"

/** The `schedule/change` events from a place on and before another; others cost nothing, however many there are. */
export const changes = (sql: SqlClient.SqlClient, session: number, from: number, to: number) =>
  sql<EventRow>`SELECT seq, at, type, data FROM events
    WHERE session = ${session} AND type = 'schedule/change' AND seq >= ${from} AND seq < ${to} ORDER BY seq`

/** The events of all types from a place on, at most `limit`. */
export const page = (sql: SqlClient.SqlClient, session: number, from: number, limit: number) =>
  sql<EventRow>`SELECT seq, at, type, data FROM session_events
    WHERE session = ${session} AND seq >= ${from} ORDER BY seq LIMIT ${limit}`

/** The last event of a type other than `schedule/change`. */
export const last = (sql: SqlClient.SqlClient, session: number, type: string) =>
  sql<EventRow>`SELECT seq, at, type, data FROM events
    WHERE session = ${session} AND type <> 'schedule/change' AND type = ${type} ORDER BY seq DESC LIMIT 1`
