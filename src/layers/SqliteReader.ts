/**
 * One SQLite file of the store, opened to be read and nothing else: it may be in use, and it stays as it is.
 */
import { existsSync } from "node:fs"
import { Cause, Effect, Layer, type Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import * as SqliteDriver from "./SqliteDriver.ts"
import { refuse, refuseFolder, refuseForeign } from "./SqliteStore.ts"
import { fromCause, type StoreError } from "./StoreError.ts"
import * as StoreSchema from "./StoreSchema.ts"

const refuseMissing = (file: string): Effect.Effect<void, StoreError> =>
  Effect.suspend(() => (existsSync(file) ? Effect.void : refuse(file, "there is none. Name the file of a server.")))

/** Whoever only reads can't bring the tables up to this version. */
const refuseOlder = Effect.fnUntraced(function* (file: string) {
  const { version, objects } = yield* StoreSchema.marks
  if (objects === 0) return yield* refuse(file, "it is empty. Name the file of a server.")
  if (version < StoreSchema.VERSION) {
    return yield* refuse(file, "an older version of this program wrote it. Serve it once with this one.")
  }
})

const refuseOthers = (file: string) => Effect.andThen(refuseForeign(file), refuseOlder(file))

/** Opens the file, and closes it with the scope. */
export const make = (
  file: string
): Effect.Effect<SqlClient.SqlClient, StoreError, Reactivity.Reactivity | Scope.Scope> =>
  Effect.gen(function* () {
    yield* refuseFolder(file)
    yield* refuseMissing(file)
    const sql = yield* SqliteDriver.make(file, { readonly: true })
    yield* Effect.provideService(refuseOthers(file), SqlClient.SqlClient, sql)
    return sql
  }).pipe(
    Effect.catchCause((cause) => (Cause.hasInterrupts(cause) ? Effect.interrupt : Effect.fail(fromCause(file, cause))))
  )

/** The store in one file, for reading. */
export const layer = (file: string): Layer.Layer<SqlClient.SqlClient, StoreError> =>
  Layer.provide(Layer.effect(SqlClient.SqlClient, make(file)), Reactivity.layer)
