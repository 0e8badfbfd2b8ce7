/** A database of a test's own at the server of the run, for programs that are told nothing but a URL. */
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import * as Postgres from "./Postgres.ts"

/** The URL of a new database. */
export const make: Effect.Effect<string> = Effect.gen(function* () {
  const { url, schema: name } = yield* Postgres.newStore
  const sql = yield* PgClient.makeClient({ url })
  yield* sql.unsafe(`CREATE DATABASE ${name}`)
  const own = new URL(Redacted.value(url))
  own.pathname = name
  return own.href
}).pipe(Effect.scoped, Effect.provide(Reactivity.layer), Effect.orDie)
