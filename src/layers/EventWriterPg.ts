/**
 * The statement that appends events of many Sessions in PostgreSQL.
 */
import { Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { type Entry, EventWriter } from "./EventWriter.ts"

interface Epoch {
  readonly key: number
  readonly epoch: number
}

/**
 * Whoever opens a Session changes its row, and FOR SHARE is the weakest lock that keeps that out until the commit, or
 * waits for it. Then PostgreSQL looks at the row as it is by now, and a Session with another epoch drops out. All rows
 * are locked before the first event is stored, and both in the same order everywhere: nobody waits in a circle.
 *
 * An event that is stored already stays if it is the same, and breaks NOT NULL if it is another.
 */
const APPEND = `
  WITH owned AS (
    SELECT key, epoch FROM sessions JOIN unnest($1::integer[], $2::integer[]) AS claim (session, claimed)
      ON key = session AND epoch = claimed
    ORDER BY key FOR SHARE OF sessions
  ), appended AS (
    INSERT INTO events AS stored (session, seq, at, type, data)
    SELECT session, seq, at, type, data
    FROM unnest($3::integer[], $4::integer[], $5::integer[], $6::bigint[], $7::text[], $8::text[])
      AS event (session, claimed, seq, at, type, data)
    JOIN owned ON key = session AND epoch = claimed
    ORDER BY session, seq
    ON CONFLICT (session, seq) DO UPDATE SET type = CASE
      WHEN stored.at = excluded.at AND stored.type = excluded.type AND stored.data = excluded.data THEN stored.type
    END
  )
  SELECT key, epoch FROM owned`

/** Whole numbers as an array that PostgreSQL reads. */
const array = (numbers: ReadonlyArray<number>): string => `{${numbers.join()}}`

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const append = (entries: ReadonlyArray<Entry>): Effect.Effect<ReadonlyArray<Epoch>, SqlError.SqlError> => {
    const claims = new Map(entries.map(({ session, epoch }) => [`${session} ${epoch}`, { session, epoch }])).values()
    const owners = [...claims]
    const rows = entries.flatMap(({ session, epoch, events }) => events.map((event) => ({ session, epoch, ...event })))
    return sql.unsafe<Epoch>(APPEND, [
      array(owners.map(({ session }) => session)),
      array(owners.map(({ epoch }) => epoch)),
      array(rows.map(({ session }) => session)),
      array(rows.map(({ epoch }) => epoch)),
      array(rows.map(({ seq }) => seq)),
      array(rows.map(({ at }) => at)),
      rows.map(({ type }) => type),
      rows.map(({ data }) => data)
    ])
  }

  return EventWriter.of({
    write: (entries) =>
      Effect.map(append(entries), (owned) => {
        const current = new Map(owned.map(({ key, epoch }) => [key, epoch]))
        return ({ session, epoch }) => current.get(session) === epoch
      })
  })
})

export const layer: Layer.Layer<EventWriter, never, SqlClient.SqlClient> = Layer.effect(EventWriter, make)
