/**
 * Crashes of a process, for what outlives it: who was in the middle of something never comes back from it.
 */
import { Effect } from "effect"

export interface Crashes {
  /** A check to be made later on: it never comes back if there was a crash since this call. */
  survived(): Effect.Effect<void>
  readonly crash: Effect.Effect<void>
}

export const make = (): Crashes => {
  let count = 0
  return {
    survived: () => {
      const before = count
      return Effect.suspend(() => (count === before ? Effect.void : Effect.never))
    },
    crash: Effect.sync(() => void count++)
  }
}
