import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { SessionId } from "../../src/domain/Session.ts"
import * as GroupCommit from "../../src/layers/GroupCommit.ts"
import * as SessionLogSql from "../../src/layers/SessionLogSql.ts"
import * as SessionStore from "../../src/layers/SessionStore.ts"
import { stores, type SqlStore } from "../contract/SqlStores.ts"
import { change, header, message } from "./StoreFixture.ts"

const worldOf = Effect.fnUntraced(function* ({ make }: SqlStore) {
  const services = Layer.mergeAll(SessionStore.layer, GroupCommit.layer).pipe(Layer.provideMerge(yield* make))
  const context = yield* Layer.build(services)
  const store = Context.get(context, SessionStore.SessionStore)
  return {
    store,
    sql: Context.get(context, SqlClient.SqlClient),
    open: (id: string) =>
      Effect.flatMap(store.open(SessionId.make(id)), SessionLogSql.make).pipe(Effect.provideContext(context))
  }
})

type World = Effect.Success<ReturnType<typeof worldOf>>

/** A Session that holds an event for each kind that is named. */
const filled = ({ store, open }: World, id: string, kinds: ReadonlyArray<"change" | "message">) =>
  Effect.gen(function* () {
    yield* store.create(header(id))
    const log = yield* open(id)
    yield* log.eventLog.append(kinds.map((kind, n) => (kind === "change" ? change(n) : message(n))))
    yield* log.barrier.flush
  })

const data = (events: ReadonlyArray<{ readonly data: unknown }>) => events.map((event) => event.data)
const s = SessionId.make("s")
const t = SessionId.make("t")
const { createdAt } = header("s")

