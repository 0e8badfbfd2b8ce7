/**
 * SQLite without us: the same file format and durability, and nothing between the caller and the statement.
 */
import { Effect } from "effect"
import { Reactivity } from "effect/reactivity"
import { DatabaseSync } from "node:sqlite"
import * as SqliteStore from "../../src/layers/SqliteStore.ts"

/** An event as the store keeps it. */
export interface Row {
  readonly session: number
  readonly seq: number
  readonly at: number
  readonly type: string
  readonly data: string
}

const durable = (file: string): DatabaseSync => {
  const db = new DatabaseSync(file)
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
  return db
}

/** A new file with the tables of the store. */
export const store = async (file: string): Promise<DatabaseSync> => {
  await Effect.runPromise(Effect.scoped(Effect.provide(SqliteStore.make(file), Reactivity.layer)))
  return durable(file)
}

/** A new file with one table that is only appended to, and no index. */
export const table = (file: string): DatabaseSync => {
  const db = durable(file)
  db.exec(`CREATE TABLE events (position INTEGER PRIMARY KEY, session INTEGER NOT NULL, seq INTEGER NOT NULL,
    at INTEGER NOT NULL, type TEXT NOT NULL, data TEXT NOT NULL) STRICT`)
  return db
}

/** Makes that many Sessions, with keys from 1 on. */
export const addSessions = (db: DatabaseSync, ids: ReadonlyArray<string>): void => {
  const insert = db.prepare("INSERT INTO sessions (id, created_at) VALUES (?, ?)")
  db.exec("BEGIN")
  for (const id of ids) insert.run(id, 0)
  db.exec("COMMIT")
}

/** What inserts rows, so many in each transaction. */
export const inserter = (db: DatabaseSync): ((rows: ReadonlyArray<Row>, batch: number) => void) => {
  const insert = db.prepare("INSERT INTO events (session, seq, at, type, data) VALUES (?, ?, ?, ?, ?)")
  return (rows, batch) => {
    for (let from = 0; from < rows.length; from += batch) {
      db.exec("BEGIN IMMEDIATE")
      for (const { session, seq, at, type, data } of rows.slice(from, from + batch)) {
        insert.run(session, seq, at, type, data)
      }
      db.exec("COMMIT")
    }
  }
}
