import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { FaultyStore, ScriptedAgent, SessionWorld, VirtualTime } from "../../src/testing/index.ts"
import { Instant } from "../../src/domain/Instant.ts"

const { advance, settle } = VirtualTime
const now = "2026-12-01T00:00:00.000Z"
const soon = { prompt: "stretch", after_seconds: 60 }
const prompts = ({ agent }: SessionWorld.SessionWorld) => agent.heard.flatMap(({ prompts }) => prompts)

describe("A world of a Session", () => {
  it.effect("tells what the Agent heard, and how late", () =>
    Effect.gen(function* () {
      const { reminders, agent, close, open } = yield* SessionWorld.make({ now })
      yield* reminders.create({ prompt: 'say "hi"', after_seconds: 60 })
      yield* close
      yield* advance("90 seconds")
      yield* open
      assert.deepStrictEqual((yield* agent.hears).reminders, [
        {
          id: "schedule-1",
          occurrenceAt: Date.parse("2026-12-01T00:01:00.000Z") as Instant,
          lateSeconds: 30,
          prompt: 'say "hi"'
        }
      ])
    })
  )

  it.effect("begins at an instant in any form of RFC 3339, and at no other text", () =>
    Effect.gen(function* () {
      const { reminders } = yield* SessionWorld.make({ now: "2026-12-01T08:00:00+08:00" })
      assert.strictEqual((yield* reminders.create(soon)).scheduledAt, Date.parse("2026-12-01T00:01:00Z"))
      const exit = yield* Effect.exit(SessionWorld.make({ now: "tomorrow" }))
      assert.include(String(exit), "tomorrow is no instant: write one such as 2026-12-01T09:00:00Z")
    })
  )

  it.effect("keeps its parts over a close and an open", () =>
    Effect.gen(function* () {
      const { reminders, scheduler, close, open } = yield* SessionWorld.make({ now })
      yield* reminders.create(soon)
      yield* close
      for (const call of [reminders.list, reminders.create(soon), scheduler.status]) {
        assert.isTrue(Exit.hasDies(yield* Effect.exit(call as Effect.Effect<unknown, unknown>)))
      }
      yield* open
      yield* scheduler.wake
      assert.strictEqual((yield* reminders.list).length, 1)
      assert.strictEqual(yield* scheduler.status, "running")
    })
  )

  it.effect("steps the clock of its Session, of nothing else", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now, longestWaitMillis: 60_000 })
      yield* world.reminders.create({ prompt: "stretch", after_seconds: 86_400 })
      yield* world.clock.step(86_400_000)
      assert.deepStrictEqual(prompts(world), [])
      yield* advance("1 minute")
      assert.deepStrictEqual(prompts(world), ["stretch"])
    })
  )

  it.effect("hears twenty reminders that are due at once", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      for (let i = 0; i < 20; i++) yield* world.reminders.create(soon)
      yield* advance("1 minute")
      assert.strictEqual(world.agent.heard.length, 20)
    })
  )
})

describe("A crash of a world", () => {
  it.effect("drops what was not flushed", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* settle
      yield* world.store.hold("append")
      const creating = yield* Effect.forkChild(Effect.exit(world.reminders.create(soon)))
      yield* settle
      yield* world.store.break("flush")
      yield* world.store.release("append")
      yield* Fiber.join(creating)
      assert.strictEqual((yield* world.events).length, 1)
      yield* world.store.mend("flush")
      yield* world.crash
      yield* world.open
      assert.deepStrictEqual(yield* world.reminders.list, [])
    })
  )

  it.effect("between the message and its dispatch repeats the message: that queue is outside the log", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* world.reminders.create(soon)
      yield* settle
      yield* world.store.hold("append")
      yield* advance("1 minute")
      yield* world.crash
      yield* world.store.release("append")
      yield* settle
      assert.deepStrictEqual(prompts(world), ["stretch"])
      assert.strictEqual((yield* world.events).length, 1)
      yield* world.open
      yield* settle
      assert.deepStrictEqual(prompts(world), ["stretch", "stretch"])
      yield* advance("1 day")
      assert.strictEqual(world.agent.heard.length, 2)
    })
  )

  it.effect("before the message is queued loses nothing and repeats nothing", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* world.reminders.create(soon)
      yield* settle
      yield* world.store.hold("flush")
      yield* advance("1 minute")
      yield* world.crash
      yield* world.store.release("flush")
      yield* world.open
      yield* settle
      assert.deepStrictEqual(prompts(world), ["stretch"])
    })
  )

  it.effect("leaves nothing behind that goes on", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* world.reminders.create(soon)
      yield* world.agent.beginTurn
      yield* advance("1 minute")
      yield* world.store.hold("flush")
      const listing = yield* Effect.forkChild(world.reminders.list)
      yield* settle
      yield* world.crash
      yield* world.store.release("flush")
      yield* world.agent.endTurn
      yield* advance("1 day")
      assert.isUndefined(listing.pollUnsafe())
      assert.deepStrictEqual(prompts(world), [])
    })
  )
})

describe("A store that a test breaks", () => {
  it.effect("is broken as often as it is said to be", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* settle
      yield* world.store.break("flush", "fails", 2)
      for (const _ of [1, 2]) assert.isTrue(Exit.isFailure(yield* Effect.exit(world.reminders.list)))
      assert.deepStrictEqual(yield* world.reminders.list, [])
    })
  )

  it.effect("does its work and yet fails, if that is lost", () =>
    Effect.gen(function* () {
      let flushed = 0
      const eventLog = { seedLength: 0, read: () => Effect.succeed({ events: [], end: 0 }), append: () => Effect.void }
      const store = FaultyStore.make(eventLog, { flush: Effect.sync(() => void flushed++) })
      yield* store.break("flush", "lost")
      assert.strictEqual((yield* Effect.flip(store.barrier.flush))._tag, "BarrierError")
      assert.deepStrictEqual([flushed, store.calls("flush")], [1, 1])
    })
  )
})

describe("An Agent that a test scripts", () => {
  it.effect("waits with a turn of the user's until it is free", () =>
    Effect.gen(function* () {
      const { queue, beginTurn, endTurn } = yield* ScriptedAgent.make
      yield* beginTurn
      const second = yield* Effect.forkChild(beginTurn)
      yield* settle
      assert.isUndefined(second.pollUnsafe())
      yield* endTurn
      yield* Fiber.join(second)
      assert.strictEqual((yield* Effect.flip(queue.maintain(Effect.void)))._tag, "AgentBusy")
      yield* endTurn
      yield* queue.awaitIdle
    })
  )
})
