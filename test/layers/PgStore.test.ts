import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as PgStore from "../../src/layers/PgStore.ts"
import { StoreError } from "../../src/layers/StoreError.ts"
import * as Disguise from "../postgres/Disguise.ts"
import * as Place from "../postgres/Place.ts"
import * as Postgres from "../postgres/Postgres.ts"
import { runProcess } from "./StoreFixture.ts"

const open = (options: PgStore.Options) =>
  Effect.map(Layer.build(PgStore.layer(options)), (context) => Context.get(context, SqlClient.SqlClient))

/** What the superuser does in a schema, in whatever state that is. */
const administer = Effect.fnUntraced(function* (...statements: ReadonlyArray<string>) {
  const sql = yield* open(yield* Postgres.newStore)
  for (const statement of statements) yield* sql.unsafe(statement)
})

const refusal = (options: PgStore.Options) =>
  Effect.map(Effect.exit(Effect.scoped(open(options))), (exit) => {
    const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
    assert.instanceOf(error, StoreError)
    assert.notInclude(error.message, "\n")
    assert.notInclude(error.message, "secret")
    const [, address, problem] = /^The database (\S+|behind the URL) cannot be used: (.*)$/u.exec(error.message) ?? []
    assert.isDefined(address)
    return problem ?? ""
  })

/** The options, with something else in their URL. */
const instead = (options: Place.Place, change: (url: URL) => void): Place.Place => {
  const url = new URL(Redacted.value(options.url))
  change(url)
  return { ...options, url: Redacted.make(url.href) }
}

/** A user of the server with a name of its own. */
const user = Effect.fnUntraced(function* (options: Place.Place, grants: ReadonlyArray<string>, attributes = "") {
  const name = `user_${options.schema}`
  yield* administer(
    `CREATE ROLE ${name} LOGIN PASSWORD 'secret' ${attributes}`,
    ...grants.map((grant) => grant.replace("$name", name))
  )
  return instead(options, (url) => {
    url.username = name
  })
})

