/**
 * One SQLite file of the store, opened to be read and nothing else: it may be in use, and it stays as it is. Those who
 * use a file at once share what lies beside it, its `-wal` and its `-shm`; the last one leaves nothing of them.
 */
import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { pathToFileURL } from "node:url"
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

const canWrite = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const sizeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.size

/**
 * Who only reads leaves both files behind, and who may write removes them: so does SQLite, if nobody else has the file
 * open. Where the `-wal` holds something by now, that is for those who wrote it.
 */
const removeShared = Effect.fnUntraced(function* (file: string) {
  if (sizeOf(`${file}-wal`) !== 0) return
  const sql = yield* SqliteDriver.make(file)
  yield* sql`PRAGMA schema_version`
}, Effect.scoped)

const openShared = Effect.fnUntraced(function* (file: string) {
  yield* Effect.addFinalizer(() => Effect.ignoreCause(removeShared(file)))
  return yield* SqliteDriver.make(file, { readonly: true })
})

const stateOf = (file: string): string => {
  const { ino, size, mtimeMs } = statSync(file)
  return `${ino} ${size} ${mtimeMs}`
}

/**
 * Opens the file without locks, which is right as long as nobody writes it. Nobody did at first, for want of a `-wal`;
 * where somebody has by the end, what was read is worth nothing, and the scope does not close well.
 */
export const openAlone = Effect.fnUntraced(function* (file: string) {
  const before = stateOf(file)
  yield* Effect.addFinalizer(() =>
    stateOf(file) === before ? Effect.void : Effect.orDie(refuse(file, "it was written while it was read. Try again."))
  )
  return yield* SqliteDriver.make(`${pathToFileURL(file).href}?immutable=1`, { readonly: true })
})

/** SQLite has to make the shared files if they are missing. Nobody may who can't write the file: its owner couldn't use them. */
const open = Effect.fnUntraced(function* (named: string) {
  const file = realpathSync(named)
  const isShared = existsSync(`${file}-wal`) && existsSync(`${file}-shm`)
  if (isShared || (canWrite(file) && canWrite(dirname(file)))) return yield* openShared(file)
  if ((sizeOf(`${file}-wal`) ?? 0) === 0) return yield* openAlone(file)
  return yield* refuse(
    named,
    "the latest of it is in its -wal file, and that is read only where one may write. Copy both files to a folder where " +
      "you may write them, and name the copy."
  )
})

/** Opens the file, and closes it with the scope. */
export const make = (
  file: string
): Effect.Effect<SqlClient.SqlClient, StoreError, Reactivity.Reactivity | Scope.Scope> =>
  Effect.gen(function* () {
    yield* refuseFolder(file)
    yield* refuseMissing(file)
    const sql = yield* open(file)
    yield* Effect.provideService(refuseOthers(file), SqlClient.SqlClient, sql)
    return sql
  }).pipe(
    Effect.catchCause((cause) => (Cause.hasInterrupts(cause) ? Effect.interrupt : Effect.fail(fromCause(file, cause))))
  )

/** The store in one file, for reading. */
export const layer = (file: string): Layer.Layer<SqlClient.SqlClient, StoreError> =>
  Layer.provide(Layer.effect(SqlClient.SqlClient, make(file)), Reactivity.layer)
