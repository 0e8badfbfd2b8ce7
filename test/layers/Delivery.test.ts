import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Logger } from "effect"
import * as Instant from "../../src/domain/Instant.ts"
import * as ScheduleChange from "../../src/domain/ScheduleChange.ts"
import * as SessionWorld from "../../src/testing/SessionWorld.ts"
import * as SteppedClock from "../../src/testing/SteppedClock.ts"
import { advance, setClock, settle } from "../../src/testing/VirtualTime.ts"

const now = "2026-12-01T00:00:00.000Z"
const start = Date.parse(now)
/** The clock so many milliseconds after the start. */
const after = (millis: number) => Instant.format(Instant.clamp(start + millis))
const remind = (prompt: string, after_seconds: number) => ({ prompt, after_seconds })
const prompts = (world: SessionWorld.SessionWorld) =>
  world.agent.heard.map(({ text }) => text.match(/reminder_prompt: "(.*)"/u)?.[1])
const operations = (world: SessionWorld.SessionWorld) =>
  Effect.map(world.events, (events) => events.map(({ data }) => (data as { readonly operation: string }).operation))

describe("Delivery", () => {
  it.effect("a reminder 400 days ahead fires exactly then, and once", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* world.reminders.create(remind("stretch", 400 * 86_400))
      yield* setClock(after(400 * 86_400_000 - 1))
      assert.deepStrictEqual(prompts(world), [])
      yield* advance(1)
      assert.deepStrictEqual(prompts(world), ["stretch"])
      yield* advance("400 days")
      assert.deepStrictEqual(prompts(world), ["stretch"])
      assert.deepStrictEqual(yield* operations(world), ["create", "dispatch"])
    })
  )

  it.effect("a clock set back does not fire early", () =>
    Effect.gen(function* () {
      yield* setClock(now)
      const stepped = yield* SteppedClock.make
      const world = yield* Effect.provideService(
        SessionWorld.make({ longestWaitMillis: 60_000 }),
        Clock.Clock,
        stepped.clock
      )
      yield* world.reminders.create(remind("stretch", 600)).pipe(Effect.provideService(Clock.Clock, stepped.clock))
      yield* settle
      yield* stepped.step(-3_600_000)
      yield* advance("69 minutes")
      assert.deepStrictEqual(prompts(world), [])
      yield* advance("1 minute")
      assert.deepStrictEqual(prompts(world), ["stretch"])
    })
  )

  it.effect("a clock set forward fires within the longest wait", () =>
    Effect.gen(function* () {
      yield* setClock(now)
      const stepped = yield* SteppedClock.make
      const world = yield* Effect.provideService(
        SessionWorld.make({ longestWaitMillis: 60_000 }),
        Clock.Clock,
        stepped.clock
      )
      yield* world.reminders.create(remind("stretch", 86_400)).pipe(Effect.provideService(Clock.Clock, stepped.clock))
      yield* settle
      yield* stepped.step(86_400_000)
      yield* advance("59 seconds")
      assert.deepStrictEqual(prompts(world), [])
      yield* advance("1 second")
      assert.deepStrictEqual(prompts(world), ["stretch"])
    })
  )

  it.effect("a reminder due during a turn waits for its end and gets a turn of its own", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* world.reminders.create(remind("stretch", 60))
      yield* world.agent.beginTurn
      yield* advance("10 minutes")
      assert.deepStrictEqual(prompts(world), [])
      assert.deepStrictEqual(
        (yield* world.reminders.list).map(({ state }) => state),
        ["overdue"]
      )
      assert.deepStrictEqual(yield* operations(world), ["create"])
      yield* world.agent.endTurn
      yield* world.agent.hears
      assert.deepStrictEqual(prompts(world), ["stretch"])
    })
  )

  it.effect("two due at once get two turns, in order", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* world.reminders.create(remind("second", 61))
      yield* world.reminders.create(remind("first", 60))
      yield* world.agent.holdTurns(true)
      yield* advance("2 minutes")
      assert.deepStrictEqual(prompts(world), ["first"])
      yield* world.agent.endTurn
      yield* settle
      assert.deepStrictEqual(prompts(world), ["first", "second"])
    })
  )

  it.effect("a list during the very turn that a reminder waits for answers at once", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* world.reminders.create(remind("stretch", 60))
      yield* world.agent.beginTurn
      yield* advance("2 minutes")
      const listing = yield* Effect.forkChild(world.reminders.list)
      yield* settle
      const listed = yield* Fiber.join(listing)
      assert.strictEqual(listed.length, 1)
    })
  )

  it.effect("an earlier reminder, created later, wakes the owner earlier", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* world.reminders.create(remind("late", 3_600))
      yield* world.reminders.create(remind("soon", 300))
      yield* advance("5 minutes")
      assert.deepStrictEqual(prompts(world), ["soon"])
    })
  )

  it.effect("a cold Session does nothing, and what it missed is delivered once it is live again", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* world.reminders.create(remind("stretch", 60))
      yield* world.close
      yield* advance("1 day")
      assert.deepStrictEqual(prompts(world), [])
      yield* world.open
      yield* settle
      assert.deepStrictEqual(prompts(world), ["stretch"])
    })
  )

  it.effect("a deleted reminder stays deleted over a restart", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      const { id } = yield* world.reminders.create(remind("stretch", 60))
      assert.deepStrictEqual(yield* world.reminders.delete(id), { id, deleted: true })
      yield* world.crash
      yield* world.open
      yield* advance("1 day")
      assert.deepStrictEqual(prompts(world), [])
      assert.deepStrictEqual(yield* world.reminders.list, [])
    })
  )

  it.effect(
    "recurring reminders that were missed for a year come back in one message, each with its latest occurrence",
    () =>
      Effect.gen(function* () {
        const world = yield* SessionWorld.make({ now })
        for (let i = 0; i < 9; i++) yield* world.reminders.create({ prompt: `every ${i}`, every_seconds: 300 + i })
        yield* world.reminders.create({ prompt: "daily", daily: { time: "09:00:00", time_zone: "Asia/Shanghai" } })
        yield* world.reminders.create(remind("once", 60))
        yield* world.close
        yield* advance("365 days")
        yield* world.open
        yield* settle
        assert.strictEqual(world.agent.heard.length, 2)
        assert.include(world.agent.heard[0]?.text ?? "", '"once"')
        assert.strictEqual(world.agent.heard[1]?.source.ids.length, 10)
        const dispatches = (yield* world.events)
          .map(({ data }) => data as Record<string, unknown>)
          .filter(({ operation }) => operation === "dispatch")
        assert.deepStrictEqual(
          new Set(dispatches.slice(1).map(({ acceptedAt }) => acceptedAt)),
          new Set(["2027-12-01T00:00:00.000Z"])
        )
      })
  )

  it.effect("a five-minute reminder over a month is delivered at every occurrence and never drifts", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* world.reminders.create({ prompt: "tick", every_seconds: 300 })
      yield* advance("30 days")
      const occurrences = world.agent.heard.map(({ text }) =>
        Date.parse(text.match(/occurrence_at: "(.*)"/u)?.[1] ?? "")
      )
      assert.deepStrictEqual(
        occurrences,
        Array.from({ length: 30 * 288 }, (_, i) => start + (i + 1) * 300_000)
      )
      assert.isTrue(world.agent.heard.every(({ text }) => text.includes("late_seconds: 0\n")))
    })
  )

  it.effect("a rule with nothing left up to year 9999 is delivered a last time and ends", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now: "9999-12-31T08:00:00.000Z" })
      yield* world.reminders.create({ prompt: "the last", daily: { time: "09:00:00", time_zone: "UTC" } })
      yield* advance("1 hour")
      assert.deepStrictEqual(prompts(world), ["the last"])
      assert.deepStrictEqual(yield* world.reminders.list, [])
    })
  )

  it.effect("reports a reminder whose zone the runtime does not know, once, and delivers the others", () =>
    Effect.gen(function* () {
      const schedule = { prompt: "p", kind: "daily", time: "09:00:00.000", timeZone: "Mars/Olympus_Mons" }
      const data = {
        version: 1,
        operation: "create",
        schedule: { ...schedule, id: "schedule-1", scheduledAt: "2026-12-01T00:00:00.000Z" }
      }
      const events = [{ seq: 0, at: Instant.clamp(start), type: ScheduleChange.EVENT_TYPE, data }]
      const said: Array<string> = []
      const logger = Logger.make(({ message }) => void said.push(String(message)))
      yield* Effect.gen(function* () {
        const world = yield* SessionWorld.make({ now, events })
        yield* world.reminders.create(remind("stretch", 60))
        yield* advance("1 day")
        assert.deepStrictEqual(prompts(world), ["stretch"])
        assert.deepStrictEqual(
          (yield* world.reminders.list).map(({ id, state }) => [id as string, state]),
          [["schedule-1", "overdue"]]
        )
      }).pipe(Effect.provide(Logger.layer([logger])))
      assert.deepStrictEqual(said, ["schedule-1 can't fire: this runtime does not know its time zone"])
    })
  )
})
