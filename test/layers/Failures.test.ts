import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Result } from "effect"
import * as Instant from "../../src/domain/Instant.ts"
import * as ScheduleChange from "../../src/domain/ScheduleChange.ts"
import { toFailure } from "../../src/domain/ScheduleError.ts"
import type { SessionEvent } from "../../src/domain/Session.ts"
import * as SessionWorld from "../../src/testing/SessionWorld.ts"
import { advance, settle } from "../../src/testing/VirtualTime.ts"

const now = "2026-12-01T00:00:00.000Z"
const soon = { prompt: "stretch", after_seconds: 60 }
const operations = (world: SessionWorld.SessionWorld) =>
  Effect.map(world.events, (events) => events.map(({ data }) => (data as { readonly operation: string }).operation))
const refused = <A>(call: Effect.Effect<A, Parameters<typeof toFailure>[0]>) =>
  Effect.map(Effect.result(call), (result) => Result.mapError(result, toFailure).pipe(Result.flip, Result.getOrThrow))
const event = (seq: number, data: unknown): SessionEvent => ({
  seq,
  at: Instant.clamp(0),
  type: ScheduleChange.EVENT_TYPE,
  data
})

describe("A call to the reminders", () => {
  it.effect("refuses a bad input at once: the log is not touched, not even asked", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* settle
      const flushes = world.store.calls("flush")
      const failure = yield* refused(world.reminders.create({ prompt: "p", every_seconds: 1 }))
      assert.strictEqual(failure.code, "frequency_too_high")
      assert.strictEqual((yield* refused(world.reminders.delete(" schedule-1"))).code, "invalid_rule")
      assert.strictEqual((yield* refused(world.reminders.delete(undefined))).code, "invalid_rule")
      yield* settle
      assert.strictEqual(world.store.calls("flush"), flushes)
      assert.deepStrictEqual(yield* operations(world), [])
    })
  )

  it.effect("refuses a time that is past by the clock at its turn in the queue, and leaves no trace", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      const failure = yield* refused(world.reminders.create({ prompt: "p", at: now }))
      assert.strictEqual(failure.code, "not_future")
      assert.deepStrictEqual(yield* operations(world), [])
    })
  )

  it.effect(
    "is uncertain if the barrier fails before it decided: nothing was done, and the next one tells the truth",
    () =>
      Effect.gen(function* () {
        const world = yield* SessionWorld.make({ now })
        yield* world.store.break("flush")
        assert.deepStrictEqual(yield* refused(world.reminders.create(soon)), {
          code: "persistence_uncertain",
          operation: "create",
          message:
            "Whether the create is stored could not be confirmed. List the reminders to see, before trying again."
        })
        assert.strictEqual((yield* refused(world.reminders.list)).code, "persistence_uncertain")
        assert.deepStrictEqual(yield* operations(world), [])
        yield* world.store.mend("flush")
        assert.deepStrictEqual(yield* world.reminders.list, [])
      })
  )

  for (const fault of ["fails", "dies", "gives up"] as const) {
    it.effect(`is uncertain, with the id, if the barrier ${fault} after the append: the next one completes it`, () =>
      Effect.gen(function* () {
        const world = yield* SessionWorld.make({ now })
        yield* settle
        const creating = yield* Effect.forkChild(refused(world.reminders.create(soon)))
        yield* world.store.hold("append")
        yield* settle
        yield* world.store.break("flush", fault)
        yield* world.store.release("append")
        assert.deepStrictEqual(yield* Fiber.join(creating), {
          code: "persistence_uncertain",
          operation: "create",
          id: "schedule-1",
          message:
            "Whether the create of schedule-1 is stored could not be confirmed. List the reminders to see, before trying again."
        })
        assert.deepStrictEqual(yield* operations(world), ["create"])
        yield* world.store.mend("flush")
        assert.deepStrictEqual(
          (yield* world.reminders.list).map(({ id }) => id as string),
          ["schedule-1"]
        )
        yield* world.crash
        yield* world.open
        assert.deepStrictEqual(
          (yield* world.reminders.list).map(({ id }) => id as string),
          ["schedule-1"]
        )
      })
    )
  }

  it.effect("that was not confirmed is delivered all the same, if it turns out to be stored, with nobody asking", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* settle
      yield* world.store.hold("append")
      const creating = yield* Effect.forkChild(refused(world.reminders.create(soon)))
      yield* settle
      yield* world.store.break("flush")
      yield* world.store.release("append")
      yield* Fiber.join(creating)
      yield* settle
      yield* world.store.mend("flush")
      yield* advance("2 minutes")
      assert.strictEqual(world.agent.heard.length, 1)
    })
  )

  it.effect("whose append fails is uncertain, and the next one tells whether it took place", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* world.store.break("append", "fails")
      assert.strictEqual((yield* refused(world.reminders.create(soon))).code, "persistence_uncertain")
      yield* world.store.mend("append")
      assert.deepStrictEqual(yield* world.reminders.list, [])
      yield* world.store.break("append", "lost")
      assert.strictEqual((yield* refused(world.reminders.create(soon))).code, "persistence_uncertain")
      yield* world.store.mend("append")
      assert.strictEqual((yield* world.reminders.list).length, 1)
      assert.strictEqual((yield* world.reminders.create(soon)).id as string, "schedule-2")
    })
  )

  it.effect("that can't read the log is uncertain, and carries no text of the backend", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* settle
      yield* world.store.break("read", "dies")
      const failure = yield* refused(world.reminders.delete("schedule-1"))
      assert.strictEqual(failure.code, "persistence_uncertain")
      assert.notInclude(failure.message, "died")
    })
  )

  it.effect("that deletes what is not active says so, appends nothing, and passes no second barrier", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* settle
      const flushes = world.store.calls("flush")
      assert.deepStrictEqual<unknown>(yield* world.reminders.delete("schedule-7"), {
        id: "schedule-7",
        deleted: false,
        code: "schedule_not_found"
      })
      assert.strictEqual(world.store.calls("flush"), flushes + 1)
      assert.deepStrictEqual(yield* operations(world), [])
    })
  )

  it.effect("cancelled while it waits in the queue leaves no trace", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* settle
      yield* world.store.hold("flush")
      const first = yield* Effect.forkChild(world.reminders.create(soon))
      const second = yield* Effect.forkChild(world.reminders.create({ ...soon, prompt: "never" }))
      const third = yield* Effect.forkChild(world.reminders.create({ ...soon, prompt: "third" }))
      yield* settle
      yield* Fiber.interrupt(second)
      yield* world.store.release("flush")
      assert.deepStrictEqual([(yield* Fiber.join(first)).id, (yield* Fiber.join(third)).id] as Array<string>, [
        "schedule-1",
        "schedule-2"
      ])
      assert.deepStrictEqual(
        (yield* world.reminders.list).map(({ prompt }) => prompt as string),
        ["stretch", "third"]
      )
    })
  )

  it.effect("cancelled after its append goes through to the end, and only then is cancelled", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* settle
      yield* world.store.hold("append")
      const creating = yield* Effect.forkChild(world.reminders.create(soon))
      yield* settle
      const interrupting = yield* Effect.forkChild(Fiber.interrupt(creating))
      yield* settle
      assert.isUndefined(interrupting.pollUnsafe())
      yield* world.store.release("append")
      yield* Fiber.join(interrupting)
      yield* world.crash
      yield* world.open
      assert.strictEqual((yield* world.reminders.list).length, 1)
    })
  )

  it.effect("keeps its turn: many at once are answered in order, none lost", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      const views = yield* Effect.all(
        Array.from({ length: 50 }, (_, i) => world.reminders.create({ ...soon, prompt: `p${i}` })),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        views.map(({ id }) => id as string),
        Array.from({ length: 50 }, (_, i) => `schedule-${i + 1}`)
      )
      assert.deepStrictEqual(
        (yield* world.reminders.list).map(({ prompt }) => prompt as string),
        Array.from({ length: 50 }, (_, i) => `p${i}`)
      )
    })
  )

  it.effect("on a corrupt log says which event, and the owner stops for this Session", () =>
    Effect.gen(function* () {
      const events = [event(0, { version: 1, operation: "delete", id: "schedule-1" })]
      const world = yield* SessionWorld.make({ now, events })
      const failure = yield* refused(world.reminders.list)
      assert.deepStrictEqual(failure, {
        code: "corrupt_schedule_log",
        message: "The Session's reminders cannot be read: event 0 is corrupt (id: schedule-1 is not active)."
      })
      assert.strictEqual((yield* refused(world.reminders.create(soon))).code, "corrupt_schedule_log")
      yield* settle
      assert.strictEqual(yield* world.scheduler.status, "faulted")
      assert.deepStrictEqual(yield* operations(world), ["delete"])
    })
  )

  it.effect("in a fork sees none of the parent's reminders, and gives ids that the parent never gave", () =>
    Effect.gen(function* () {
      const schedule = { id: "schedule-3", kind: "at", prompt: "p", scheduledAt: "2026-12-02T00:00:00.000Z" }
      const events = [event(0, { version: 1, operation: "create", schedule })]
      const world = yield* SessionWorld.make({ now, events, seedLength: 1 })
      assert.deepStrictEqual(yield* world.reminders.list, [])
      assert.strictEqual((yield* world.reminders.create(soon)).id as string, "schedule-4")
    })
  )
})

