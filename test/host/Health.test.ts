import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { DatabaseSync } from "node:sqlite"
import { SessionId } from "../../src/domain/Session.ts"
import * as BearerToken from "../../src/layers/BearerToken.ts"
import * as SessionStore from "../../src/layers/SessionStore.ts"
import * as AlarmClock from "../../src/layers/AlarmClock.ts"
import * as GroupCommit from "../../src/layers/GroupCommit.ts"
import * as SqliteStore from "../../src/layers/SqliteStore.ts"
import * as StoreProbeSqlite from "../../src/layers/StoreProbeSqlite.ts"
import type * as Health from "../../src/host/Health.ts"
import * as HttpServer from "../../src/host/HttpServer.ts"
import * as LocalModel from "../../src/host/LocalModel.ts"
import { Sessions } from "../../src/host/Sessions.ts"
import * as SessionsSql from "../../src/host/SessionsSql.ts"
import * as SqliteHost from "../../src/host/SqliteHost.ts"
import { Alarm } from "../../src/services/Alarm.ts"
import { StoreProbe, StoreUnusable } from "../../src/services/StoreProbe.ts"
import * as SmallDisk from "../torture/SmallDisk.ts"
import { damage, open, temporaryFile } from "./Hosts.ts"
import { get, raw } from "./HttpClient.ts"

const host = (options: Partial<HttpServer.Options> = {}) =>
  HttpServer.layer({ port: 0, host: "127.0.0.1", ...options }).pipe(
    Layer.provideMerge(SqliteHost.layer({ file: ":memory:", model: LocalModel.layer }))
  )

/** The host's Sessions over a file, with what they stand on at hand. */
const composed = (file: string, alarm: Layer.Layer<Alarm> = AlarmClock.layer) =>
  SessionsSql.layer.pipe(
    Layer.provide([SessionStore.layer, GroupCommit.layer, alarm, LocalModel.layer, StoreProbeSqlite.layer(file)]),
    Layer.provideMerge(SqliteStore.layer(file))
  )

describe("The host's health", () => {
  it.live("is good while it can store, and its alarm rings", () =>
    Effect.gen(function* () {
      const { sessions } = yield* open(yield* temporaryFile)
      yield* sessions.create("a")
      const health = yield* sessions.health
      assert.deepInclude(health, {
        status: "ok",
        problems: { store: null, alarm: null },
        sessions: { live: 1, faulted: 0, faultedIds: [] }
      })
    }).pipe(Effect.scoped)
  )

  it.live("is bad while another program keeps the file locked, says so soon, and is good again afterwards", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      const { sessions } = yield* open(file)
      const other = new DatabaseSync(file)
      other.exec("BEGIN IMMEDIATE")
      const creates = yield* Effect.forkChild(
        Effect.exit(Effect.forEach(["b", "c", "d"], sessions.create, { concurrency: "unbounded" }))
      )
      yield* Effect.yieldNow
      const begun = performance.now()
      const locked = yield* sessions.health
      assert.isBelow(performance.now() - begun, 4_000)
      assert.isUndefined(creates.pollUnsafe())
      assert.strictEqual(locked.status, "unavailable")
      assert.match(locked.problems.store ?? "", /^another program keeps it locked/u)
      other.exec("COMMIT")
      other.close()
      assert.strictEqual((yield* sessions.health).status, "unavailable")
      yield* Effect.sleep("1100 millis")
      assert.strictEqual((yield* sessions.health).status, "ok")
    }).pipe(Effect.scoped)
  )

  it.live("is bad while the file can be read only", () =>
    Effect.gen(function* () {
      const context = yield* Layer.build(composed(yield* temporaryFile))
      yield* Context.get(context, SqlClient.SqlClient).unsafe("PRAGMA query_only = 1")
      const { status, problems } = yield* Context.get(context, Sessions).health
      assert.strictEqual(status, "unavailable")
      assert.match(problems.store ?? "", /^it cannot be written/u)
    }).pipe(Effect.scoped)
  )

  it.live("is bad while the disk is full, where a small one can be mounted", (test) =>
    Effect.gen(function* () {
      const disk = yield* SmallDisk.mounted
      if (disk === undefined) return test.skip("no file system can be mounted here")
      const context = yield* Layer.build(composed(`${disk.folder}/schedule.db`))
      const { health } = Context.get(context, Sessions)
      assert.strictEqual((yield* health).status, "ok")
      yield* disk.fill
      yield* Effect.sleep("1100 millis")
      assert.match((yield* health).problems.store ?? "", /^the disk is full/u)
      yield* disk.empty
      yield* Effect.sleep("1100 millis")
      assert.strictEqual((yield* health).status, "ok")
    }).pipe(Effect.scoped)
  )

  it.live("is bad once the alarm does not ring any more", () =>
    Effect.gen(function* () {
      const dead = Layer.succeed(Alarm, { make: () => Effect.succeed({ set: () => Effect.void }) })
      const context = yield* Layer.build(composed(":memory:", dead))
      const found = yield* Context.get(context, Sessions).health
      assert.strictEqual(found.status, "unavailable")
      assert.match(found.problems.alarm ?? "", /does not ring/u)
      assert.isNull(found.problems.store)
    }).pipe(Effect.scoped)
  )

  it.live("is bad once the store's writer does not answer any more", () =>
    Effect.gen(function* () {
      const deaf = Layer.succeed(GroupCommit.GroupCommit, { submit: () => {} })
      const layer = SessionsSql.layer.pipe(
        Layer.provide([SessionStore.layer, deaf, AlarmClock.layer, LocalModel.layer]),
        Layer.provide(SqliteStore.layer(":memory:"))
      )
      const { health } = Context.get(yield* Layer.build(layer), Sessions)
      assert.match((yield* health).problems.store ?? "", /writer does not answer/u)
    }).pipe(Effect.scoped)
  )

  it.live("names the Sessions that stopped, while others go on", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      const first = yield* open(file)
      for (const id of ["good", "broken"]) {
        yield* first.sessions.create(id)
        const reminders = yield* first.sessions.reminders(id)
        yield* reminders.create({ prompt: "Tea", after_seconds: 3_600 })
      }
      yield* first.close
      yield* damage(file, "broken")
      const { sessions } = yield* open(file)
      yield* sessions.open("good")
      yield* sessions.open("broken")
      const broken = yield* sessions.reminders("broken")
      yield* Effect.flip(broken.list)
      const settled = (tries: number): Effect.Effect<Health.Health> =>
        Effect.flatMap(Effect.andThen(Effect.sleep(250), sessions.health), (health) =>
          health.sessions.faulted > 0 || tries === 0 ? Effect.succeed(health) : settled(tries - 1)
        )
      const found = yield* settled(40)
      assert.deepStrictEqual([found.status, found.problems], ["degraded", { store: null, alarm: null }])
      assert.deepStrictEqual(found.sessions, { live: 2, faulted: 1, faultedIds: [SessionId.make("broken")] })
    }).pipe(Effect.scoped)
  )
})

