/**
 * The statement that appends events of many Sessions, each only while its owner's epoch is the current one.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Entry } from "./GroupCommit.ts"

/** The most events of one statement. */
export const LARGEST = 1_024

const COLUMNS = 6
type Parameters = ReadonlyArray<number | string | null>

/**
 * An event that is stored already counts as inserted if it is the same, and breaks NOT NULL if it is another. A row of
 * nulls belongs to no Session, so one statement serves any number of events up to its own.
 */
const statement = (rows: number): string => `INSERT INTO events (session, seq, at, type, data)
  SELECT key, column3, column4, column5, column6
  FROM (VALUES ${Array.from({ length: rows }, () => "(?, ?, ?, ?, ?, ?)").join()})
  CROSS JOIN sessions ON key = column1 AND epoch = column2
  WHERE true
  ON CONFLICT (session, seq) DO UPDATE SET type =
    iif(at = excluded.at AND type = excluded.type AND data = excluded.data, type, NULL)
  RETURNING session, (SELECT epoch FROM sessions WHERE key = session) AS epoch`

const parameters = ({ session, epoch, events }: Entry): ReadonlyArray<Parameters> =>
  events.map(({ seq, at, type, data }) => [session, epoch, seq, at, type, data])

/** Statements in a few sizes only, since each is prepared once and kept. */
const size = (rows: number): number => 2 ** Math.ceil(Math.log2(rows))

const chunks = (rows: ReadonlyArray<Parameters>): ReadonlyArray<ReadonlyArray<Parameters>> =>
  Array.from({ length: Math.ceil(rows.length / LARGEST) }, (_, n) => rows.slice(n * LARGEST, (n + 1) * LARGEST))

interface Accepted {
  readonly session: number
  readonly epoch: number
}

/** Appends all events of the entries that are accepted, in one transaction, and says which these are. */
export const make = (sql: SqlClient.SqlClient) => {
  const insert = (rows: ReadonlyArray<Parameters>) => {
    const padded = size(rows.length)
    const values = rows.flat()
    while (values.length < padded * COLUMNS) values.push(null)
    return sql.unsafe<Accepted>(statement(padded), values)
  }

  return (
    entries: ReadonlyArray<Entry>
  ): Effect.Effect<(entry: Entry) => boolean, SqlError.SqlError> => {
    const [first = [], ...others] = chunks(entries.flatMap(parameters))
    // One statement is a transaction of its own.
    const inserted =
      others.length === 0
        ? insert(first)
        : sql.withTransaction(Effect.map(Effect.forEach([first, ...others], insert), (rows) => rows.flat()))
    return Effect.map(inserted, (rows) => {
      const epochs = new Map(rows.map(({ session, epoch }) => [session, epoch]))
      return ({ session, epoch }) => epochs.get(session) === epoch
    })
  }
}
