/**
 * One schema of a PostgreSQL database, opened as the store: what it acknowledges survives a crash of the server, and
 * many processes on many machines can share it.
 */
import { Cause, Effect, Layer, Redacted, type Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import type { EventWriter } from "./EventWriter.ts"
import * as EventWriterPg from "./EventWriterPg.ts"
import * as PgDriver from "./PgDriver.ts"
import * as PgSchema from "./PgSchema.ts"
import { fromCause, StoreError } from "./StoreError.ts"

export interface Options {
  /** `postgres://user:password@host:port/database`, with parameters as libpq knows them: `?sslmode=require`. */
  readonly url: Redacted.Redacted
  /** The schema that is the store's alone (`session_schedule`); it is made if it is missing. */
  readonly schema?: string | undefined
  /** The most connections of this process at a time (10). */
  readonly connections?: number | undefined
  /**
   * How long a statement may take, in milliseconds (20,000), half of it for locks. Where the server gives no answer at
   * all, waiting ends after twice as long.
   */
  readonly patience?: number | undefined
}

const SCHEMA = "session_schedule"
const CONNECTIONS = 10
const PATIENCE = 20_000

/** How long opening waits for another process that makes the tables, in milliseconds. */
const MIGRATION_PATIENCE = 120_000

/** The URL without what is secret in it; none if it is no PostgreSQL URL. */
const addressOf = (url: Redacted.Redacted): string | undefined => {
  const { protocol, host, pathname } = URL.parse(Redacted.value(url)) ?? {}
  return /^postgres(?:ql)?:$/u.test(protocol ?? "") ? `${protocol}//${host}${pathname}` : undefined
}

const refuse = (file: string, problem: string): Effect.Effect<never, StoreError> =>
  Effect.fail(new StoreError({ file, problem }))

/** Before anything is written: a schema of somebody else's stays as it is. */
const refuseForeign = Effect.fnUntraced(function* (address: string, schema: string) {
  const { objects, isOurs, version } = yield* PgSchema.marks(schema)
  if (objects > 0 && !isOurs) {
    return yield* refuse(address, `its schema ${schema} belongs to another program. Name another schema.`)
  }
  if (version > PgSchema.VERSION) {
    return yield* refuse(
      address,
      "a newer version of this program wrote it. Update the program, or name another schema."
    )
  }
})

/**
 * The oldest PostgreSQL that is taken, as `server_version_num` without its last four digits. The tables need 11
 * (`hashtextextended`), and runners of a cluster 14: there `idle_session_timeout` ends the session of a runner that is
 * frozen, which would keep its locks for ever.
 */
const OLDEST = 14

interface Server {
  readonly version: string
  readonly encoding: string
  readonly fsync: string
  readonly synchronousCommit: string
}

const inspect = Effect.fnUntraced(function* (address: string) {
  const sql = yield* SqlClient.SqlClient
  const [server] = yield* sql<Server>`SELECT current_setting('server_version_num') AS version,
    current_setting('server_encoding') AS encoding,
    current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS "synchronousCommit"`
  if (server === undefined) return yield* refuse(address, "its server does not tell its version.")
  const version = Math.floor(Number(server.version) / 10_000)
  if (!(version >= OLDEST)) {
    return yield* refuse(address, `its server is PostgreSQL ${version}. Use ${OLDEST} or newer.`)
  }
  if (server.encoding !== "UTF8") {
    return yield* refuse(address, `its encoding is ${server.encoding}. Name a database in UTF8.`)
  }
  if (server.fsync !== "on") {
    yield* Effect.logWarning(`The server of ${address} runs without fsync: a crash of its machine can lose everything`)
  }
  return server
})

/** On one connection; answers when a commit counts as durable: at once, and on the standbys too if the server wants that. */
const prepare = Effect.fnUntraced(function* (address: string, options: PgDriver.Options) {
  const sql = yield* PgDriver.connect({ ...options, patience: MIGRATION_PATIENCE })
  return yield* Effect.gen(function* () {
    const { synchronousCommit } = yield* inspect(address)
    yield* refuseForeign(address, options.schema)
    yield* PgSchema.migrate(options.schema)
    return synchronousCommit === "remote_apply" ? synchronousCommit : "on"
  }).pipe(Effect.provideService(SqlClient.SqlClient, sql))
}, Effect.scoped)

/** Connects, makes the tables if they are missing, and disconnects with the scope. */
export const make = ({
  url,
  schema = SCHEMA,
  connections = CONNECTIONS,
  patience = PATIENCE
}: Options): Effect.Effect<SqlClient.SqlClient, StoreError, Reactivity.Reactivity | Scope.Scope> => {
  const address = addressOf(url)
  if (address === undefined) return refuse("behind the URL", "it is not postgres://user@host:port/database.")
  const options = { url, schema, patience, connections }
  return prepare(address, options).pipe(
    Effect.flatMap((synchronousCommit) => PgDriver.pool({ ...options, synchronousCommit })),
    Effect.catchCause((cause) =>
      Cause.hasInterrupts(cause) ? Effect.interrupt : Effect.fail(fromCause(address, cause))
    )
  )
}

/** The store in one schema, and its writer. */
export const layer = (options: Options): Layer.Layer<SqlClient.SqlClient | EventWriter, StoreError> =>
  EventWriterPg.layer.pipe(
    Layer.provideMerge(Layer.effect(SqlClient.SqlClient, make(options))),
    Layer.provide(Reactivity.layer)
  )
