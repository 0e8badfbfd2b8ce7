/**
 * Effect's SQL client over Effect's PostgreSQL driver, on a network that can fail: nothing waits for ever, and what is
 * nobody's fault says so.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import { Clock, Effect, Redacted, type Scope, Stream } from "effect"
import type { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"

type Connection = SqlConnection.Connection
type Services = Reactivity.Reactivity | Scope.Scope

export interface Options {
  readonly url: Redacted.Redacted
  /** The schema of all tables that are not named with theirs. */
  readonly schema: string
  /** How long the server lets a statement run, in milliseconds, half of it for locks. */
  readonly patience: number
}

/** The longest row that the server may send, in bytes; PostgreSQL's own limit. */
const LARGEST_ROW = 2 ** 30

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const settings = ({ url, schema, patience }: Options, more: Readonly<Record<string, string>> = {}) =>
  ({
    url,
    applicationName: URL.parse(Redacted.value(url))?.searchParams.get("application_name") ?? "session-schedule",
    connectTimeout: "5 seconds",
    keepAlive: "15 seconds",
    maxMessageSize: LARGEST_ROW,
    startupParameters: {
      search_path: quoted(schema),
      default_transaction_isolation: "read committed",
      statement_timeout: `${patience}`,
      lock_timeout: `${patience >> 1}`,
      // A process that is frozen in the midst of a transaction must not hold its locks for ever.
      idle_in_transaction_session_timeout: `${patience}`,
      ...more
    }
  }) as const

/** The network knows only real time, whatever clock the program runs by. */
const inRealTime = Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())

const away = (cause: unknown, message: string): SqlError.SqlError =>
  new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause, message, operation: "query" }) })

/** Out of room or of connections, told to stop, starting up, a broken disk, a standby: no statement's fault, and it may pass. */
const PASSING = /^(?:53|57|58|25006)/u

const classified = (error: SqlError.SqlError): SqlError.SqlError => {
  const { cause, isRetryable } = error.reason
  const { code } = Object(cause) as { readonly code?: unknown }
  return isRetryable || typeof code !== "string" || !PASSING.test(code) ? error : away(cause, error.message)
}

const unanswered = away("no answer", "The server did not answer")

/**
 * A server that is gone without a word would be noticed after a quarter of an hour. Whoever waits may be uninterruptible;
 * the statement is not.
 */
const guard = (connection: Connection, patience: number): Connection => {
  const guarded = <A>(statement: Effect.Effect<A, SqlError.SqlError>): Effect.Effect<A, SqlError.SqlError> =>
    Effect.interruptible(statement).pipe(
      Effect.timeoutOrElse({ duration: 2 * patience, orElse: () => Effect.fail(unanswered) }),
      Effect.mapError(classified),
      inRealTime
    )
  return {
    execute: (sql, params, transform) => guarded(connection.execute(sql, params, transform)),
    executeRaw: (sql, params) => guarded(connection.executeRaw(sql, params)),
    executeValues: (sql, params) => guarded(connection.executeValues(sql, params)),
    executeValuesUnprepared: (sql, params) => guarded(connection.executeValuesUnprepared(sql, params)),
    executeUnprepared: (sql, params, transform) => guarded(connection.executeUnprepared(sql, params, transform)),
    executeStream: (sql, params, transform) =>
      Stream.mapError(connection.executeStream(sql, params, transform), classified)
  }
}

/** PostgreSQL answers the COMMIT of a transaction in which a statement failed by rolling it back. */
const commit = (connection: Connection): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    (result as { readonly command: string }).command === "COMMIT"
      ? Effect.void
      : Effect.fail(
          new SqlError.SqlError({
            reason: new SqlError.UnknownError({ cause: "COMMIT rolled back", operation: "commit" })
          })
        )
  )

/** One connection, for as long as the scope is open. */
export const connect = (options: Options): Effect.Effect<SqlClient.SqlClient, SqlError.SqlError, Services> =>
  inRealTime(PgClient.makeClient(settings(options)))

/** A pool of connections that are made when they are needed, and made anew when they were cut. */
export const pool = Effect.fnUntraced(function* (
  options: Options & { readonly connections: number; readonly synchronousCommit: string }
): Effect.fn.Return<SqlClient.SqlClient, SqlError.SqlError, Services> {
  const client = yield* PgClient.make({
    ...settings(options, { synchronous_commit: options.synchronousCommit }),
    maxConnections: options.connections
  })
  // Whoever gets no connection has not even asked, whatever the reason.
  const acquirer = Effect.map(client.reserve, (connection) => guard(connection, options.patience)).pipe(
    Effect.mapError(({ reason, message }) => away(reason.cause, message)),
    inRealTime
  )
  return yield* SqlClient.make({
    acquirer,
    transactionAcquirer: acquirer,
    compiler: PgClient.makeCompiler(),
    driver: "pg",
    spanAttributes: [["db.system.name", "postgresql"]],
    prepareTransactionControls: true,
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`
  })
}, inRealTime)
