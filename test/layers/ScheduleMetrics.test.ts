import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Metric } from "effect"
import { TestClock } from "effect/testing"
import * as ScheduleMetrics from "../../src/layers/ScheduleMetrics.ts"
import * as SessionWorld from "../../src/testing/SessionWorld.ts"
import { advance, settle } from "../../src/testing/VirtualTime.ts"

const START = "2026-12-01T09:00:00.000Z"

/** Runs a test with metrics of its own. */
const measured = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => Effect.provideService(effect, Metric.MetricRegistry, new Map()))

/** All that is not zero: counters, and the count and the sum of histograms. */
const told = Effect.map(Metric.snapshot, (snapshots) => {
  const values = snapshots.map(({ id, type, attributes, state }) => {
    const labels = Object.values(attributes ?? {}).join(" ")
    const name = `${id.replace("session_schedule_", "")} ${labels}`.trim()
    return type === "Histogram" ? [name, state.count, state.sum] : [name, type === "Counter" ? state.count : 0]
  })
  return values.filter(([, count]) => count !== 0)
})

const of = (name: string) => Effect.map(told, (values) => values.filter(([id]) => String(id).startsWith(name)))

describe("ScheduleMetrics", () => {
  it.effect("count each reminder that was queued by its kind, with how late it was", () =>
    measured(
      Effect.gen(function* () {
        const { reminders, agent } = yield* SessionWorld.make({ now: START })
        yield* reminders.create({ prompt: "one", after_seconds: 60 })
        yield* reminders.create({ prompt: "two", every_seconds: 300 })
        yield* reminders.create({ prompt: "three", daily: { time: "09:05:00", time_zone: "UTC" } })
        yield* agent.beginTurn
        yield* advance("2 minutes")
        assert.deepStrictEqual(yield* of("dispatch"), [])
        yield* agent.endTurn
        yield* agent.hears
        yield* settle
        assert.deepStrictEqual(yield* of("dispatch"), [
          ["dispatches_total after", 1],
          ["dispatch_lag_seconds", 1, 60]
        ])
        yield* advance("3 minutes")
        yield* agent.hears
        yield* settle
        assert.includeDeepMembers(yield* of("dispatch"), [
          ["dispatches_total after", 1],
          ["dispatches_total every", 1],
          ["dispatches_total daily", 1],
          ["dispatch_lag_seconds", 3, 60]
        ])
      })
    )
  )

  it.effect("count a dispatch once, though its barrier fails, and none that was not queued", () =>
    measured(
      Effect.gen(function* () {
        const { reminders, agent, store } = yield* SessionWorld.make({ now: START })
        yield* reminders.create({ prompt: "one", after_seconds: 60 })
        yield* agent.refuse(true)
        yield* advance("1 minute")
        assert.deepStrictEqual(yield* of("dispatches"), [])
        const [failed] = yield* of("failures")
        assert.strictEqual(failed?.[0], "failures_total delivery follow_up_failed")
        yield* agent.refuse(false)
        yield* store.hold("append")
        yield* advance("2 minutes")
        yield* store.break("flush", "fails", 1)
        yield* store.release("append")
        yield* advance("2 minutes")
        assert.strictEqual(agent.heard.length, 1)
        assert.deepStrictEqual(yield* of("dispatches"), [["dispatches_total after", 1]])
        assert.deepInclude(yield* of("failures"), ["failures_total delivery persistence_uncertain", 1])
      })
    )
  )

  it.effect("count the failures of calls by their public code", () =>
    measured(
      Effect.gen(function* () {
        const { reminders, store } = yield* SessionWorld.make({ now: START })
        yield* Effect.flip(reminders.create({ prompt: "x" }))
        yield* Effect.flip(reminders.create({ prompt: "x", every_seconds: 1 }))
        yield* Effect.flip(reminders.delete(" "))
        yield* settle
        yield* store.break("flush", "fails", 1)
        yield* Effect.flip(reminders.list)
        assert.sameDeepMembers(yield* of("failures"), [
          ["failures_total create invalid_selector", 1],
          ["failures_total create frequency_too_high", 1],
          ["failures_total delete invalid_rule", 1],
          ["failures_total list persistence_uncertain", 1]
        ])
      })
    )
  )

  it.effect("time the barrier, whether it succeeds or fails", () =>
    measured(
      Effect.gen(function* () {
        const slow = ScheduleMetrics.timed(Effect.sleep("2 seconds"))
        const failing = ScheduleMetrics.timed(Effect.andThen(Effect.sleep("3 seconds"), Effect.fail("no")))
        const fiber = yield* Effect.forkChild(Effect.andThen(slow, Effect.flip(failing)))
        yield* TestClock.adjust("5 seconds")
        assert.strictEqual(yield* Fiber.join(fiber), "no")
        assert.deepStrictEqual(yield* told, [["barrier_duration_seconds", 2, 5]])
      })
    )
  )

  it.effect("are as many from the beginning as they ever become", () =>
    measured(
      Effect.gen(function* () {
        yield* ScheduleMetrics.register
        const { length } = yield* Metric.snapshot
        const { reminders, agent } = yield* SessionWorld.make({ now: START })
        yield* reminders.create({ prompt: "one", after_seconds: 60 })
        yield* Effect.flip(reminders.create({}))
        yield* advance("1 minute")
        yield* agent.hears
        assert.strictEqual((yield* Metric.snapshot).length, length)
      })
    )
  )
})
