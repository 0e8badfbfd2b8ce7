import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { SessionId } from "../../src/domain/Session.ts"
import * as EventQuery from "../../src/layers/EventQuery.ts"
import * as EventRow from "../../src/layers/EventRow.ts"
import { type Entry, EventWriter } from "../../src/layers/EventWriter.ts"
import * as PgStore from "../../src/layers/PgStore.ts"
import * as SessionStore from "../../src/layers/SessionStore.ts"
import * as Postgres from "../postgres/Postgres.ts"
import { change, header } from "./StoreFixture.ts"

const SESSIONS = 20

/** A store with Sessions of the keys 1 to 20, in epoch 0. */
const world = Effect.gen(function* () {
  const store = PgStore.layer(yield* Postgres.newStore)
  const context = yield* Layer.build(Layer.orDie(Layer.provideMerge(SessionStore.layer, store)))
  const sessions = Context.get(context, SessionStore.SessionStore)
  for (let key = 1; key <= SESSIONS; key++) yield* sessions.create(header(`s${key}`))
  return {
    sql: Context.get(context, SqlClient.SqlClient),
    writer: Context.get(context, EventWriter),
    open: (key: number) => sessions.open(SessionId.make(`s${key}`))
  }
})

type World = Effect.Success<typeof world>

const entry = (session: number, epoch: number, ...data: ReadonlyArray<unknown>): Entry => ({
  session,
  epoch,
  events: data.map((one, n) => EventRow.encode(change(one), n))
})

const write = ({ writer }: World, ...entries: ReadonlyArray<Entry>) =>
  Effect.map(writer.write(entries), (isAccepted) => entries.map(isAccepted))

const stored = ({ sql }: World) =>
  Effect.map(
    sql<{ readonly session: number; readonly data: string }>`SELECT session, data FROM events ORDER BY session, seq`,
    (events) => events.map(({ session, data }) => [session, JSON.parse(data)])
  )

/** Does something in a transaction on a connection of its own, and holds that open until it is told how it ends. */
const held = Effect.fnUntraced(function* <A>({ sql }: World, work: Effect.Effect<A, unknown>) {
  const begun = yield* Deferred.make<number>()
  const end = yield* Deferred.make<void, "rollback">()
  const transaction = sql.withTransaction(
    Effect.gen(function* () {
      const answer = yield* work
      const [own] = yield* sql<{ readonly pid: number }>`SELECT pg_backend_pid() AS pid`
      yield* Deferred.succeed(begun, own?.pid ?? 0)
      yield* Deferred.await(end)
      return answer
    })
  )
  const fiber = yield* Effect.forkChild(Effect.exit(transaction))
  return {
    pid: yield* Deferred.await(begun),
    commit: Effect.andThen(Deferred.succeed(end, undefined), Fiber.join(fiber)),
    rollBack: Effect.andThen(Deferred.fail(end, "rollback"), Fiber.join(fiber))
  }
})

const isWaiting = ({ sql }: World, pid: number) =>
  Effect.map(
    sql<{ readonly waits: boolean }>`SELECT EXISTS (SELECT FROM pg_stat_activity
      WHERE ${pid} = ANY (pg_blocking_pids(pid))) AS waits`,
    ([found]) => found?.waits === true
  )

/** Starts something that has to wait for the transaction of that backend, and goes on when it does. */
const blocked = Effect.fnUntraced(function* <A, E>(here: World, pid: number, work: Effect.Effect<A, E>) {
  const fiber = yield* Effect.forkChild(work)
  yield* Effect.repeat(isWaiting(here, pid), { until: (waits) => waits || fiber.pollUnsafe() !== undefined })
  assert.isUndefined(fiber.pollUnsafe())
  return fiber
})

const opening = ({ sql }: World, key: number) => sql`UPDATE sessions SET epoch = epoch + 1 WHERE key = ${key}`

