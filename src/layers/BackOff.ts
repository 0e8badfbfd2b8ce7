/**
 * How long to wait before a failed step is tried again: doubling, jittered and capped, and cut short by any activity.
 */
import { Deferred, Effect, Exit, Random } from "effect"
import { RetryDelay } from "../services/Scheduler.ts"

export interface BackOff {
  /**
   * Waits, longer each time since the last success, or until it is roused; not at all if it `isRoused` already. Asked in
   * the same breath as the wait begins: between the two, a fiber may have to yield, and nobody would hear who rouses it.
   */
  wait(isRoused: () => boolean): Effect.Effect<void>
  /** Ends the wait that is under way, if there is one. */
  rouse(): void
  /** After a success the next wait is a short one again. */
  reset(): void
}

export const make: Effect.Effect<BackOff> = Effect.map(RetryDelay, ({ firstMillis, longestMillis }) => {
  let failures = 0
  let roused: Deferred.Deferred<void> | undefined

  return {
    wait: (isRoused) =>
      Effect.suspend(() => {
        if (isRoused()) return Effect.void
        const rousing = (roused = Deferred.makeUnsafe<void>())
        const longest = Math.min(firstMillis * 2 ** failures++, longestMillis)
        const millis = Effect.map(Random.next, (random) => longest * (0.5 + random / 2))
        return Effect.flatMap(millis, (millis) => Effect.timeoutOption(Deferred.await(rousing), millis))
      }),
    rouse: () => {
      if (roused !== undefined) Deferred.doneUnsafe(roused, Exit.void)
    },
    reset: () => {
      failures = 0
    }
  }
})