layer(host())("GET /healthz", (it) => {
  it.effect("tells those within reach all, if there is no token", () =>
    Effect.gen(function* () {
      const { status, json } = yield* get("/healthz")
      assert.deepStrictEqual([status, json.status, json.checkedAt], [200, "ok", "1970-01-01T00:00:00.000Z"])
      assert.deepStrictEqual(json.sessions, { live: 0, faulted: 0, faultedIds: [] })
    })
  )
})

const token = Option.getOrThrow(BearerToken.fromText("right"))

layer(host({ token }))("GET /healthz of a host with a token", (it) => {
  it.effect("tells one word to those who don't show it, and all to those who do", () =>
    Effect.gen(function* () {
      const stranger = yield* get("/healthz")
      assert.deepStrictEqual([stranger.status, stranger.json], [200, { status: "ok" }])
      assert.deepStrictEqual((yield* get("/healthz", { authorization: "Bearer wrong" })).json, { status: "ok" })
      const known = yield* get("/healthz", { authorization: "Bearer right" })
      assert.strictEqual(known.json.sessions.live, 0)
    })
  )

  it.effect("answers nobody who asks by another name, or from a page elsewhere", () =>
    Effect.gen(function* () {
      const asked = "GET /healthz HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
      assert.match(yield* raw(asked), /^HTTP\/1\.1 403 /u)
      assert.strictEqual((yield* get("/healthz", { origin: "https://evil.example" })).status, 403)
    })
  )
})

const full = Effect.fail(new StoreUnusable({ problem: "the disk is full. Make room, then try again." }))

const unwell = HttpServer.layer({ port: 0, host: "127.0.0.1", token }).pipe(
  Layer.provide(
    SessionsSql.layer.pipe(
      Layer.provide([SessionStore.layer, GroupCommit.layer, AlarmClock.layer, LocalModel.layer]),
      Layer.provide(Layer.succeed(StoreProbe, full)),
      Layer.provide(SqliteStore.layer(":memory:"))
    )
  )
)

layer(unwell)("GET /healthz of a host that can't store", (it) => {
  it.effect("answers 503, and why to those who show the token", () =>
    Effect.gen(function* () {
      const stranger = yield* get("/healthz")
      assert.deepStrictEqual([stranger.status, stranger.json], [503, { status: "unavailable" }])
      const known = yield* get("/healthz", { authorization: "Bearer right" })
      assert.strictEqual(known.json.problems.store, "the disk is full. Make room, then try again.")
    })
  )
})