describe("A commit in PostgreSQL", () => {
  it.live("waits for an opening of its Session that is under way, and is refused by it, without the others", () =>
    Effect.gen(function* () {
      const here = yield* world
      const other = yield* held(here, opening(here, 2))
      const commit = yield* blocked(here, other.pid, write(here, entry(3, 0, "c"), entry(2, 0, "b"), entry(1, 0, "a")))
      yield* other.commit
      assert.deepStrictEqual(yield* Fiber.join(commit), [true, false, true])
      assert.deepStrictEqual(yield* stored(here), [
        [1, "a"],
        [3, "c"]
      ])
    })
  )

  it.live("waits for an opening that comes to nothing, and is accepted then", () =>
    Effect.gen(function* () {
      const here = yield* world
      const other = yield* held(here, opening(here, 2))
      const commit = yield* blocked(here, other.pid, write(here, entry(2, 0, "b")))
      yield* other.rollBack
      assert.deepStrictEqual(yield* Fiber.join(commit), [true])
    })
  )

  it.live("keeps an opening waiting while it is under way, which then counts all that it stored", () =>
    Effect.gen(function* () {
      const here = yield* world
      const other = yield* held(here, write(here, entry(2, 0, "a", "b")))
      const owner = yield* blocked(here, other.pid, here.open(2))
      yield* other.commit
      assert.deepInclude(yield* Fiber.join(owner), { key: 2, epoch: 1, length: 2 })
      assert.deepStrictEqual(yield* write(here, entry(2, 0, "a", "b", "late")), [false])
      assert.strictEqual((yield* stored(here)).length, 2)
    })
  )

  it.live("that is repeated while the first try is still under way stores nothing twice", () =>
    Effect.gen(function* () {
      const here = yield* world
      const first = yield* held(here, write(here, entry(1, 0, "a")))
      const again = yield* blocked(here, first.pid, write(here, entry(1, 0, "a", "b")))
      yield* first.commit
      assert.deepStrictEqual(yield* Fiber.join(again), [true])
      assert.deepStrictEqual(yield* stored(here), [
        [1, "a"],
        [1, "b"]
      ])
    })
  )

  it.live("that is repeated with other content fails, and as an entry's fault", () =>
    Effect.gen(function* () {
      const here = yield* world
      const first = yield* held(here, write(here, entry(1, 0, "a")))
      const other = yield* blocked(here, first.pid, Effect.flip(write(here, entry(1, 0, "other"), entry(2, 0, "b"))))
      yield* first.commit
      const error = yield* Fiber.join(other)
      assert.isTrue(SqlError.isSqlError(error) && !error.isRetryable)
      assert.deepStrictEqual(yield* stored(here), [[1, "a"]])
    })
  )

  it.live("never waits in a circle with others, whatever the order of their entries", () =>
    Effect.gen(function* () {
      const here = yield* world
      const entries = Array.from({ length: SESSIONS }, (_, n) => entry(n + 1, 0, "a", "b", "c"))
      const commits = Array.from({ length: 40 }, (_, n): Effect.Effect<unknown, unknown> =>
        n % 4 === 3 ? here.open((n % SESSIONS) + 1) : write(here, ...(n % 2 === 0 ? entries : entries.toReversed()))
      )
      const exits = yield* Effect.forEach(commits, (commit) => Effect.exit(commit), { concurrency: "unbounded" })
      assert.deepStrictEqual(exits.filter(Exit.isFailure), [])
    })
  )
})

describe("Who owns a Session in PostgreSQL", () => {
  it.live("is asked without waiting, and without keeping anyone waiting", () =>
    Effect.gen(function* () {
      const here = yield* world
      const epoch = (session: number) => EventQuery.epoch(here.sql, session)
      const other = yield* held(here, opening(here, 2))
      assert.strictEqual(yield* epoch(2), 0)
      yield* other.commit
      assert.strictEqual(yield* epoch(2), 1)
      assert.isUndefined(yield* epoch(99))
    })
  )

  it.live("is asked once for all who want to know at the same time", () =>
    Effect.gen(function* () {
      const here = yield* world
      yield* here.open(7)
      let questions = 0
      const counted = new Proxy(here.sql, {
        get: (client, name, self) => {
          if (name === "unsafe") questions++
          return Reflect.get(client, name, self)
        }
      })
      const sessions = Array.from({ length: SESSIONS }, (_, n) => n + 1)
      const epochs = yield* Effect.forEach(sessions, (session) => EventQuery.epoch(counted, session), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        epochs,
        sessions.map((session) => (session === 7 ? 1 : 0))
      )
      assert.strictEqual(questions, 1)
    })
  )

  it.live("is not told by a store that is broken", () =>
    Effect.gen(function* () {
      const { sql } = yield* world
      yield* sql`ALTER TABLE sessions RENAME TO gone`
      assert.isTrue(SqlError.isSqlError(yield* Effect.flip(EventQuery.epoch(sql, 1))))
    })
  )
})
