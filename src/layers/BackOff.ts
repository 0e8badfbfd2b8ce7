/**
 * How long to wait before a failed step is tried again: doubling, jittered and capped, and cut short by any activity.
 */
import { Deferred, Effect, Exit, Random } from "effect"
import { RetryDelay } from "../services/Scheduler.ts"

export interface BackOff {
  /** Waits, longer each time since the last success, or until it is roused. */
  readonly wait: Effect.Effect<void>
  /** Ends the wait that is under way, if there is one. */
  rouse(): void
  /** After a success the next wait is a short one again. */
  reset(): void
}

export const make: Effect.Effect<BackOff> = Effect.map(RetryDelay, ({ firstMillis, longestMillis }) => {
  let failures = 0
  let roused: Deferred.Deferred<void> | undefined

  return {
    wait: Effect.gen(function* () {
      const longest = Math.min(firstMillis * 2 ** failures++, longestMillis)
      const millis = longest * (0.5 + (yield* Random.next) / 2)
      const rousing = (roused = yield* Deferred.make<void>())
      yield* Effect.timeoutOption(Deferred.await(rousing), millis)
      roused = undefined
    }),
    rouse: () => {
      if (roused !== undefined) Deferred.doneUnsafe(roused, Exit.void)
    },
    reset: () => {
      failures = 0
    }
  }
})
