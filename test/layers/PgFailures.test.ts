import { createServer, connect, type AddressInfo, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer, Redacted, Ref, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { SessionId } from "../../src/domain/Session.ts"
import * as GroupCommit from "../../src/layers/GroupCommit.ts"
import * as PgStore from "../../src/layers/PgStore.ts"
import type { SessionLog } from "../../src/layers/SessionLog.ts"
import * as SessionLogSql from "../../src/layers/SessionLogSql.ts"
import * as SessionStore from "../../src/layers/SessionStore.ts"
import * as PgServer from "../postgres/PgServer.ts"
import * as Postgres from "../postgres/Postgres.ts"
import { change, header } from "./StoreFixture.ts"

const SESSIONS = 24

const idOf = (n: number) => SessionId.make(`s${n}`)

/** A store with Sessions, all opened. */
const world = Effect.fnUntraced(function* (options: PgStore.Options) {
  const services = Layer.mergeAll(SessionStore.layer, GroupCommit.layer).pipe(
    Layer.provideMerge(PgStore.layer(options))
  )
  const context = yield* Layer.build(Layer.orDie(services))
  const store = Context.get(context, SessionStore.SessionStore)
  const sessions = Array.from({ length: SESSIONS }, (_, n) => n)
  const logs = yield* Effect.forEach(sessions, (n) =>
    store.create(header(idOf(n))).pipe(
      Effect.andThen(store.open(idOf(n))),
      Effect.flatMap((owner) => SessionLogSql.make(owner)),
      Effect.provideContext(context)
    )
  )
  return { sql: Context.get(context, SqlClient.SqlClient), store, logs }
})

/** Commits one change after another, and each again until it is confirmed; counts both. */
const load = Effect.fnUntraced(function* (logs: ReadonlyArray<SessionLog>) {
  const confirmed = yield* Ref.make(0)
  const failed = yield* Ref.make(0)
  const stopped = yield* Ref.make(false)
  const commit = ({ barrier }: SessionLog) =>
    Effect.retry(
      Effect.tapError(barrier.flush, ({ cause }) => {
        assert.propertyVal(cause, "_tag", "CommitError")
        return Ref.update(failed, (n) => n + 1)
      }),
      { schedule: Schedule.spaced(5) }
    )
  const session = Effect.fnUntraced(function* (log: SessionLog) {
    let n = 0
    while (!(yield* Ref.get(stopped))) {
      yield* log.eventLog.append([change(n++)])
      yield* commit(log)
      yield* Ref.update(confirmed, (sum) => sum + 1)
    }
    return n
  })
  const fibers = yield* Effect.forEach(logs, (log) => Effect.forkChild(session(log)))
  return {
    /** Waits until so many more commits were confirmed. */
    more: (commits: number) =>
      Effect.flatMap(Ref.get(confirmed), (before) =>
        Effect.repeat(Effect.andThen(Effect.sleep(2), Ref.get(confirmed)), { until: (now) => now >= before + commits })
      ),
    failed: Ref.get(failed),
    /** How many commits each Session was told are durable. */
    stop: Effect.andThen(Ref.set(stopped, true), Effect.forEach(fibers, Fiber.join))
  }
})

/** Every Session holds what was confirmed, in order, once. */
const isWhole = ({ store }: { readonly store: SessionStore.SessionStore["Service"] }, counts: ReadonlyArray<number>) =>
  Effect.forEach(counts, (count, n) =>
    Effect.map(store.read(idOf(n), 0, 1_000_000), ({ events, end }) => {
      assert.strictEqual(end, count)
      assert.deepStrictEqual(
        events.map(({ seq, data }) => [seq, data]),
        Array.from({ length: count }, (_, place) => [place, place])
      )
    })
  )

const server = Effect.acquireRelease(
  Effect.promise(() => PgServer.make()),
  ({ remove }) => Effect.promise(remove)
)

describe("Under load, nothing that was confirmed is lost or stored twice, and commits go on by themselves", () => {
  for (const how of ["stop", "crash"] as const) {
    it.live(`when the server ${how === "stop" ? "is restarted" : "crashes and recovers"}`, () =>
      Effect.gen(function* () {
        const postgres = yield* server
        const here = yield* world({ url: Redacted.make(postgres.url) })
        const running = yield* load(here.logs)
        for (let times = 0; times < 3; times++) {
          yield* running.more(200)
          yield* Effect.promise(postgres[how])
          yield* Effect.promise(postgres.start)
        }
        yield* running.more(200)
        const counts = yield* running.stop
        assert.isAbove(yield* running.failed, 0)
        yield* isWhole(here, counts)
      })
    )
  }

  it.live("when its connections are cut, again and again", () =>
    Effect.gen(function* () {
      const options = yield* Postgres.newStore
      const url = new URL(Redacted.value(options.url))
      url.searchParams.set("application_name", options.schema)
      const here = yield* world({ ...options, url: Redacted.make(url.href) })
      const administrator = yield* world({ ...options, schema: `${options.schema}_administrator` })
      const running = yield* load(here.logs)
      for (let times = 0; times < 20; times++) {
        yield* running.more(50)
        yield* administrator.sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE application_name = ${options.schema}`
      }
      yield* running.more(50)
      const counts = yield* running.stop
      assert.isAbove(yield* running.failed, 0)
      yield* isWhole(here, counts)
    })
  )
})

/** A cable between us and the server that can be pulled: nothing arrives any more, and nobody is told. */
const cable = Effect.fnUntraced(function* (port: number) {
  const sockets = new Set<Socket>()
  let pulled = false
  const proxy = createServer((client) => {
    const upstream = connect(port, "127.0.0.1")
    for (const [from, to] of [
      [client, upstream],
      [upstream, client]
    ] as const) {
      sockets.add(from.on("error", () => to.destroy()))
      from.pipe(to)
      if (pulled) from.unpipe().pause()
    }
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))),
    () =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy()
        proxy.close()
      })
  )
  return {
    port: (proxy.address() as AddressInfo).port,
    pull: Effect.sync(() => {
      pulled = true
      for (const socket of sockets) socket.unpipe().pause()
    }),
    /** What was on its way is lost. */
    plugIn: Effect.sync(() => {
      pulled = false
      for (const socket of sockets) socket.destroy()
      sockets.clear()
    })
  }
})

describe("A commit", () => {
  it.live("fails when the server says nothing at all any more, and works once it can be reached again", () =>
    Effect.gen(function* () {
      const options = yield* Postgres.newStore
      const url = new URL(Redacted.value(options.url))
      const { port, pull, plugIn } = yield* cable(Number(url.port))
      url.port = `${port}`
      const { logs, store } = yield* world({ ...options, url: Redacted.make(url.href), patience: 300 })
      const [log] = logs
      assert.isDefined(log)
      yield* log.eventLog.append([change(0)])
      yield* pull
      assert.propertyVal((yield* Effect.flip(log.barrier.flush)).cause, "_tag", "CommitError")
      yield* plugIn
      yield* Effect.retry(log.barrier.flush, { times: 3 })
      assert.strictEqual((yield* store.read(idOf(0), 0)).events.length, 1)
    })
  )

  it.live("is not given up half-way by whoever stops waiting for it", () =>
    Effect.gen(function* () {
      const { logs, store } = yield* world(yield* Postgres.newStore)
      const [log] = logs
      assert.isDefined(log)
      const begun = yield* Deferred.make<void>()
      yield* log.eventLog.append([change(0)])
      const waiting = yield* Effect.forkChild(Effect.andThen(Deferred.succeed(begun, undefined), log.barrier.flush))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(waiting)
      yield* log.barrier.flush
      assert.strictEqual((yield* store.read(idOf(0), 0)).events.length, 1)
    })
  )
})
