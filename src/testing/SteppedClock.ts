/**
 * A clock whose wall time can be set without anything that sleeps noticing, as an administrator, a time server, or a
 * machine that slept does.
 */
import { Clock, Effect } from "effect"
import { settled } from "./VirtualTime.ts"

export interface SteppedClock {
  /** To be provided as Effect's `Clock` to what shall see the steps. */
  readonly clock: Clock.Clock
  /** Sets the wall clock forward by so many milliseconds, or back if negative; settles before and after. */
  step(millis: number): Effect.Effect<void>
}

/** A clock over the current one, which it agrees with until the first step. */
export const make: Effect.Effect<SteppedClock> = Effect.map(Clock.Clock, (base) => {
  let offset = 0
  const millis = () => base.currentTimeMillisUnsafe() + offset
  const nanos = () => base.currentTimeNanosUnsafe() + BigInt(offset) * 1_000_000n
  return {
    clock: {
      currentTimeMillisUnsafe: millis,
      currentTimeMillis: Effect.sync(millis),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanosUnsafe: () => base.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: base.monotonicTimeNanos,
      sleep: (duration) => base.sleep(duration)
    },
    step: (by) => settled(Effect.sync(() => void (offset += by)))
  }
})
