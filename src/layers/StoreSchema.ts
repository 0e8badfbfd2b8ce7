/**
 * The tables of the store, and how a file comes to have them.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Marks a SQLite file as one of ours ("ESSC"), so that nobody else's is ever written to. */
export const APPLICATION_ID = 0x45535343

/**
 * What each version of the store adds to the one before; never changed once it was released.
 *
 * All events are appended to one table, whose end is written. An event is in one of two indexes: the small one finds
 * the few events of reminders in a long conversation, and a commit of many Sessions writes half of what an index of all
 * and one of some would cost. Through `session_events` a query uses both, in the order of `seq`.
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
      data TEXT NOT NULL
    ) STRICT`,
    `CREATE UNIQUE INDEX schedule_events ON events (session, seq) WHERE type = 'schedule/change'`,
    `CREATE UNIQUE INDEX other_events ON events (session, seq) WHERE type <> 'schedule/change'`,
    `CREATE VIEW session_events AS
      SELECT * FROM events WHERE type = 'schedule/change'
      UNION ALL SELECT * FROM events WHERE type <> 'schedule/change'`
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
