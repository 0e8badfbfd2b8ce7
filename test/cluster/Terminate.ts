/**
 * Cuts all connections of a PostgreSQL server but its own.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"

export const all = (url: string): Effect.Effect<void> =>
  Effect.gen(function* () {
    const sql = yield* PgClient.makeClient({ url: Redacted.make(url) })
    yield* sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`
  }).pipe(Effect.scoped, Effect.provide(Reactivity.layer), Effect.orDie)
