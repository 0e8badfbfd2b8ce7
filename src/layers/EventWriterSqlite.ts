/**
 * The statement that appends events of many Sessions in SQLite.
 */
import { Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { type Entry, EventWriter } from "./EventWriter.ts"

/** The most events of one statement. */
const LARGEST = 1_024

type Parameters = ReadonlyArray<number | string | null>
const padding: Parameters = [null, null, null, null, null, null]

/**
 * An event that is stored already counts as inserted if it is the same, and breaks NOT NULL if it is another. A row of
 * nulls belongs to no Session, so one statement serves any number of events up to its own.
 */
const statement = (rows: number): string => `INSERT INTO events (session, seq, at, type, data)
  SELECT key, column3, column4, column5, column6
  FROM (VALUES ${Array.from({ length: rows }, () => "(?, ?, ?, ?, ?, ?)").join()})
  CROSS JOIN sessions ON key = column1 AND epoch = column2
  WHERE true
  ON CONFLICT DO UPDATE SET type =
    iif(at = excluded.at AND type = excluded.type AND data = excluded.data, type, NULL)`

/** For 1, 2, 4, ... events: each is prepared once, and kept. */
const statements = Array.from({ length: Math.log2(LARGEST) + 1 }, (_, n) => statement(2 ** n))

const parameters = ({ session, epoch, events }: Entry): ReadonlyArray<Parameters> =>
  events.map(({ seq, at, type, data }) => [session, epoch, seq, at, type, data])

const chunks = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / LARGEST) }, (_, n) => all.slice(n * LARGEST, (n + 1) * LARGEST))

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const insert = (rows: ReadonlyArray<Parameters>): Effect.Effect<number, SqlError.SqlError> => {
    const n = Math.ceil(Math.log2(rows.length))
    const padded = [...rows, ...Array.from({ length: 2 ** n - rows.length }, () => padding)]
    const inserted = sql.unsafe(statements[n] ?? "", padded.flat()).raw
    return Effect.map(inserted, (result) => (result as { readonly changes: number }).changes)
  }

  /** One statement is a transaction of its own. */
  const insertAll = (rows: ReadonlyArray<Parameters>): Effect.Effect<number, SqlError.SqlError> =>
    rows.length <= LARGEST
      ? insert(rows)
      : sql.withTransaction(
          Effect.map(Effect.forEach(chunks(rows), insert), (counts) => counts.reduce((sum, count) => sum + count, 0))
        )

  const epochs = (entries: ReadonlyArray<Entry>) =>
    sql<{ readonly key: number; readonly epoch: number }>`SELECT key, epoch FROM sessions
      WHERE key IN (SELECT value FROM json_each(${JSON.stringify(entries.map(({ session }) => session))}))`

  return EventWriter.of({
    write: Effect.fnUntraced(function* (entries) {
      const rows = entries.flatMap(parameters)
      if ((yield* insertAll(rows)) === rows.length) return () => true
      const current = new Map((yield* epochs(entries)).map(({ key, epoch }) => [key, epoch]))
      return ({ session, epoch }) => current.get(session) === epoch
    })
  })
})

export const layer: Layer.Layer<EventWriter, never, SqlClient.SqlClient> = Layer.effect(EventWriter, make)