describe("PgStore", () => {
  it.live("makes its schema, and finds it again", () =>
    Effect.gen(function* () {
      const options = yield* Postgres.newStore
      for (const expected of [[], [{ id: "s" }]]) {
        const sql = yield* open(options)
        assert.deepStrictEqual(
          (yield* sql`SELECT id FROM sessions`).map((row) => ({ ...row })),
          expected
        )
        yield* sql`INSERT INTO sessions (id, created_at) VALUES ('s', 0) ON CONFLICT DO NOTHING`
      }
    })
  )

  it.live("is made by one of many processes that start at once, and all commit to it side by side", () =>
    Effect.gen(function* () {
      const place = Place.show(yield* Postgres.newStore)
      const run = (session: string) => runProcess(place, session, 25)
      const results = yield* Effect.forEach(["a", "b", "c", "d"], run, { concurrency: "unbounded" })
      assert.deepStrictEqual(
        results.map(({ code, errors }) => ({ code, errors })),
        results.map(() => ({ code: 0, errors: "" }))
      )
      const sql = yield* open(Place.at(place))
      const counts = yield* sql`SELECT count(*)::integer AS events FROM events GROUP BY session`
      assert.deepStrictEqual(
        counts.map(({ events }) => events),
        [25, 25, 25, 25]
      )
    })
  )

  it.live("is made once by many openings at once", () =>
    Effect.gen(function* () {
      const options = yield* Postgres.newStore
      yield* Effect.forEach(Array.from({ length: 12 }), () => open(options), { concurrency: "unbounded" })
      const sql = yield* open(options)
      assert.deepStrictEqual(
        (yield* sql`SELECT version FROM session_schedule_store`).map((row) => ({ ...row })),
        [{ version: 1 }]
      )
    })
  )

  it.live("needs no more than a schema that it may write, where the administrator made one", () =>
    Effect.gen(function* () {
      const options = yield* Postgres.newStore
      const theirs = yield* user(options, [`CREATE SCHEMA ${options.schema} AUTHORIZATION $name`])
      const sql = yield* open(theirs)
      assert.deepStrictEqual(yield* sql`SELECT * FROM sessions`, [])
    })
  )

  it.live(
    "acknowledges nothing before it is durable, whatever the default of the server, the database or the user",
    () =>
      Effect.gen(function* () {
        for (const [theirs, ours] of [
          ["off", "on"],
          ["local", "on"],
          ["remote_write", "on"],
          ["remote_apply", "remote_apply"]
        ]) {
          const options = yield* Postgres.newStore
          const sql = yield* open(
            yield* user(options, [
              `CREATE SCHEMA ${options.schema} AUTHORIZATION $name`,
              `ALTER ROLE $name SET synchronous_commit = ${theirs}`,
              `ALTER ROLE $name SET default_transaction_isolation = 'serializable'`
            ])
          )
          const [settings] = yield* sql`SELECT current_setting('synchronous_commit') AS commit,
          current_setting('transaction_isolation') AS isolation, current_schema() AS schema`
          assert.deepStrictEqual({ ...settings }, { commit: ours, isolation: "read committed", schema: options.schema })
        }
      })
  )

  it.live("refuses a server that is older than PostgreSQL 14, before it makes anything there", () =>
    Effect.gen(function* () {
      const options = yield* Postgres.newStore
      const sql = yield* open(yield* Postgres.newStore)
      const [server] = yield* sql`SELECT current_setting('server_version_num') AS version`
      const port = Number(new URL(Redacted.value(options.url)).port)
      for (const [version, problem] of [
        ["130022", "its server is PostgreSQL 13. Use 14 or newer."],
        ["090624", "its server is PostgreSQL 9. Use 14 or newer."]
      ] as const) {
        const way = yield* Disguise.make(port, [String(server?.["version"]), version])
        const theirs = instead(options, (url) => void (url.port = String(way)))
        assert.strictEqual(yield* refusal(theirs), problem)
      }
      const made = yield* sql`SELECT FROM pg_namespace WHERE nspname = ${options.schema}`
      assert.strictEqual(made.length, 0)
      const way = yield* Disguise.make(port, [String(server?.["version"]), "140000"])
      yield* open(instead(options, (url) => void (url.port = String(way))))
    })
  )

  it.live("finds the few changes of a long conversation by their index", () =>
    Effect.gen(function* () {
      const sql = yield* open(yield* Postgres.newStore)
      yield* sql`INSERT INTO events (session, seq, at, type, data)
        SELECT 1, seq, 0, CASE seq % 1000 WHEN 0 THEN 'schedule/change' ELSE 'turn/output' END, '1'
        FROM generate_series(0, 19999) AS seq`
      yield* sql`ANALYZE events`
      const plan = yield* sql`EXPLAIN SELECT * FROM events
        WHERE session = ${1} AND type = 'schedule/change' AND seq >= ${0} AND seq < ${20_000} ORDER BY seq`
      assert.match(String(plan[0]?.["QUERY PLAN"]), /^Index Scan using schedule_events/u)
    })
  )

  it.live("takes back all of a transaction in which a statement failed, also if nobody minds, and says so", () =>
    Effect.gen(function* () {
      const sql = yield* open(yield* Postgres.newStore)
      const insert = sql`INSERT INTO sessions (id, created_at) VALUES ('s', 0)`
      const careless = sql.withTransaction(Effect.andThen(insert, Effect.ignore(insert)))
      assert.match(String((yield* Effect.flip(careless)).reason.cause), /rolled back/u)
      assert.deepStrictEqual(yield* sql`SELECT * FROM sessions`, [])
      yield* sql.withTransaction(Effect.andThen(insert, Effect.ignore(sql.withTransaction(insert))))
      assert.strictEqual((yield* sql`SELECT * FROM sessions`).length, 1)
    })
  )

  it.live("gives a statement only so much time", () =>
    Effect.gen(function* () {
      const sql = yield* open({ ...(yield* Postgres.newStore), patience: 100 })
      assert.strictEqual((yield* Effect.flip(sql`SELECT pg_sleep(60)`)).reason._tag, "StatementTimeoutError")
      assert.strictEqual((yield* sql`SELECT 1 AS one`).length, 1)
    })
  )
})

