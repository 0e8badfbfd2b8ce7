import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as AlarmClock from "../../src/layers/AlarmClock.ts"
import * as GroupCommit from "../../src/layers/GroupCommit.ts"
import * as SessionLogSql from "../../src/layers/SessionLogSql.ts"
import * as SessionReminders from "../../src/layers/SessionReminders.ts"
import * as SessionStore from "../../src/layers/SessionStore.ts"
import * as SqliteStore from "../../src/layers/SqliteStore.ts"
import { AgentQueue } from "../../src/services/AgentQueue.ts"
import { Reminders } from "../../src/services/Reminders.ts"
import { stores, type SqlStore } from "../contract/SqlStores.ts"
import { change, header, message, runProcess } from "./StoreFixture.ts"

type Fault = "none" | "not stored" | "stored nevertheless" | "held"

const layerOf = (store: ReturnType<typeof SqliteStore.layer>) =>
  Layer.mergeAll(SessionStore.layer, GroupCommit.layer).pipe(Layer.provideMerge(store))

/** A store with one Session `s`, whose commits can be made to go wrong, and whose queries are counted. */
const worldOf = Effect.fnUntraced(function* (make: SqlStore["make"]) {
  const context = yield* Layer.build(Layer.orDie(layerOf(yield* make)))
  const sql = Context.get(context, SqlClient.SqlClient)
  const store = Context.get(context, SessionStore.SessionStore)
  const group = Context.get(context, GroupCommit.GroupCommit)
  yield* store.create(header("s"))

  let fault: Fault = "none"
  let queries = 0
  let commits = 0
  const held: Array<GroupCommit.Entry> = []
  const lost = new GroupCommit.CommitError({ cause: "the test wants it so" })
  const faulty = GroupCommit.GroupCommit.of({
    submit: (entry) => {
      commits++
      if (fault === "held") held.push(entry)
      else if (fault === "not stored") entry.settle(lost)
      else if (fault === "none") group.submit(entry)
      else group.submit({ ...entry, settle: () => entry.settle(lost) })
    }
  })
  const counted: SqlClient.SqlClient = new Proxy(sql, {
    apply: (client, self, parameters) => {
      queries++
      return Reflect.apply(client, self, parameters)
    }
  })
  const services = context.pipe(Context.add(GroupCommit.GroupCommit, faulty), Context.add(SqlClient.SqlClient, counted))
  return {
    sql,
    store,
    open: Effect.flatMap(store.open(header("s").id), SessionLogSql.make).pipe(Effect.provideContext(services)),
    fail: (next: Fault) =>
      Effect.sync(() => {
        fault = next
        for (const entry of held.splice(0)) group.submit(entry)
      }),
    queries: () => queries,
    commits: () => commits
  }
})

const inSqlite = worldOf(Effect.succeed(SqliteStore.layer(":memory:")))

const data = (events: ReadonlyArray<{ readonly data: unknown }>) => events.map((event) => event.data)
const seqs = (events: ReadonlyArray<{ readonly seq: number }>) => events.map(({ seq }) => seq)

