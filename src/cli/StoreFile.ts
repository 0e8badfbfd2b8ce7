/**
 * A store, as the commands use it: what goes wrong is a refusal.
 */
import { Cause, Context, Effect, Layer, type Redacted, type Scope } from "effect"
import type { SqlClient } from "effect/sql"
import * as SessionStore from "../layers/SessionStore.ts"
import * as SqliteReader from "../layers/SqliteReader.ts"
import * as SqliteStore from "../layers/SqliteStore.ts"
import { fromCause } from "../layers/StoreError.ts"
import * as DatabaseUrl from "./DatabaseUrl.ts"
import { type Refusal, refuse } from "./Output.ts"

type Failure = SessionStore.SessionExists | SessionStore.SessionNotFound | SessionStore.SessionStoreError

/** What a failure of the store in that file comes to. */
export const explain =
  (file: string) =>
  (error: Failure): Refusal => {
    switch (error._tag) {
      case "SessionExists":
        return refuse("session_exists", `There is a Session ${error.id} in ${file} already; nothing of it was changed.`)
      case "SessionNotFound":
        return refuse("session_not_found", `There is no Session ${error.id} in ${file}.`)
      case "SessionStoreError":
        return refuse("unusable_database", fromCause(file, Cause.fail(error.cause)).message)
    }
  }

type Store = SessionStore.SessionStore["Service"]

const build = <E extends { readonly message: string }>(
  sql: Layer.Layer<SqlClient.SqlClient, E>
): Effect.Effect<Store, Refusal, Scope.Scope> =>
  Layer.build(Layer.provide(SessionStore.layer, sql)).pipe(
    Effect.map((context) => Context.get(context, SessionStore.SessionStore)),
    Effect.mapError(({ message }) => refuse("unusable_database", message))
  )

/** The store in a file that stays as it is, until the scope closes. */
export const reading = (file: string): Effect.Effect<Store, Refusal, Scope.Scope> => build(SqliteReader.layer(file))

/** A store to write to, and what it is called; its file or its tables are made if they are missing. */
export const writing = Effect.fnUntraced(function* (place: string | Redacted.Redacted) {
  if (typeof place === "string") return { store: yield* build(SqliteStore.layer(place)), name: place }
  const { layer } = yield* DatabaseUrl.withDriver(() => import("../layers/PgStore.ts"))
  return { store: yield* build(layer({ url: place })), name: "the PostgreSQL database" }
})