describe("A delivery", () => {
  it.effect("whose message is refused writes nothing, keeps the reminder, and is tried again", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* world.reminders.create(soon)
      yield* world.agent.refuse(true)
      yield* advance("2 minutes")
      assert.deepStrictEqual(yield* operations(world), ["create"])
      assert.strictEqual(yield* world.scheduler.status, "running")
      yield* world.agent.refuse(false)
      yield* advance("1 minute")
      assert.strictEqual(world.agent.heard.length, 1)
      assert.deepStrictEqual(yield* operations(world), ["create", "dispatch"])
    })
  )

  it.effect("that waits to be tried again is tried at the next activity, too", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* world.reminders.create(soon)
      yield* world.agent.refuse(true)
      yield* advance("10 minutes")
      yield* world.agent.refuse(false)
      assert.strictEqual(world.agent.heard.length, 0)
      yield* world.reminders.list
      yield* settle
      assert.strictEqual(world.agent.heard.length, 1)
    })
  )

  it.effect("is tried again ever more slowly, a minute apart at the most", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* world.reminders.create(soon)
      yield* advance("59 seconds")
      yield* world.store.break("flush")
      const before = world.store.calls("flush")
      yield* advance("1 hour")
      const tries = world.store.calls("flush") - before
      assert.isAtLeast(tries, 60)
      assert.isAtMost(tries, 130)
      yield* world.store.mend("flush")
      yield* advance("1 minute")
      assert.strictEqual(world.agent.heard.length, 1)
    })
  )

  for (const fault of ["fails", "lost", "dies", "gives up"] as const) {
    it.effect(`whose append ${fault} stops the owner; nothing is sent twice, and reopening recovers`, () =>
      Effect.gen(function* () {
        const world = yield* SessionWorld.make({ now })
        yield* world.reminders.create(soon)
        yield* world.reminders.create({ prompt: "later", after_seconds: 120 })
        yield* settle
        yield* world.store.break("append", fault)
        yield* advance("1 minute")
        assert.strictEqual(yield* world.scheduler.status, "faulted")
        yield* world.store.mend("append")
        yield* world.reminders.list
        yield* advance("1 hour")
        assert.strictEqual(world.agent.heard.length, 1)
        yield* world.close
        yield* world.open
        yield* settle
        const heard = world.agent.heard.map(({ text }) => /reminder_prompt: "(.*)"/u.exec(text)?.[1])
        // A queue outside the log can't be asked: what an append that left no trace had queued is sent once more.
        assert.deepStrictEqual(heard, fault === "lost" ? ["stretch", "later"] : ["stretch", "stretch", "later"])
        assert.strictEqual(yield* world.scheduler.status, "running")
      })
    )
  }

  it.effect(
    "whose last barrier fails keeps its dispatch pending; a later barrier completes it, and nothing is sent twice",
    () =>
      Effect.gen(function* () {
        const world = yield* SessionWorld.make({ now })
        yield* world.reminders.create(soon)
        yield* settle
        yield* world.store.hold("append")
        yield* advance("1 minute")
        yield* world.store.break("flush")
        yield* world.store.release("append")
        yield* settle
        assert.deepStrictEqual(yield* operations(world), ["create", "dispatch"])
        assert.strictEqual(yield* world.scheduler.status, "running")
        yield* world.store.mend("flush")
        yield* advance("1 hour")
        assert.strictEqual(world.agent.heard.length, 1)
        yield* world.crash
        yield* world.open
        yield* advance("1 hour")
        assert.strictEqual(world.agent.heard.length, 1)
      })
  )

  it.effect("goes on after a barrier that gave up before it decided", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* world.reminders.create(soon)
      yield* settle
      yield* world.store.break("flush", "gives up")
      yield* advance("2 minutes")
      assert.strictEqual(yield* world.scheduler.status, "running")
      yield* world.store.mend("flush")
      yield* advance("1 minute")
      assert.strictEqual(world.agent.heard.length, 1)
    })
  )

  it.effect("whose last barrier failed is completed by closing its Session, and not sent again", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* world.reminders.create(soon)
      yield* settle
      yield* world.store.hold("append")
      yield* advance("1 minute")
      yield* world.store.break("flush")
      yield* world.store.release("append")
      yield* settle
      yield* world.store.mend("flush")
      yield* world.close
      yield* world.crash
      yield* world.open
      yield* advance("1 hour")
      assert.strictEqual(world.agent.heard.length, 1)
    })
  )

  it.effect("waits for the barrier before it decides", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      const { id } = yield* world.reminders.create(soon)
      yield* settle
      yield* world.store.break("flush")
      yield* advance("2 minutes")
      assert.strictEqual(world.agent.heard.length, 0)
      yield* world.store.mend("flush")
      assert.deepStrictEqual<unknown>((yield* Effect.all([world.reminders.delete(id), settle]))[0], {
        id,
        deleted: true
      })
      yield* advance("1 hour")
      assert.strictEqual(world.agent.heard.length, 0)
    })
  )

  it.effect("decides again once it holds the Agent: what was deleted while it waited is not sent", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      const { id } = yield* world.reminders.create(soon)
      yield* world.agent.beginTurn
      yield* advance("2 minutes")
      yield* world.reminders.delete(id)
      yield* world.agent.endTurn
      yield* advance("1 hour")
      assert.strictEqual(world.agent.heard.length, 0)
    })
  )

  it.effect("in flight while its Session closes is finished, and not sent again", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* world.reminders.create(soon)
      yield* settle
      yield* world.store.hold("append")
      yield* advance("1 minute")
      const closing = yield* Effect.forkChild(world.close)
      yield* settle
      assert.isUndefined(closing.pollUnsafe())
      yield* world.store.release("append")
      yield* Fiber.join(closing)
      assert.deepStrictEqual(yield* operations(world), ["create", "dispatch"])
      yield* world.crash
      yield* world.open
      yield* advance("1 hour")
      assert.strictEqual(world.agent.heard.length, 1)
    })
  )

  it.effect("races a delete to exactly one of two ends: sent and not found, or deleted and never sent", () =>
    Effect.gen(function* () {
      for (let yields = 0; yields < 40; yields++) {
        const world = yield* SessionWorld.make()
        const { id } = yield* world.reminders.create(soon)
        yield* settle
        yield* world.store.hold("flush")
        yield* advance("1 minute")
        yield* world.store.release("flush")
        yield* Effect.repeat(Effect.yieldNow, { times: yields })
        const { deleted } = yield* world.reminders.delete(id)
        yield* advance("1 minute")
        assert.strictEqual(world.agent.heard.length, deleted ? 0 : 1)
      }
    })
  )
})
