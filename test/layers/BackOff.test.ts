import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Scheduler } from "effect"
import { TestClock } from "effect/testing"
import * as BackOff from "../../src/layers/BackOff.ts"
import { advance } from "../../src/testing/VirtualTime.ts"
import { RetryDelay } from "../../src/services/Scheduler.ts"

/** Yields after every few steps, so that others come in between. */
const yielding = (ops: number) => Effect.provideService(Scheduler.MaxOpsBeforeYield, ops)

/** How long the waits of so many failures in a row last, in milliseconds of the test's clock. */
const lasting = (backOff: BackOff.BackOff) =>
  Effect.gen(function* () {
    const begun = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    const waiting = yield* Effect.forkChild(backOff.wait(() => false))
    while (waiting.pollUnsafe() === undefined) yield* advance("100 millis")
    return (yield* Effect.clockWith((clock) => clock.currentTimeMillis)) - begun
  })

describe("A back-off", () => {
  it.effect("hears a wake at any moment, also between the look at whether there was one and the wait", () =>
    Effect.gen(function* () {
      for (let n = 0; n < 80; n++) {
        const [ops, steps] = [3 + (n % 4), n >> 2]
        const backOff = yield* BackOff.make
        let woken = false
        const waiting = yield* Effect.forkChild(yielding(ops)(backOff.wait(() => woken)))
        for (let step = 0; step < steps; step++) yield* Effect.yieldNow
        woken = true
        backOff.rouse()
        for (let step = 0; step < 100; step++) yield* Effect.yieldNow
        assert.isDefined(waiting.pollUnsafe(), `woken after ${steps} rounds of ${ops} steps`)
        yield* Fiber.interrupt(waiting)
      }
    })
  )

  it.effect("waits longer after each failure, up to the longest, and briefly again after a success", () =>
    Effect.gen(function* () {
      const backOff = yield* BackOff.make.pipe(
        Effect.provideService(RetryDelay, { firstMillis: 1_000, longestMillis: 4_000 })
      )
      for (const longest of [1_000, 2_000, 4_000, 4_000]) {
        const waited = yield* lasting(backOff)
        assert.isTrue(waited >= longest / 2 && waited <= longest + 100, `${waited}`)
      }
      backOff.reset()
      assert.isAtMost(yield* lasting(backOff), 1_100)
      yield* TestClock.adjust("1 minute")
    })
  )
})