describe.each(stores)("SessionLogSql, $name", ({ make, makeShared }) => {
  const world = () => worldOf(make)

  it.effect("keeps what a failed commit did not store, in order, and the next flush tries again", () =>
    Effect.gen(function* () {
      const here = yield* world()
      const log = yield* here.open
      yield* here.fail("not stored")
      yield* log.eventLog.append([change(1), message(2)])
      assert.propertyVal((yield* Effect.flip(log.barrier.flush)).cause, "_tag", "CommitError")
      yield* log.eventLog.append([change(3)])
      assert.deepStrictEqual(data((yield* log.eventLog.read(0)).events), [1, 3])
      yield* here.fail("none")
      yield* log.barrier.flush
      const { events } = yield* log.readAll(0)
      assert.deepStrictEqual(
        [data(events), seqs(events)],
        [
          [1, 2, 3],
          [0, 1, 2]
        ]
      )
    })
  )

  it.effect("recognises what a commit stored although it failed, and stores nothing twice", () =>
    Effect.gen(function* () {
      const here = yield* world()
      const log = yield* here.open
      yield* here.fail("stored nevertheless")
      yield* log.eventLog.append([change(1), message(2)])
      yield* Effect.flip(log.barrier.flush)
      yield* Effect.flip(log.barrier.flush)
      yield* log.eventLog.append([change(3)])
      yield* Effect.flip(log.barrier.flush)
      assert.deepStrictEqual(yield* log.eventLog.read(0).pipe(Effect.map(({ events }) => data(events))), [1, 3])
      yield* here.fail("none")
      yield* log.barrier.flush
      const { events } = yield* log.readAll(0)
      assert.deepStrictEqual(
        [data(events), seqs(events)],
        [
          [1, 2, 3],
          [0, 1, 2]
        ]
      )
    })
  )

  it.effect("has one commit on its way at a time, and the next one for all who asked meanwhile", () =>
    Effect.gen(function* () {
      const here = yield* world()
      const log = yield* here.open
      yield* here.fail("held")
      yield* log.eventLog.append([change(1)])
      const first = yield* Effect.forkChild(log.barrier.flush, { startImmediately: true })
      yield* log.eventLog.append([change(2)])
      const others = yield* Effect.forkChild(Effect.all([log.barrier.flush, log.barrier.flush], { concurrency: 2 }), {
        startImmediately: true
      })
      yield* Effect.yieldNow
      assert.strictEqual(here.commits(), 1)
      yield* here.fail("held")
      yield* Fiber.join(first)
      assert.isUndefined(others.pollUnsafe())
      yield* here.fail("none")
      yield* Fiber.join(others)
      assert.strictEqual(here.commits(), 2)
      assert.deepStrictEqual(data((yield* log.readAll(0)).events), [1, 2])
    })
  )

  it.effect("learns the outcome of a commit that nobody waits for any more", () =>
    Effect.gen(function* () {
      const here = yield* world()
      const log = yield* here.open
      yield* here.fail("held")
      yield* log.eventLog.append([change(1)])
      const waiting = yield* Effect.forkChild(log.barrier.flush, { startImmediately: true })
      yield* Fiber.interrupt(waiting)
      yield* here.fail("none")
      yield* log.barrier.flush
      assert.deepStrictEqual(yield* log.pending, [])
      assert.deepStrictEqual(data((yield* log.readAll(0)).events), [1])
    })
  )

  it.effect("does not trust a commit that began before the call to tell whose the Session is", () =>
    Effect.gen(function* () {
      const here = yield* world()
      const log = yield* here.open
      yield* here.fail("held")
      yield* log.eventLog.append([change(1)])
      const first = yield* Effect.forkChild(log.barrier.flush, { startImmediately: true })
      yield* Effect.yieldNow
      const second = yield* Effect.forkChild(Effect.exit(log.barrier.flush), { startImmediately: true })
      yield* here.fail("held")
      yield* Fiber.join(first)
      yield* here.open
      yield* here.fail("none")
      assert.isTrue(Exit.isFailure(yield* Fiber.join(second)))
    })
  )

  it.effect("reads nothing from the database of what it has just committed", () =>
    Effect.gen(function* () {
      const here = yield* world()
      const log = yield* here.open
      let end = 0
      for (const n of [1, 2, 3]) {
        yield* log.barrier.flush
        const slice = yield* log.eventLog.read(end)
        assert.deepStrictEqual(data(slice.events), n === 1 ? [] : [n - 1])
        end = slice.end
        yield* log.eventLog.append([message(n), change(n)])
        yield* log.barrier.flush
      }
      assert.strictEqual(here.queries(), 0)
      assert.deepStrictEqual(data((yield* log.eventLog.read(0)).events), [1, 2, 3])
      assert.strictEqual(here.queries(), 1)
    })
  )

  it.effect("shows an event whose text is no JSON as that text, so that the reader can name it", () =>
    Effect.gen(function* () {
      const here = yield* world()
      yield* here.sql`INSERT INTO events (session, seq, at, type, data) VALUES (1, 0, 0, 'schedule/change', '{"a":')`
      assert.deepStrictEqual(data((yield* (yield* here.open).eventLog.read(0)).events), ['{"a":'])
    })
  )

  it.effect("carries a Session's reminders from one opening to the next", () =>
    Effect.gen(function* () {
      const context = yield* Layer.build(layerOf(yield* make))
      const store = Context.get(context, SessionStore.SessionStore)
      yield* store.create(header("s"))
      const agent = Layer.succeed(AgentQueue, {
        awaitIdle: Effect.never,
        maintain: (effect) => effect,
        followUp: () => Effect.void
      })
      const live = <A, E>(use: (reminders: Reminders["Service"]) => Effect.Effect<A, E>) =>
        Effect.flatMap(store.open(header("s").id), (owner) =>
          Effect.flatMap(Reminders, use).pipe(
            Effect.provide(
              Layer.provide(SessionReminders.layer, Layer.mergeAll(SessionLogSql.layer(owner), agent, AlarmClock.layer))
            ),
            Effect.provideContext(context)
          )
        )
      const created = yield* live(({ create }) => create({ prompt: "Water the plants", after_seconds: 60 }))
      assert.deepStrictEqual(yield* live(({ list }) => list), [created])
      yield* live((reminders) => reminders.delete(created.id))
      assert.deepStrictEqual(yield* live(({ list }) => list), [])
    })
  )

  it.live("is fenced by another process that opens its Session", () =>
    Effect.gen(function* () {
      const { store, place } = yield* makeShared
      const here = yield* worldOf(Effect.succeed(store))
      const log = yield* here.open
      yield* log.eventLog.append([change("ours")])
      yield* log.barrier.flush
      assert.deepStrictEqual(yield* runProcess(place, "s", 2), { code: 0, output: "0\n1\n", errors: "" })
      yield* log.eventLog.append([change("too late")])
      assert.propertyVal((yield* Effect.flip(log.barrier.flush)).cause, "_tag", "StaleOwner")
      assert.deepStrictEqual(data((yield* log.readAll(0)).events), ["ours", 0, 1])
    })
  )

  it.live("has lost nothing that it confirmed when its process is killed", () =>
    Effect.gen(function* () {
      const { store, place } = yield* makeShared
      const { code, output } = yield* runProcess(place, "s", 1_000_000, { kill: 50 })
      assert.isNull(code)
      const confirmed = output.trimEnd().split("\n").map(Number)
      const context = yield* Layer.build(Layer.provide(SessionStore.layer, store))
      const { events } = yield* Context.get(context, SessionStore.SessionStore).read(header("s").id, 0, 1_000_000)
      assert.deepStrictEqual(seqs(events), data(events))
      assert.includeMembers(data(events), confirmed)
      assert.isAtMost(events.length - confirmed.length, 1)
    })
  )
})

