/**
 * Effect's SQL client over Effect's SQLite driver. The driver's releases were built before Effect 4.1: they import
 * paths that moved, which the hook mends and which does nothing once a release for 4.1 exists, and their client lacks
 * what 4.1's has. So the driver gives its connection, and 4.1's own client does the rest: one statement or transaction
 * at a time, transactions that begin by taking the write lock, and none that stays open after a COMMIT that failed.
 */
import { registerHooks } from "node:module"
import { Clock, Context, Effect, type Scope, Semaphore } from "effect"
import type { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"

const prerelease = "effect/unstable/"
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier.startsWith(prerelease) ? `effect/${specifier.slice(prerelease.length)}` : specifier, context)
})

/** How long one waits while other processes write, in milliseconds; everything else goes on meanwhile. */
export const BusyTimeout = Context.Reference("effect-session-schedule/BusyTimeout", { defaultValue: () => 5_000 })

const SPACING_MILLIS = 20

/** How often a statement is tried, even where the file was locked for longer than one waits. */
const LEAST_TRIES = 12

/** A lock that nobody waited out, and nobody met for so long, in milliseconds, is over: the next one is another. */
const FORGOTTEN_MILLIS = 10_000

type Connection = SqlConnection.Connection
type Services = Reactivity.Reactivity | Scope.Scope

/** The part of the driver that is used, in the types of 4.1: its own name paths that are no more. */
interface Driver {
  make(options: {
    readonly filename: string
    readonly disableWAL: boolean
    readonly readonly: boolean
  }): Effect.Effect<SqlClient.SqlClient, never, Services>
}

const load: Effect.Effect<unknown> = Effect.promise(() => import("@effect/sql-sqlite-node/SqliteClient"))

/** SQLite rolls some failed transactions back by itself, a full disk's for one; then there is nothing left to do. */
const rollback = (connection: Connection): Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError> =>
  Effect.catchIf(
    connection.execute("ROLLBACK", [], undefined),
    ({ reason }) => /no transaction is active/u.test(String(reason.cause)),
    () => Effect.succeed([])
  )

const isLocked = ({ reason }: SqlError.SqlError): boolean => reason._tag === "LockTimeoutError"

/** A lock of another process, as those know it who met it; in milliseconds of the monotonic clock. */
interface Lock {
  since: number
  met: number
}

/** How long the file has been locked. */
const lockedFor = (lock: Lock): Effect.Effect<number> =>
  Effect.map(Clock.monotonicTimeNanos, (nanos) => {
    const now = Number(nanos / 1_000_000n)
    if (now - lock.met > FORGOTTEN_MILLIS) lock.since = now
    lock.met = now
    return now - lock.since
  })

/**
 * The driver waits in SQLite, and the whole process with it; so it never does, and asks again instead. Between two tries
 * the connection is free: whoever reads need not wait for those who wait to write. All wait for the same lock, and so
 * together: else each in a queue would begin anew, and the last wait for minutes.
 */
const patient = <A, E, R>(
  lock: Lock,
  run: Effect.Effect<A, E | SqlError.SqlError, R>,
  mayRepeat: () => boolean = () => true
): Effect.Effect<A, E | SqlError.SqlError, R> => {
  const meets = (error: E | SqlError.SqlError) => SqlError.isSqlError(error) && isLocked(error) && mayRepeat()
  const over = Effect.sync(() => {
    lock.met = Number.NEGATIVE_INFINITY
  })
  const attempt = (tries: number): Effect.Effect<A, E | SqlError.SqlError, R> =>
    Effect.catchIf(tries === 0 ? run : Effect.tap(run, over), meets, (error) =>
      Effect.gen(function* () {
        const [timeout, locked] = [yield* BusyTimeout, yield* lockedFor(lock)]
        const isTired = tries >= Math.min(LEAST_TRIES, timeout / SPACING_MILLIS)
        if (isTired && locked >= timeout) return yield* Effect.fail(error)
        return yield* Effect.delay(attempt(tries + 1), SPACING_MILLIS)
      })
    )
  return attempt(0)
}

type Run<A> = (sql: string) => Effect.Effect<A, SqlError.SqlError>

let attempts = 0

/** The driver keeps a statement that could not be prepared as such, for minutes; it does not know one of another text. */
const prepared = <A>(run: Run<A>, sql: string): Effect.Effect<A, SqlError.SqlError> =>
  Effect.catchIf(
    run(sql),
    ({ reason }) => reason.operation === "prepare",
    () => run(`${sql} -- ${++attempts}`)
  )

const guard = (connection: Connection): Connection => ({
  ...connection,
  execute: (sql, params, transform) =>
    sql === "ROLLBACK" ? rollback(connection) : prepared((text) => connection.execute(text, params, transform), sql),
  executeRaw: (sql, params) => prepared((text) => connection.executeRaw(text, params), sql),
  executeValues: (sql, params) => prepared((text) => connection.executeValues(text, params), sql)
})

/** A transaction waits to begin: once it began, it holds the lock. */
const waitToBegin = (lock: Lock, { withTransaction }: Pick<SqlClient.SqlClient, "withTransaction">) => ({
  withTransaction: <R, E, A>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R> =>
    Effect.suspend(() => {
      let began = false
      const begin = Effect.sync(() => {
        began = true
      })
      return patient(lock, withTransaction(Effect.andThen(begin, self)), () => !began)
    })
})

/** Opens a file, without any PRAGMA, on request only to read it. Dies with what SQLite says if it can't. */
export const make = Effect.fnUntraced(function* (
  file: string,
  { readonly = false }: { readonly readonly?: boolean } = {}
): Effect.fn.Return<SqlClient.SqlClient, SqlError.SqlError, Services> {
  const { make } = (yield* load) as Driver
  const connection = guard(yield* (yield* make({ filename: file, disableWAL: true, readonly })).reserve)
  const acquirers = SqlClient.makeSqliteAcquirers({
    connection: Effect.succeed(connection),
    semaphore: yield* Semaphore.make(1)
  })
  const lock: Lock = { since: 0, met: Number.NEGATIVE_INFINITY }
  const sql = yield* SqlClient.make({
    ...acquirers,
    borrower: (use) => patient(lock, acquirers.borrower(use)),
    compiler: Statement.makeCompilerSqlite(),
    driver: "sqlite-node",
    spanAttributes: [["db.system.name", "sqlite"]],
    beginTransaction: "BEGIN IMMEDIATE",
    prepareTransactionControls: true
  })
  return Object.assign(sql, waitToBegin(lock, sql))
})
