import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer, type Scope, Stream } from "effect"
import * as ClusterHost from "../../src/cluster/ClusterHost.ts"
import * as LocalModel from "../../src/host/LocalModel.ts"
import { Sessions } from "../../src/host/Sessions.ts"
import * as Postgres from "../postgres/Postgres.ts"
import type { Place } from "../postgres/Place.ts"
import * as Ports from "./Ports.ts"

/** A runner in this process, on an event loop that it shares with the others. */
const runner = Effect.fnUntraced(function* (store: Place): Effect.fn.Return<Sessions["Service"], never, Scope.Scope> {
  const port = yield* Ports.free
  const layer = ClusterHost.layer({ ...store, runner: { host: "127.0.0.1", port }, model: LocalModel.layer })
  return Context.get(yield* Effect.orDie(Layer.build(Layer.fresh(layer))), Sessions)
})

const cluster = Effect.gen(function* () {
  const store = yield* Postgres.newStore
  return [yield* runner(store), yield* runner(store)] as const
})

const until = <A, E>(effect: Effect.Effect<A, E>, holds: (value: A) => boolean) =>
  Effect.repeat(Effect.delay(effect, 100), { until: holds }).pipe(Effect.timeout("30 seconds"))

describe("Any runner of a cluster", () => {
  it.live("answers for any Session, whoever owns it", () =>
    Effect.gen(function* () {
      const [a, b] = yield* cluster
      const ids = Array.from({ length: 12 }, (_, n) => `session-${n}`)
      for (const id of ids) {
        yield* a.create(id)
        const reminders = yield* b.reminders(id)
        const { id: first } = yield* reminders.create({ prompt: "Tea", every_seconds: 3_600 })
        const { id: second } = yield* reminders.create({ prompt: "Coffee", every_seconds: 3_600 })
        assert.deepStrictEqual([first, second].map(String), ["schedule-1", "schedule-2"])
        assert.strictEqual((yield* (yield* a.reminders(id)).delete(first)).deleted, true)
        assert.deepStrictEqual(
          (yield* reminders.list).map(({ prompt }) => prompt),
          ["Coffee"]
        )
        assert.strictEqual(yield* b.prompt(id, { text: "Hello", timeZone: "Europe/Paris" }), 1)
      }
      for (const { list } of [a, b]) {
        const seen = (yield* list).map(({ id, state, activeReminders }) => [String(id), state, activeReminders])
        assert.deepStrictEqual(
          seen,
          ids.map((id) => [id, "live", 1])
        )
      }
    })
  )

  it.live("refuses as a single server does", () =>
    Effect.gen(function* () {
      const [a, b] = yield* cluster
      yield* a.create("demo")
      const reminders = yield* b.reminders("demo")
      const codes = [
        (yield* Effect.flip(b.create("demo"))).code,
        (yield* Effect.flip(b.open("nobody"))).code,
        (yield* Effect.flip(b.reminders("nobody"))).code,
        (yield* Effect.flip(b.prompt("nobody", { text: "Hello" }))).code,
        (yield* Effect.flip(b.prompt("demo", { text: " " }))).code,
        (yield* Effect.flip(b.close("nobody"))).code,
        (yield* Effect.flip(b.open("no id!"))).code
      ]
      assert.deepStrictEqual(codes, [
        "session_exists",
        "session_not_found",
        "session_not_found",
        "session_not_found",
        "invalid_prompt",
        "session_not_found",
        "invalid_session_id"
      ])
      for (const [input, code] of [
        [undefined, "invalid_selector"],
        [{ prompt: "Tea", after_seconds: Infinity }, "invalid_rule"],
        [{ prompt: "Tea", daily: { time: "08:00:00", time_zone: "Nowhere/City" } }, "invalid_time_zone"]
      ] as const) {
        const error = yield* Effect.flip(reminders.create(input))
        assert.deepInclude(error, { _tag: "InvalidRequest", code })
      }
      assert.deepInclude(yield* reminders.delete("schedule-9"), { deleted: false, code: "schedule_not_found" })
      assert.deepInclude(yield* Effect.flip(reminders.delete(7)), { code: "invalid_rule" })
    })
  )

  it.live("shows a transcript as it grows on another", () =>
    Effect.gen(function* () {
      const [a, b] = yield* cluster
      yield* a.create("demo")
      yield* (yield* a.reminders("demo")).create({ prompt: "Tea", after_seconds: 1 })
      const ends = (stream: ReturnType<typeof a.follow>) =>
        Stream.runHead(Stream.filter(stream, ({ type }) => type === "turn/ended"))
      const both = yield* Effect.all([ends(a.follow("demo", 0)), ends(b.follow("demo", 0))], { concurrency: 2 })
      assert.isTrue(both.every(({ _tag }) => _tag === "Some"))
    })
  )

  it.live("makes a Session cold for all, and live again by a call", () =>
    Effect.gen(function* () {
      const [a, b] = yield* cluster
      yield* a.create("demo")
      yield* (yield* b.reminders("demo")).create({ prompt: "Tea", every_seconds: 3_600 })
      yield* b.close("demo")
      yield* until(a.summary("demo"), ({ state }) => state === "cold")
      yield* until(b.summary("demo"), ({ state }) => state === "cold")
      assert.deepStrictEqual(
        (yield* b.resumable).map(({ id }) => String(id)),
        ["demo"]
      )
      yield* (yield* a.reminders("demo")).list
      yield* until(b.summary("demo"), ({ state }) => state === "live")
    })
  )
})

describe("A Session of a cluster", () => {
  it.live("goes on elsewhere when its runner ends, without being asked", () =>
    Effect.gen(function* () {
      const store = yield* Postgres.newStore
      const a = yield* runner(store)
      const ids = Array.from({ length: 8 }, (_, n) => `session-${n}`)
      const until = (yield* Clock.currentTimeMillis) + 9_000
      yield* Effect.scoped(
        Effect.gen(function* () {
          const b = yield* runner(store)
          for (const id of ids) {
            yield* b.create(id)
            yield* (yield* b.reminders(id)).create({ prompt: "Tea", at: new Date(until).toISOString() })
          }
        })
      )
      for (const id of ids) {
        const ended = Stream.filter(a.follow(id, 0), ({ type }) => type === "turn/ended")
        yield* Stream.runHead(ended).pipe(Effect.timeout("30 seconds"))
        const { events } = yield* a.transcript(id, 0)
        assert.strictEqual(events.filter(({ type }) => type === "inbox/queued").length, 1)
      }
    })
  )
})