describe("SessionLogSql, in SQLite alone", () => {
  it.effect("does not confirm what the store can't be asked, and does once it can", () =>
    Effect.gen(function* () {
      const here = yield* inSqlite
      const log = yield* here.open
      yield* here.sql`ALTER TABLE sessions RENAME TO elsewhere`
      assert.propertyVal((yield* Effect.flip(log.barrier.flush)).cause, "_tag", "CommitError")
      yield* here.sql`ALTER TABLE elsewhere RENAME TO sessions`
      yield* log.barrier.flush
      yield* here.open
      assert.propertyVal((yield* Effect.flip(log.barrier.flush)).cause, "message", "The Session has a newer owner")
    })
  )

  it.effect("finds ten changes among 100,000 events by their index", () =>
    Effect.gen(function* () {
      const here = yield* inSqlite
      yield* here.sql.unsafe(`WITH RECURSIVE n(seq) AS (SELECT 0 UNION ALL SELECT seq + 1 FROM n WHERE seq < 99999)
        INSERT INTO events (session, seq, at, type, data)
        SELECT 1, seq, 0, iif(seq % 10000 = 0, 'schedule/change', 'turn/output'), '1' FROM n`)
      const { events, end } = yield* (yield* here.open).eventLog.read(0)
      assert.deepStrictEqual(
        seqs(events),
        Array.from({ length: 10 }, (_, n) => n * 10_000)
      )
      assert.strictEqual(end, 100_000)
      const plan = yield* here.sql`EXPLAIN QUERY PLAN SELECT * FROM events
        WHERE session = ${1} AND type = 'schedule/change' AND seq >= ${0} AND seq < ${9} ORDER BY seq`
      assert.match(String(plan[0]?.["detail"]), /^SEARCH events USING INDEX schedule_events \(session=\? AND seq>/u)
    })
  )

  it.effect("fails to read, and to confirm, when the store is gone, without a word of its backend's types", () =>
    Effect.gen(function* () {
      const here = yield* inSqlite
      const log = yield* here.open
      yield* log.eventLog.append([change(1)])
      yield* here.sql`DROP TABLE events`
      yield* here.sql`DROP VIEW session_events`
      assert.strictEqual((yield* Effect.flip(log.barrier.flush))._tag, "BarrierError")
      assert.strictEqual((yield* Effect.flip(log.readAll(0))).operation, "read")
    })
  )
})