describe("A PostgreSQL database that can't be the store is refused in one line", () => {
  it.live("when the URL is none", () =>
    Effect.gen(function* () {
      const options = yield* Postgres.newStore
      for (const url of ["secret", "", "mysql://a:secret@localhost/b"]) {
        assert.match(yield* refusal({ ...options, url: Redacted.make(url) }), /^it is not postgres:/u)
      }
    })
  )

  it.live("when the server can't be reached", () =>
    Effect.gen(function* () {
      const options = yield* Postgres.newStore
      const closed = instead(options, (url) => {
        url.port = "1"
      })
      assert.match(yield* refusal(closed), /^its server cannot be reached\. Start it/u)
      const nowhere = instead(options, (url) => {
        url.hostname = "nowhere.invalid"
      })
      assert.match(yield* refusal(nowhere), /^(?:there is no server of that name|the name of its server cannot)/u)
    })
  )

  it.live("when the password is wrong or missing, the user or the database unknown", () =>
    Effect.gen(function* () {
      const options = yield* Postgres.newStore
      const refused = (change: (url: URL) => void) => refusal(instead(options, change))
      assert.match(
        yield* refused((url) => (url.password = "wrong")),
        /^the password is wrong, or there is no such user/u
      )
      assert.match(
        yield* refused((url) => (url.username = "nobody")),
        /^the password is wrong, or there is no such user/u
      )
      assert.match(yield* refused((url) => (url.password = "")), /^its server wants a password/u)
      assert.match(yield* refused((url) => (url.pathname = "/none")), /^there is no such database\. Make it/u)
    })
  )

  it.live("when its schema belongs to another program, and stays as it was", () =>
    Effect.gen(function* () {
      const options = yield* Postgres.newStore
      yield* administer(`CREATE SCHEMA ${options.schema}`, `CREATE TABLE ${options.schema}.sessions (id text)`)
      assert.match(yield* refusal(options), /belongs to another program\. Name another schema\.$/u)
      const sql = yield* open(yield* Postgres.newStore)
      const tables = yield* sql`SELECT tablename FROM pg_tables WHERE schemaname = ${options.schema}`
      assert.strictEqual(tables.length, 1)
    })
  )

  it.live("when a newer version wrote it", () =>
    Effect.gen(function* () {
      const options = yield* Postgres.newStore
      const sql = yield* open(options)
      yield* sql`UPDATE session_schedule_store SET version = 99`
      assert.match(yield* refusal(options), /^a newer version of this program wrote it\./u)
    })
  )

  it.live("when the user may not make the schema, or write it", () =>
    Effect.gen(function* () {
      const options = yield* Postgres.newStore
      assert.match(yield* refusal(yield* user(options, [])), /^its user may not make or change the schema\./u)
      const readOnly = yield* Postgres.newStore
      const grants = [
        `CREATE SCHEMA ${readOnly.schema} AUTHORIZATION $name`,
        `ALTER ROLE $name SET default_transaction_read_only = on`
      ]
      assert.match(yield* refusal(yield* user(readOnly, grants)), /^it can only be read\. Name the primary server\./u)
    })
  )

  it.live("when the server has no connection left", () =>
    Effect.gen(function* () {
      const theirs = yield* user(yield* Postgres.newStore, [], "CONNECTION LIMIT 0")
      assert.match(yield* refusal(theirs), /^its server has no connection left\./u)
    })
  )

  it.live("when it can't hold every text", () =>
    Effect.gen(function* () {
      const options = yield* Postgres.newStore
      yield* administer(`CREATE DATABASE latin_${options.schema} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`)
      const latin = instead(options, (url) => {
        url.pathname = `/latin_${options.schema}`
      })
      assert.match(yield* refusal(latin), /^its encoding is LATIN1\. Name a database in UTF8\./u)
    })
  )
})
