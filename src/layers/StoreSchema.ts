/**
 * The tables of the store, and how a file comes to have them.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Marks a SQLite file as one of ours ("ESSC"), so that nobody else's is ever written to. */
export const APPLICATION_ID = 0x45535343

/**
 * What each version of the store adds to the one before; never changed once it was released. Events are appended to
 * one table, wherever in it they belong: the disk is written at its end. The second index finds the few events of
 * reminders in a long conversation.
 */
const migrations: ReadonlyArray<ReadonlyArray<string>> = [
  [
    `CREATE TABLE sessions (
      key INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL,
      parent_id TEXT,
      seed_length INTEGER,
      epoch INTEGER NOT NULL DEFAULT 0
    ) STRICT`,
    `CREATE TABLE events (
      position INTEGER PRIMARY KEY,
      session INTEGER NOT NULL REFERENCES sessions (key),
      seq INTEGER NOT NULL,
      at INTEGER NOT NULL,
      type TEXT NOT NULL,
      data TEXT NOT NULL,
      UNIQUE (session, seq)
    ) STRICT`,
    `CREATE INDEX schedule_changes ON events (session, seq) WHERE type = 'schedule/change'`
  ]
]

/** The version of the store that this code reads and writes. */
export const VERSION = migrations.length

/** Whose file it is and in which version; nobody's yet if it holds nothing. */
export interface Marks {
  readonly application: number
  readonly version: number
  readonly objects: number
}

export const marks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<Marks>`SELECT application_id AS application, user_version AS version,
    (SELECT count(*) FROM sqlite_schema) AS objects FROM pragma_application_id, pragma_user_version`
  return found ?? { application: 0, version: 0, objects: 0 }
})

/** Brings the tables up to this version. It always writes, and so shows whether the file can be written. */
export const migrate = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const steps = Effect.gen(function* () {
    const { version } = yield* marks
    for (const statement of migrations.slice(version).flat()) yield* sql.unsafe(statement)
    yield* sql.unsafe(`PRAGMA application_id = ${APPLICATION_ID}`)
    yield* sql.unsafe(`PRAGMA user_version = ${VERSION}`)
  })
  yield* sql.withTransaction(steps)
})
