import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql"
import * as EventRow from "../../src/layers/EventRow.ts"
import { EventWriter } from "../../src/layers/EventWriter.ts"
import * as EventWriterSqlite from "../../src/layers/EventWriterSqlite.ts"
import * as GroupCommit from "../../src/layers/GroupCommit.ts"
import * as SqliteStore from "../../src/layers/SqliteStore.ts"
import { stores, type SqlStore } from "../contract/SqlStores.ts"
import { advance } from "../../src/testing/VirtualTime.ts"
import { change, message, temporaryFolder } from "./StoreFixture.ts"

type Failure = GroupCommit.StaleOwner | GroupCommit.CommitError

/** A store with Sessions of the keys 1 to 100, all in epoch 0, and a writer. */
const worldOf = Effect.fnUntraced(function* ({ make, writer: makeWriter }: Pick<SqlStore, "make" | "writer">) {
  const sql = Context.get(yield* Layer.build(Layer.orDie(yield* make)), SqlClient.SqlClient)
  yield* sql`WITH RECURSIVE n(key) AS (SELECT 1 UNION ALL SELECT key + 1 FROM n WHERE key < 100)
    INSERT INTO sessions (key, id, created_at) SELECT key, 's' || key, 0 FROM n`
  let transactions = 0
  const counted: SqlClient.SqlClient = new Proxy(sql, {
    get: (client, name, self) => {
      if (name === "unsafe" || name === "withTransaction") transactions++
      return Reflect.get(client, name, self)
    }
  })
  const writer = yield* Effect.provideService(makeWriter, SqlClient.SqlClient, counted)
  const group = yield* Effect.provideService(GroupCommit.make, EventWriter, writer)
  return { sql, group, transactions: () => transactions }
})

const inFile = (file: string) =>
  worldOf({ make: Effect.succeed(SqliteStore.layer(file)), writer: EventWriterSqlite.make })

const rows = (first: number, ...data: ReadonlyArray<unknown>) =>
  data.map((one, n) => EventRow.encode(change(one), first + n))

/** Commits events and answers why that failed, if it did. */
const commit = (
  { group }: { readonly group: GroupCommit.GroupCommit["Service"] },
  session: number,
  events: ReadonlyArray<EventRow.EventRow>,
  epoch = 0
) =>
  Effect.callback<Failure | null>((resume) =>
    group.submit({ session, epoch, events, settle: (failure) => resume(Effect.succeed(failure)) })
  )

const together = <A>(effects: ReadonlyArray<Effect.Effect<A>>) => Effect.all(effects, { concurrency: "unbounded" })

const tags = (failures: ReadonlyArray<Failure | null>) => failures.map((failure) => failure?._tag ?? null)

const stored = ({ sql }: { readonly sql: SqlClient.SqlClient }) =>
  Effect.map(
    sql<{ readonly session: number; readonly seq: number; readonly data: string }>`SELECT session, seq, data
      FROM events ORDER BY session, seq`,
    (events) => events.map(({ session, seq, data }) => [session, seq, JSON.parse(data)])
  )

