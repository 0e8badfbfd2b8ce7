import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Option, Result } from "effect"
import { DatabaseSync } from "node:sqlite"
import * as ScheduleLog from "../../src/domain/ScheduleLog.ts"
import { SessionId } from "../../src/domain/Session.ts"
import * as ReminderFolds from "../../src/host/ReminderFolds.ts"
import * as SessionStore from "../../src/layers/SessionStore.ts"
import * as SqliteStore from "../../src/layers/SqliteStore.ts"
import * as Hosts from "./Hosts.ts"
import { header } from "../layers/StoreFixture.ts"

/** A store of Sessions in a file, what is asked of it, and a way to append reminders that no host has to make. */
const world = Effect.gen(function* () {
  const file = yield* Hosts.temporaryFile
  const context = yield* Layer.build(SessionStore.layer.pipe(Layer.provide(SqliteStore.layer(file))))
  const store = yield* Effect.provideContext(SessionStore.SessionStore, context)
  const read: Array<string> = []
  const folds = (most?: number) =>
    ReminderFolds.make(
      {
        changesOf: (id, from, to) => {
          read.push(`${id} ${from}-${to}`)
          return store.changesOf(id, from, to)
        }
      },
      most
    )
  const session = (id: string) => Effect.flatMap(store.find(SessionId.make(id)), Effect.fromOption)
  const made = (id: string) => store.create(header(id))
  return { file, folds, made, session, read, add: (id: string, count: number) => add(file, id, count) }
})

const record = (n: number) => ({
  id: `schedule-${n}`,
  kind: "after",
  prompt: "tea",
  scheduledAt: "2026-12-01T00:00:00.000Z",
  afterSeconds: 60
})

const add = (file: string, id: string, count: number) =>
  Effect.sync(() => {
    const db = new DatabaseSync(file)
    const { key, length } = db
      .prepare("SELECT key, (SELECT count(*) FROM events WHERE session = key) AS length FROM sessions WHERE id = ?")
      .get(id) as { readonly key: number; readonly length: number }
    const insert = db.prepare(
      "INSERT INTO events (session, seq, at, type, data) VALUES (?, ?, 0, 'schedule/change', ?)"
    )
    db.exec("BEGIN")
    for (let seq = length; seq < length + count; seq++) {
      insert.run(key, seq, JSON.stringify({ version: 1, operation: "create", schedule: record(seq + 1) }))
    }
    db.exec("COMMIT")
    db.close()
  })

const counted = (folded: ReminderFolds.Folded): number =>
  Result.match(folded, { onFailure: () => -1, onSuccess: (log) => ScheduleLog.active(log).length })

describe("The folds of the Sessions' reminders", () => {
  it.effect("let others have their turn, again and again, while a long log is folded", () =>
    Effect.gen(function* () {
      const { folds, made, session, add } = yield* world
      yield* made("s")
      yield* add("s", 10_000)
      const folding = yield* Effect.forkChild(Effect.flatMap(session("s"), folds().of))
      let turns = 0
      while (folding.pollUnsafe() === undefined) {
        turns++
        yield* Effect.yieldNow
      }
      assert.strictEqual(counted(yield* Fiber.join(folding)), 10_000)
      assert.isAbove(turns, 10)
    })
  )

  it.effect("are kept, so that only what is new is read", () =>
    Effect.gen(function* () {
      const { folds, made, session, read, add } = yield* world
      const { of } = folds()
      yield* made("s")
      yield* add("s", 3)
      assert.strictEqual(counted(yield* of(yield* session("s"))), 3)
      yield* of(yield* session("s"))
      yield* add("s", 2)
      assert.strictEqual(counted(yield* of(yield* session("s"))), 5)
      assert.deepStrictEqual(read, ["s 0-3", "s 3-5"])
    })
  )

  it.effect("are given up, those used longest ago first, where they have more ids than are kept", () =>
    Effect.gen(function* () {
      const { folds, made, session, read, add } = yield* world
      const { of } = folds(8)
      for (const id of ["a", "b", "c"]) {
        yield* made(id)
        yield* add(id, 3)
      }
      for (const id of ["a", "b", "c", "c", "b", "a", "c"]) yield* of(yield* session(id))
      assert.deepStrictEqual(read, ["a 0-3", "b 0-3", "c 0-3", "a 0-3", "c 0-3"])
    })
  )

  it.effect("keep that a log is corrupt, and read it no further", () =>
    Effect.gen(function* () {
      const { file, folds, made, session, read, add } = yield* world
      const { of } = folds()
      yield* made("s")
      yield* add("s", 2_500)
      yield* Hosts.damage(file, "s")
      for (const _ of ["first", "again"]) {
        assert.strictEqual(Option.getOrNull(Result.getFailure(yield* of(yield* session("s"))))?.seq, 0)
      }
      assert.deepStrictEqual(read, ["s 0-1000"])
    })
  )
})
