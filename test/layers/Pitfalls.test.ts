/** What users of other schedulers reported, and how it must end here. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import * as Instant from "../../src/domain/Instant.ts"
import * as SessionWorld from "../../src/testing/SessionWorld.ts"
import * as SteppedClock from "../../src/testing/SteppedClock.ts"
import { advance, setClock, settle } from "../../src/testing/VirtualTime.ts"

const now = "2026-11-30T08:00:00.000Z"
const heard = (world: SessionWorld.SessionWorld) =>
  world.agent.heard.map(({ text }) => /occurrence_at: "(.*)"\nlate_seconds: (\d+)/u.exec(text)?.slice(1).join(" +"))
const dispatches = (world: SessionWorld.SessionWorld) =>
  Effect.map(world.events, (events) =>
    events
      .map(({ data }) => data as { readonly operation: string; readonly acceptedAt?: string })
      .filter(({ operation }) => operation === "dispatch")
  )

describe("A scheduler that people can rely on", () => {
  it.effect("does not fire at once for a delay that is longer than a timer of the platform can be", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now: "2026-04-29T11:00:00.000Z" })
      yield* world.reminders.create({ prompt: "month", after_seconds: 2_592_000 })
      yield* world.reminders.create({ prompt: "year", cron: { expression: "0 9 1 3 *", time_zone: "UTC" } })
      yield* advance("29 days")
      assert.deepStrictEqual(heard(world), [])
      yield* advance("1 day")
      assert.deepStrictEqual(heard(world), ["2026-05-29T11:00:00.000Z +0"])
      yield* setClock("2027-03-01T08:59:59.999Z")
      assert.strictEqual(world.agent.heard.length, 1)
      yield* advance(1)
      assert.deepStrictEqual(heard(world).slice(1), ["2027-03-01T09:00:00.000Z +0"])
    })
  )

  it.effect("looks at the clock again when it is woken a millisecond early, and fires once", () =>
    Effect.gen(function* () {
      yield* setClock(now)
      const stepped = yield* SteppedClock.make
      const world = yield* Effect.provideService(SessionWorld.make(), Clock.Clock, stepped.clock)
      yield* Effect.provideService(
        world.reminders.create({ prompt: "p", after_seconds: 60 }),
        Clock.Clock,
        stepped.clock
      )
      yield* settle
      yield* stepped.step(-1)
      yield* advance("1 minute")
      assert.deepStrictEqual(heard(world), [])
      yield* advance(1)
      assert.strictEqual(world.agent.heard.length, 1)
      yield* advance("1 hour")
      assert.strictEqual(world.agent.heard.length, 1)
    })
  )

  it.effect("presents one occurrence after a long sleep, and is next due on its own sequence", () =>
    Effect.gen(function* () {
      yield* setClock(now)
      const stepped = yield* SteppedClock.make
      const world = yield* Effect.provideService(
        SessionWorld.make({ longestWaitMillis: 60_000 }),
        Clock.Clock,
        stepped.clock
      )
      yield* Effect.provideService(
        world.reminders.create({ prompt: "p", every_seconds: 900 }),
        Clock.Clock,
        stepped.clock
      )
      yield* settle
      yield* stepped.step(9 * 3_600_000 + 6 * 60_000)
      yield* advance("1 minute")
      assert.deepStrictEqual(heard(world), ["2026-11-30T17:00:00.000Z +420"])
      yield* advance("8 minutes")
      assert.deepStrictEqual(heard(world).slice(1), ["2026-11-30T17:15:00.000Z +0"])
    })
  )

  it.effect("does not spin after a jump of the clock, in either direction", () =>
    Effect.gen(function* () {
      yield* setClock(now)
      const stepped = yield* SteppedClock.make
      const world = yield* Effect.provideService(
        SessionWorld.make({ longestWaitMillis: 60_000 }),
        Clock.Clock,
        stepped.clock
      )
      yield* Effect.provideService(
        world.reminders.create({ prompt: "p", every_seconds: 900 }),
        Clock.Clock,
        stepped.clock
      )
      yield* settle
      for (const millis of [5_040_000, -5_040_000]) {
        const before = world.store.calls("read")
        yield* stepped.step(millis)
        yield* advance("10 minutes")
        assert.isAtMost(world.store.calls("read") - before, 10)
      }
    })
  )

  it.effect("fires once when the clock goes forward over a target and back before it", () =>
    Effect.gen(function* () {
      yield* setClock(now)
      const stepped = yield* SteppedClock.make
      const world = yield* Effect.provideService(
        SessionWorld.make({ longestWaitMillis: 60_000 }),
        Clock.Clock,
        stepped.clock
      )
      yield* Effect.provideService(
        world.reminders.create({ prompt: "p", after_seconds: 1_800 }),
        Clock.Clock,
        stepped.clock
      )
      yield* settle
      yield* stepped.step(3_600_000)
      yield* advance("1 minute")
      yield* stepped.step(-3_600_000)
      yield* advance("2 hours")
      assert.strictEqual(world.agent.heard.length, 1)
    })
  )

  it.effect("is not late for ever after because one turn was long", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* world.reminders.create({ prompt: "p", cron: { expression: "7 * * * *", time_zone: "UTC" } })
      yield* advance("5 minutes")
      yield* world.agent.beginTurn
      yield* advance("30 minutes")
      assert.deepStrictEqual(
        (yield* world.reminders.list).map(({ state }) => state),
        ["overdue"]
      )
      assert.deepStrictEqual(yield* dispatches(world), [])
      yield* world.agent.endTurn
      yield* advance("1 hour")
      assert.deepStrictEqual(heard(world), ["2026-11-30T08:07:00.000Z +1680", "2026-11-30T09:07:00.000Z +0"])
    })
  )

  it.effect("does not run again after a restart what it ran before", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* world.reminders.create({ prompt: "p", daily: { time: "22:00:00", time_zone: "UTC" } })
      yield* setClock("2026-11-30T22:30:00.000Z")
      assert.strictEqual(world.agent.heard.length, 1)
      yield* world.crash
      yield* world.open
      yield* advance("1 hour")
      assert.strictEqual(world.agent.heard.length, 1)
      assert.deepStrictEqual(
        (yield* world.reminders.list).map(({ scheduledAt }) => Instant.format(scheduledAt)),
        ["2026-12-01T22:00:00.000Z"]
      )
    })
  )

  it.effect("says how late a reminder is, since late may be worse than never", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* world.reminders.create({ prompt: "market check", at: "2026-11-30T11:00:00Z" })
      yield* world.close
      yield* setClock("2026-11-30T22:10:00.000Z")
      yield* world.open
      yield* settle
      assert.deepStrictEqual(heard(world), ["2026-11-30T11:00:00.000Z +40200"])
    })
  )

  it.effect("lists what is overdue as it is, not as it will be tomorrow", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      yield* world.reminders.create({ prompt: "p", at: "2026-11-30T09:00:00Z" })
      yield* world.agent.beginTurn
      yield* setClock("2026-11-30T09:05:00.000Z")
      const [view] = yield* world.reminders.list
      assert.deepStrictEqual(
        [view?.state, view && Instant.format(view.scheduledAt)],
        ["overdue", "2026-11-30T09:00:00.000Z"]
      )
    })
  )

  it.effect("keeps two equal reminders apart, and shows both", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      const daily = { prompt: "p", daily: { time: "09:00:00", time_zone: "UTC" } }
      yield* world.reminders.create(daily)
      yield* world.reminders.create(daily)
      assert.deepStrictEqual(
        (yield* world.reminders.list).map(({ id }) => id as string),
        ["schedule-1", "schedule-2"]
      )
    })
  )

  it.effect("keeps an interval to elapsed time over a change of the clocks", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now: "2026-03-07T14:00:00.000Z" })
      yield* world.reminders.create({ prompt: "p", every_seconds: 86_400 })
      yield* advance("1 day")
      assert.deepStrictEqual(heard(world), ["2026-03-08T14:00:00.000Z +0"])
    })
  )

  it.effect("holds text that would break a line or a record, to the letter", () =>
    Effect.gen(function* () {
      const world = yield* SessionWorld.make({ now })
      const prompt = 'a\u2028b\u2029c\nd\re\u0085f "quoted" \\ \u{1f600} [SCHEDULE REMINDER]'
      yield* world.reminders.create({ prompt, after_seconds: 60 })
      yield* world.crash
      yield* world.open
      assert.deepStrictEqual(
        (yield* world.reminders.list).map((view) => view.prompt as string),
        [prompt]
      )
      yield* advance("1 minute")
      const line = /^reminder_prompt: (.*)$/mu.exec(world.agent.heard[0]?.text ?? "")?.[1]
      assert.strictEqual(JSON.parse(line ?? ""), prompt)
    })
  )
})
