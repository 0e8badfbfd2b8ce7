/**
 * Who owns which Session, in PostgreSQL: all who ask at the same time share one question, since each costs a way to the
 * server and back.
 */
import { Effect, Exit, Request, RequestResolver } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

type Sql = SqlClient.SqlClient

class EpochOf extends Request.Class<
  { readonly sql: Sql; readonly session: number },
  number | undefined,
  SqlError.SqlError
> {}

interface Epoch {
  readonly key: number
  readonly epoch: number
}

const find = (sql: Sql, sessions: ReadonlyArray<number>) =>
  sql.unsafe<Epoch>("SELECT key, epoch FROM sessions WHERE key = ANY ($1::integer[])", [`{${sessions.join()}}`])

/** The question goes out after all who are ready have asked. */
const epochs = RequestResolver.makeWith<EpochOf>({
  batchKey: ({ request }) => request.sql,
  delay: Effect.yieldNow,
  collectWhile: () => true,
  runAll: (entries, sql) => {
    const sessions = entries.map(({ request }) => request.session)
    return Effect.map(find(sql as Sql, sessions), (rows) => {
      const found = new Map(rows.map(({ key, epoch }) => [key, epoch]))
      for (const entry of entries) entry.completeUnsafe(Exit.succeed(found.get(entry.request.session)))
    })
  }
})

/** The epoch of its newest owner, of after the call; none if there is no such Session. */
export const epochOf = (sql: Sql, session: number): Effect.Effect<number | undefined, SqlError.SqlError> =>
  Effect.request(new EpochOf({ sql, session }), epochs)