describe.each(stores)("GroupCommit, $name", (store) => {
  const world = () => worldOf(store)

  it.effect("commits what many Sessions submit at once in one transaction, each in its order", () =>
    Effect.gen(function* () {
      const here = yield* world()
      const keys = Array.from({ length: 64 }, (_, n) => n + 1)
      const failures = yield* together(keys.map((key) => commit(here, key, rows(0, "a", "b"))))
      assert.deepStrictEqual(
        tags(failures),
        keys.map(() => null)
      )
      assert.strictEqual(here.transactions(), 1)
      assert.deepStrictEqual(
        yield* stored(here),
        keys.flatMap((key) => [
          [key, 0, "a"],
          [key, 1, "b"]
        ])
      )
    })
  )

  it.effect("refuses a stale owner, and leaves the others of the transaction alone", () =>
    Effect.gen(function* () {
      const here = yield* world()
      yield* here.sql`UPDATE sessions SET epoch = 3 WHERE key IN (2, 3)`
      const failures = yield* together([
        commit(here, 1, rows(0, "mine")),
        commit(here, 2, rows(0, "stale"), 2),
        commit(here, 2, rows(0, "current"), 3),
        commit(here, 3, rows(0, "future"), 4),
        commit(here, 999, rows(0, "nobody's"))
      ])
      assert.deepStrictEqual(tags(failures), [null, "StaleOwner", null, "StaleOwner", "StaleOwner"])
      assert.deepStrictEqual(yield* stored(here), [
        [1, 0, "mine"],
        [2, 0, "current"]
      ])
    })
  )

  it.effect("fails the broken entries of a transaction alone", () =>
    Effect.gen(function* () {
      const here = yield* world()
      yield* commit(here, 3, rows(0, "before"))
      const broken = (key: number) => key === 3 || key === 77
      yield* here.sql`INSERT INTO events (session, seq, at, type, data) VALUES (77, 0, 0, 'x', '1')`
      const keys = Array.from({ length: 100 }, (_, n) => n + 1)
      const failures = yield* together(
        keys.map((key) => commit(here, key, [...rows(0, key), EventRow.encode(message(key), key === 77 ? 0 : 1)]))
      )
      assert.deepStrictEqual(
        tags(failures),
        keys.map((key) => (broken(key) ? "CommitError" : null))
      )
      assert.deepStrictEqual(
        (yield* stored(here)).filter(([key]) => broken(key)),
        [
          [3, 0, "before"],
          [77, 0, 1]
        ]
      )
      assert.strictEqual((yield* stored(here)).length, 2 * 98 + 2)
    })
  )

  it.effect("takes events that are stored already for committed, also with more behind them", () =>
    Effect.gen(function* () {
      const here = yield* world()
      const failures = [
        yield* commit(here, 1, rows(0, "a", "b")),
        yield* commit(here, 1, rows(0, "a", "b")),
        yield* commit(here, 1, rows(0, "a", "b", "c")),
        yield* commit(here, 1, rows(0, "a", "other"))
      ]
      assert.deepStrictEqual(tags(failures), [null, null, null, "CommitError"])
      assert.deepStrictEqual(yield* stored(here), [
        [1, 0, "a"],
        [1, 1, "b"],
        [1, 2, "c"]
      ])
    })
  )

  it.effect("stores an entry of any length whole, or nothing of it", () =>
    Effect.gen(function* () {
      const here = yield* world()
      const many = Array.from({ length: 2_500 }, (_, n) => n)
      yield* commit(here, 2, rows(2_400, "taken"))
      const failures = yield* together([
        commit(here, 1, rows(0, ...many)),
        commit(here, 2, rows(0, ...many)),
        commit(here, 3, rows(0, ...many), 1),
        commit(here, 4, rows(0, 1))
      ])
      assert.deepStrictEqual(tags(failures), [null, "CommitError", "StaleOwner", null])
      const counts = yield* here.sql`SELECT session, CAST(count(*) AS integer) AS events FROM events
        GROUP BY session ORDER BY session`
      assert.deepStrictEqual(
        counts.map(({ session, events }) => [session, events]),
        [
          [1, 2_500],
          [2, 1],
          [4, 1]
        ]
      )
    })
  )

  it.effect("goes on when a listener throws", () =>
    Effect.gen(function* () {
      const here = yield* world()
      const settle = () => {
        throw new Error("listener")
      }
      here.group.submit({ session: 1, epoch: 0, events: rows(0, "a"), settle })
      assert.deepStrictEqual(tags(yield* together([commit(here, 2, rows(0, "b"))])), [null])
      assert.deepStrictEqual(tags([yield* commit(here, 3, rows(0, "c"))]), [null])
    })
  )

  it.effect(
    "commits what is under way or queued when it closes, before the database does, and nothing afterwards",
    () =>
      Effect.gen(function* () {
        const shared = (yield* store.makeShared).store
        const scope = yield* Scope.make()
        const opened = worldOf({ ...store, make: Effect.succeed(shared) })
        const here = yield* Effect.provideService(opened, Scope.Scope, scope)
        const outcomes: Array<Failure | null> = []
        const settle = (failure: Failure | null) => outcomes.push(failure)
        here.group.submit({ session: 1, epoch: 0, events: rows(0, 1), settle })
        yield* Effect.repeat(Effect.yieldNow, { times: 5 })
        for (const session of [2, 3]) here.group.submit({ session, epoch: 0, events: rows(0, session), settle })
        yield* Scope.close(scope, Exit.void)
        here.group.submit({ session: 4, epoch: 0, events: rows(0, 4), settle })
        assert.deepStrictEqual(tags(outcomes), [null, null, null, "CommitError"])
        const sql = Context.get(yield* Layer.build(Layer.orDie(shared)), SqlClient.SqlClient)
        assert.deepStrictEqual(yield* stored({ sql }), [
          [1, 0, 1],
          [2, 0, 2],
          [3, 0, 3]
        ])
      })
  )
})

describe("GroupCommit, in a file", () => {
  it.effect("fails everything while the disk is full, and works again once there is room", () =>
    Effect.gen(function* () {
      const here = yield* inFile(join(yield* temporaryFolder, "store.db"))
      yield* here.sql`PRAGMA max_page_count = 12`
      const all = together([1, 2, 3, 4].map((key) => commit(here, key, rows(0, "x".repeat(30_000)))))
      assert.deepStrictEqual(tags(yield* all), ["CommitError", "CommitError", "CommitError", "CommitError"])
      assert.deepStrictEqual(yield* stored(here), [])
      yield* here.sql`PRAGMA max_page_count = 1000`
      assert.deepStrictEqual(tags(yield* all), [null, null, null, null])
    })
  )

  it.effect("fails everything at once while another process keeps the file locked", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryFolder, "store.db")
      const here = yield* inFile(file)
      const other = new DatabaseSync(file)
      other.exec("BEGIN IMMEDIATE")
      const all = together([1, 2, 3, 4].map((key) => commit(here, key, rows(0, key))))
      const failing = yield* Effect.forkChild(all)
      yield* advance("6 seconds")
      assert.deepStrictEqual(
        tags(yield* Fiber.join(failing)),
        Array.from({ length: 4 }, () => "CommitError")
      )
      assert.strictEqual(here.transactions(), 1)
      other.close()
      assert.deepStrictEqual(tags(yield* all), [null, null, null, null])
    })
  )
})
