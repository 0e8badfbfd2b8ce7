/**
 * One SQLite file, opened as the store: what it acknowledges survives a power cut, and several processes can share it.
 */
import { existsSync, mkdirSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { Cause, Effect, Exit, Layer, Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import type { EventWriter } from "./EventWriter.ts"
import * as EventWriterSqlite from "./EventWriterSqlite.ts"
import * as SqliteDriver from "./SqliteDriver.ts"
import { DAMAGED, fromCause, LOCKED, StoreError } from "./StoreError.ts"
import * as StoreSchema from "./StoreSchema.ts"

const MEBIBYTE = 1_024 * 1_024

/**
 * What is checked of a file of that many bytes at opening: as much as takes a fifth of a second at most. Only the first
 * tells whether the indexes find all there is.
 */
const checkOf = (bytes: number): string => {
  if (bytes <= 16 * MEBIBYTE) return "integrity_check(1)"
  return bytes <= 64 * MEBIBYTE ? "quick_check(1)" : "quick_check(sessions)"
}

/** Not `mkdirSync`'s own recursion, which never ends where a file system says that even the root's children are missing. */
const makeFolder = (folder: string): void => {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(folder)) throw error
  }
}

const prepareFolder = (file: string): Effect.Effect<void, StoreError> =>
  Effect.try({
    try: () => makeFolder(dirname(file)),
    catch: (cause) =>
      new StoreError({ file, problem: "its folder cannot be made. Name a file in another folder.", cause })
  })

/** A file that can't be used. */
export const refuse = (file: string, problem: string): Effect.Effect<never, StoreError> =>
  Effect.fail(new StoreError({ file, problem }))

/** Refuses what is no file. */
export const refuseFolder = (file: string): Effect.Effect<void, StoreError> =>
  Effect.suspend(() =>
    statSync(file, { throwIfNoEntry: false })?.isDirectory() === true
      ? refuse(file, "it is a folder. Name a file in it.")
      : Effect.void
  )

/** Before the first byte is written: a file of somebody else's stays as it is. */
export const refuseForeign = Effect.fnUntraced(function* (file: string) {
  const { application, version, objects } = yield* StoreSchema.marks
  if (objects > 0 && application !== StoreSchema.APPLICATION_ID) {
    return yield* refuse(file, "it belongs to another program. Name another file.")
  }
  if (version > StoreSchema.VERSION) {
    return yield* refuse(file, "a newer version of this program wrote it. Update the program, or name another file.")
  }
})

const logAhead = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`PRAGMA journal_mode = WAL`
  yield* sql`PRAGMA synchronous = FULL`
  yield* sql`PRAGMA foreign_keys = ON`
})

const refuseDamaged = Effect.fnUntraced(function* (file: string) {
  const sql = yield* SqlClient.SqlClient
  const check = checkOf(statSync(file, { throwIfNoEntry: false })?.size ?? 0)
  const [found] = yield* sql.unsafe<Readonly<Record<string, string>>>(`PRAGMA ${check}`)
  if (Object.values(found ?? {})[0] !== "ok") return yield* refuse(file, DAMAGED)
})

const prepare = Effect.fnUntraced(function* (file: string) {
  yield* refuseForeign(file)
  yield* refuseDamaged(file)
  yield* logAhead
  yield* StoreSchema.migrate
})

const told = (file: string) =>
  Effect.catchCause((cause: Cause.Cause<unknown>) =>
    Cause.hasInterrupts(cause) ? Effect.interrupt : Effect.fail(fromCause(file, cause))
  )

/** How long one connection waits to become the store's, in milliseconds. */
const PATIENCE = 500

const connect = Effect.fnUntraced(function* (file: string, patience: number) {
  const scope = yield* Scope.fork(yield* Effect.scope)
  return yield* Effect.gen(function* () {
    const sql = yield* SqliteDriver.make(file)
    const prepared = Effect.provideService(prepare(file), SqlClient.SqlClient, sql)
    yield* Effect.provideService(prepared, SqliteDriver.BusyTimeout, patience)
    return sql
  }).pipe(
    Scope.provide(scope),
    Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause))),
    told(file)
  )
})

/**
 * Opens the file, makes it and its folder if they are missing, and closes it with the scope. Where several processes
 * make one file at once, SQLite can leave a connection unable to read it for ever; another one can.
 */
export const make = Effect.fnUntraced(function* (
  file: string
): Effect.fn.Return<SqlClient.SqlClient, StoreError, Reactivity.Reactivity | Scope.Scope> {
  const busyTimeout = yield* SqliteDriver.BusyTimeout
  const patience = Math.min(PATIENCE, busyTimeout)
  yield* told(file)(Effect.andThen(refuseFolder(file), prepareFolder(file)))
  return yield* Effect.retry(connect(file, patience), {
    while: ({ problem }) => problem === LOCKED,
    times: Math.ceil(busyTimeout / PATIENCE)
  })
})

/** The store in one file, and its writer; `:memory:` is one that ends with the process. */
export const layer = (file: string): Layer.Layer<SqlClient.SqlClient | EventWriter, StoreError> =>
  EventWriterSqlite.layer.pipe(
    Layer.provideMerge(Layer.effect(SqlClient.SqlClient, make(file))),
    Layer.provide(Reactivity.layer)
  )
