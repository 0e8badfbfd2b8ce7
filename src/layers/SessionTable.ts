/**
 * The statements over the table of Sessions.
 */
import { Array, Effect, Option } from "effect"
import type { SqlClient } from "effect/sql"
import type { SessionHeader, SessionId } from "../domain/Session.ts"
import type { Instant } from "../domain/Instant.ts"
import type { EventRow } from "./EventRow.ts"

type Sql = SqlClient.SqlClient

/** A Session as it is stored: `length` is how many of its events are durable. */
export interface StoredSession {
  readonly header: SessionHeader
  readonly length: number
}

/** A Session with what its owner must know: its key in the store, and whose turn it is. */
export interface KeyedSession extends StoredSession {
  readonly key: number
  readonly epoch: number
}

interface SessionRow {
  readonly key: number
  readonly id: string
  readonly createdAt: number
  readonly parentId: string | null
  readonly seedLength: number | null
  readonly epoch: number
  readonly length: number
}

const decode = ({ key, id, createdAt, parentId, seedLength, epoch, length }: SessionRow): KeyedSession => ({
  key,
  epoch,
  header: {
    version: 1,
    id: id as SessionId,
    createdAt: createdAt as Instant,
    ...(parentId === null ? {} : { parentId: parentId as SessionId }),
    ...(seedLength === null ? {} : { seedLength })
  },
  length
})

/** In SQLite, the last event is found through each of the two indexes of events. */
const columns = (sql: Sql) =>
  sql.literal(
    sql.onDialectOrElse({
      pg: () => `key, id, created_at::float8 AS "createdAt", parent_id AS "parentId", seed_length AS "seedLength", epoch,
        (SELECT coalesce(max(seq) + 1, 0) FROM events WHERE session = key) AS "length"`,
      orElse: () => `key, id, created_at AS "createdAt", parent_id AS "parentId", seed_length AS "seedLength", epoch,
        1 + max(ifnull((SELECT max(seq) FROM events WHERE session = key AND type = 'schedule/change'), -1),
          ifnull((SELECT max(seq) FROM events WHERE session = key AND type <> 'schedule/change'), -1)) AS "length"`
    })
  )

const first = Effect.map((rows: ReadonlyArray<SessionRow>) => Option.map(Option.fromNullishOr(rows[0]), decode))

/** The key of the new Session; none if its id is taken. */
export const insert = (sql: Sql, { id, createdAt, parentId, seedLength }: SessionHeader) =>
  sql<{ readonly key: number }>`INSERT INTO sessions (id, created_at, parent_id, seed_length)
    VALUES (${id}, ${createdAt}, ${parentId ?? null}, ${seedLength ?? null})
    ON CONFLICT (id) DO NOTHING RETURNING key`.pipe(
    Effect.map((rows) => Option.map(Option.fromNullishOr(rows[0]), ({ key }) => key))
  )

export const find = (sql: Sql, id: SessionId) =>
  first(sql<SessionRow>`SELECT ${columns(sql)} FROM sessions WHERE id = ${id}`)

/**
 * A statement of PostgreSQL sees what was there when it began, but may have waited for a commit of the owner before. So
 * another one, after it, looks how long the log became; nobody but us can make it longer by then.
 */
const advancePg = Effect.fnUntraced(function* (sql: Sql, id: SessionId) {
  const [advanced] = yield* sql<{ readonly epoch: number }>`UPDATE sessions SET epoch = epoch + 1
    WHERE id = ${id} RETURNING epoch`
  return advanced === undefined
    ? Option.none()
    : Option.map(yield* find(sql, id), (found) => ({ ...found, ...advanced }))
})

/** The Session in its next epoch, with all that was committed in those before. */
export const advance = (sql: Sql, id: SessionId) =>
  sql.onDialectOrElse({
    pg: () => advancePg(sql, id),
    orElse: () =>
      first(sql<SessionRow>`UPDATE sessions SET epoch = epoch + 1 WHERE id = ${id} RETURNING ${columns(sql)}`)
  })

/** The Sessions made after one, at most `limit`, in the order in which they were made. */
export const page = (sql: Sql, after: number, limit: number) =>
  Effect.map(
    sql<SessionRow>`SELECT ${columns(sql)} FROM sessions WHERE key > ${after} ORDER BY key LIMIT ${limit}`,
    (rows) => rows.map(decode)
  )

/** Copies the first events of one Session to another, which has none. */
export const copyEvents = (sql: Sql, from: number, to: number, length: number) =>
  sql.onDialectOrElse({
    pg: () =>
      sql`INSERT INTO events (session, seq, at, type, data)
        SELECT ${to}::integer, seq, at, type, data FROM events WHERE session = ${from} AND seq < ${length}`,
    orElse: () =>
      sql`INSERT INTO events (session, seq, at, type, data)
        SELECT ${to}, seq, at, type, data FROM session_events WHERE session = ${from} AND seq < ${length} ORDER BY seq`
  })

/** Stores the events of a Session that nobody else writes. */
export const insertEvents = (sql: Sql, session: number, events: Array.NonEmptyReadonlyArray<EventRow>) =>
  sql`INSERT INTO events ${sql.insert(Array.map(events, (row) => ({ session, ...row })))}`
