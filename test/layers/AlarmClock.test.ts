import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import * as Instant from "../../src/domain/Instant.ts"
import * as AlarmClock from "../../src/layers/AlarmClock.ts"
import type { AlarmHandle } from "../../src/services/Alarm.ts"
import * as SteppedClock from "../../src/testing/SteppedClock.ts"
import { advance, settle } from "../../src/testing/VirtualTime.ts"

/** An alarm clock with named alarms, and what rang when, in milliseconds of the clock. */
const clock = Effect.gen(function* () {
  const alarms = yield* AlarmClock.make
  const rung: Array<readonly [name: string, at: number]> = []
  const alarm = (name: string) => alarms.make(Effect.map(Clock.currentTimeMillis, (now) => void rung.push([name, now])))
  return { alarm, rung }
})
const at = (millis: number) => Instant.clamp(millis)

describe("AlarmClock", () => {
  it.effect("rings each alarm once, at its instant, in the order of the instants", () =>
    Effect.gen(function* () {
      const { alarm, rung } = yield* clock
      yield* (yield* alarm("b")).set(at(2_000))
      yield* (yield* alarm("a")).set(at(1_000))
      yield* advance(999)
      assert.deepStrictEqual(rung, [])
      yield* advance("1 hour")
      assert.deepStrictEqual(rung, [
        ["a", 1_000],
        ["b", 2_000]
      ])
    })
  )

  it.effect("rings none early, not even by a millisecond when another is due", () =>
    Effect.gen(function* () {
      const { alarm, rung } = yield* clock
      yield* (yield* alarm("a")).set(at(1_000))
      yield* (yield* alarm("b")).set(at(1_001))
      yield* advance("1 hour")
      assert.deepStrictEqual(rung, [
        ["a", 1_000],
        ["b", 1_001]
      ])
    })
  )

  it.effect("hears of an alarm that is set while it waits for a later one", () =>
    Effect.gen(function* () {
      const { alarm, rung } = yield* clock
      yield* (yield* alarm("late")).set(at(50_000))
      yield* settle
      yield* (yield* alarm("soon")).set(at(1_000))
      yield* advance("1 hour")
      assert.deepStrictEqual(rung, [
        ["soon", 1_000],
        ["late", 50_000]
      ])
    })
  )

  it.effect("rings at once for an instant that is past", () =>
    Effect.gen(function* () {
      yield* advance("1 hour")
      const { alarm, rung } = yield* clock
      yield* (yield* alarm("a")).set(at(5))
      yield* settle
      assert.deepStrictEqual(rung, [["a", 3_600_000]])
    })
  )

  it.effect("goes by the instant set last, and not at all once turned off", () =>
    Effect.gen(function* () {
      const { alarm, rung } = yield* clock
      const [a, b] = [yield* alarm("a"), yield* alarm("b")]
      yield* a.set(at(1_000))
      yield* a.set(at(3_000))
      yield* a.set(at(3_000))
      yield* b.set(at(2_000))
      yield* b.set(null)
      yield* b.set(null)
      yield* advance("1 hour")
      assert.deepStrictEqual(rung, [["a", 3_000]])
    })
  )

  it.effect("can be set again by who it rings for", () =>
    Effect.gen(function* () {
      const alarms = yield* AlarmClock.make
      const rung: Array<number> = []
      const alarm: AlarmHandle = yield* alarms.make(
        Effect.suspend(() => {
          rung.push(rung.length)
          return rung.length < 5 ? alarm.set(at(rung.length * 100)) : Effect.void
        })
      )
      yield* alarm.set(at(0))
      yield* advance("1 hour")
      assert.strictEqual(rung.length, 5)
    })
  )

  it.effect("reads the wall clock again within the longest wait", () =>
    Effect.gen(function* () {
      const stepped = yield* SteppedClock.make
      const { alarm, rung } = yield* Effect.provideService(clock, Clock.Clock, stepped.clock)
      yield* (yield* alarm("a")).set(at(86_400_000))
      yield* settle
      yield* stepped.step(86_400_000)
      yield* advance("60 seconds")
      assert.deepStrictEqual(rung, [["a", 86_460_000]])
    })
  )

  it.effect("holds for any length: two hundred years", () =>
    Effect.gen(function* () {
      const { alarm, rung } = yield* Effect.provideService(clock, AlarmClock.LongestWait, Number.MAX_SAFE_INTEGER)
      yield* (yield* alarm("a")).set(at(200 * 365 * 86_400_000))
      yield* advance("73000 days")
      assert.strictEqual(rung.length, 1)
    })
  )
})