describe.each(stores)("SessionStore, $name", (sqlStore) => {
  const world = worldOf(sqlStore)

  it.effect("makes a Session once, and finds it", () =>
    Effect.gen(function* () {
      const { store } = yield* world
      assert.deepStrictEqual(yield* store.find(s), Option.none())
      const child = { ...header("s"), parentId: t, seedLength: 0 }
      yield* store.create(child)
      const error = yield* Effect.flip(store.create(header("s")))
      assert.strictEqual(error.message, "There is a Session s already")
      const found = Option.getOrThrow(yield* store.find(s))
      assert.deepStrictEqual([found.header, found.length], [child, 0])
    })
  )

  it.effect("opens a Session in an epoch of its own each time, and knows how long its log is", () =>
    Effect.gen(function* () {
      const here = yield* world
      assert.strictEqual((yield* Effect.flip(here.store.open(s))).message, "There is no Session s")
      yield* filled(here, "s", ["message", "change", "message"])
      const owners = yield* Effect.all([here.store.open(s), here.store.open(s)], { concurrency: 2 })
      assert.deepStrictEqual(owners.map(({ epoch, length, header: { id } }) => [id, epoch, length]).sort(), [
        ["s", 2, 3],
        ["s", 3, 3]
      ])
    })
  )

  it.effect("reads a cold Session's events in pages, without opening it", () =>
    Effect.gen(function* () {
      const here = yield* world
      assert.strictEqual((yield* Effect.flip(here.store.read(s, 0)))._tag, "SessionNotFound")
      yield* filled(here, "s", ["message", "change", "message", "change"])
      const owner = yield* here.open("s")
      assert.deepInclude(yield* here.store.changesOf(s), { header: header("s"), length: 4 })
      assert.deepStrictEqual(data((yield* here.store.changesOf(s)).changes), [1, 3])
      const types = ["inbox/queued", "turn/ended"]
      assert.deepStrictEqual(yield* here.store.last(s, types), [{ seq: 2, ...message(2) }])
      const page = yield* here.store.read(s, 1, 2)
      assert.deepStrictEqual([data(page.events), page.end], [[1, 2], 3])
      assert.deepStrictEqual(data((yield* here.store.read(s, 3)).events), [3])
      yield* owner.eventLog.append([change(4)])
      yield* owner.barrier.flush
    })
  )

  it.effect("forks a Session's history up to an event, and leaves the parent as it is", () =>
    Effect.gen(function* () {
      const here = yield* world
      yield* filled(here, "s", ["message", "change", "message", "change"])
      const child = yield* here.store.fork(s, { id: t, createdAt }, 3)
      assert.deepStrictEqual(child, { ...header("t"), parentId: s, seedLength: 3 })
      const fork = yield* here.open("t")
      assert.strictEqual(fork.eventLog.seedLength, 3)
      yield* fork.eventLog.append([change("own")])
      yield* fork.barrier.flush
      assert.deepStrictEqual(data((yield* here.store.read(t, 0)).events), [0, 1, 2, "own"])
      assert.deepStrictEqual(data((yield* here.store.read(s, 0)).events), [0, 1, 2, 3])
      const whole = yield* here.store.fork(t, { id: SessionId.make("u"), createdAt })
      assert.strictEqual(whole.seedLength, 4)
    })
  )

  it.live("forks what is durable at that moment, while the owner goes on", () =>
    Effect.gen(function* () {
      const here = yield* world
      yield* filled(here, "s", ["message"])
      const log = yield* here.open("s")
      const events = Array.from({ length: 60 }, (_, n) => n + 1)
      const goOn = Effect.forEach(events, (n) => Effect.andThen(log.eventLog.append([change(n)]), log.barrier.flush))
      const children = Array.from({ length: 12 }, (_, n) => SessionId.make(`child${n}`))
      const forks = Effect.forEach(children, (id) => here.store.fork(s, { id, createdAt }))
      const [headers] = yield* Effect.all([forks, goOn], { concurrency: 2 })
      for (const { id, seedLength = 0 } of headers) {
        const { events, end } = yield* here.store.read(id, 0)
        assert.strictEqual(end, seedLength)
        assert.deepStrictEqual(
          data(events),
          Array.from({ length: seedLength }, (_, n) => n)
        )
      }
    })
  )

  it.live("gives an id to one only of those who want it at once", () =>
    Effect.gen(function* () {
      const { store } = yield* world
      yield* store.create(header("s"))
      const wanted = [
        store.create(header("t")),
        store.fork(s, { id: t, createdAt }),
        store.create(header("t")),
        store.fork(s, { id: t, createdAt })
      ]
      const exits = yield* Effect.forEach(wanted, (want) => Effect.result(Effect.asVoid(want)), { concurrency: 4 })
      const refusals = exits.filter(Result.isFailure).map(({ failure }) => failure._tag)
      assert.deepStrictEqual(refusals, ["SessionExists", "SessionExists", "SessionExists"])
      assert.strictEqual((yield* store.list).length, 2)
    })
  )

  it.effect("forks nothing that is not there, and makes no Session then", () =>
    Effect.gen(function* () {
      const here = yield* world
      yield* filled(here, "s", ["message"])
      const fork = (parent: SessionId, length?: number) =>
        Effect.map(Effect.flip(here.store.fork(parent, { id: t, createdAt }, length)), ({ message }) => message)
      assert.strictEqual(yield* fork(t), "There is no Session t")
      assert.strictEqual(yield* fork(s, 2), "Session s has 1 events, so a fork cannot begin with 2 of them")
      assert.strictEqual(yield* fork(s, -1), "Session s has 1 events, so a fork cannot begin with -1 of them")
      assert.deepStrictEqual(yield* here.store.find(t), Option.none())
      yield* here.store.create(header("t"))
      assert.strictEqual(yield* fork(s), "There is a Session t already")
      assert.deepStrictEqual((yield* here.store.read(t, 0)).events, [])
    })
  )

  it.effect("lists all Sessions in the order in which they were made", () =>
    Effect.gen(function* () {
      const here = yield* world
      yield* filled(here, "z", ["change", "message", "change"])
      yield* filled(here, "a", ["message"])
      yield* here.store.fork(SessionId.make("z"), { id: SessionId.make("m"), createdAt }, 2)
      const list = yield* here.store.list
      assert.deepStrictEqual(
        list.map(({ header: { id }, length }) => [id, length]),
        [
          ["z", 3],
          ["a", 1],
          ["m", 2]
        ]
      )
    })
  )

  it.effect("finds the last event of each type", () =>
    Effect.gen(function* () {
      const here = yield* world
      assert.strictEqual((yield* Effect.flip(here.store.last(s, ["x"])))._tag, "SessionNotFound")
      yield* filled(here, "s", ["message", "change", "message", "change"])
      yield* filled(here, "t", ["message"])
      const last = yield* here.store.last(s, ["turn/ended", "inbox/queued"])
      assert.deepStrictEqual(
        last.map(({ seq, type }) => [seq, type]),
        [[2, "inbox/queued"]]
      )
    })
  )

  it.effect("lists more Sessions than it holds in memory at a time", () =>
    Effect.gen(function* () {
      const { store, sql } = yield* world
      assert.deepStrictEqual(yield* store.list, [])
      yield* sql`WITH RECURSIVE n(key) AS (SELECT 1 UNION ALL SELECT key + 1 FROM n WHERE key < 400)
        INSERT INTO sessions (key, id, created_at) SELECT key, 's' || key, 0 FROM n`
      const listed = yield* store.list
      assert.deepStrictEqual(
        listed.map(({ header: { id } }) => String(id)),
        Array.from({ length: 400 }, (_, n) => `s${n + 1}`)
      )
    })
  )

  it.effect("says which operation a broken store did not answer", () =>
    Effect.gen(function* () {
      const { store, sql } = yield* world
      yield* sql`ALTER TABLE sessions RENAME TO gone`
      const error = yield* Effect.flip(store.create(header("s")))
      assert.deepInclude(error, { _tag: "SessionStoreError", operation: "create" })
    })
  )
})
