/**
 * Drops steps of a history that fails, for as long as what is left fails.
 */
import { run } from "./Run.ts"
import type { History, Planned } from "./Step.ts"

/** How many histories are played at the most. */
const ATTEMPTS = 2_000

const without = (steps: ReadonlyArray<Planned>, from: number, length: number): ReadonlyArray<Planned> => [
  ...steps.slice(0, from),
  ...steps.slice(from + length)
]

/** The shortest history found that fails, in whatever way. */
export const shrink = (failing: History): History => {
  let history = failing
  let attempts = 0
  const fails = (steps: ReadonlyArray<Planned>): boolean => {
    if (attempts++ > ATTEMPTS || run({ ...history, steps }).failure === undefined) return false
    history = { ...history, steps }
    return true
  }
  const after = run(history).failure?.after ?? 0
  fails(history.steps.slice(0, after))
  for (let length = history.steps.length >> 1; length > 0; length >>= 1) {
    for (let from = history.steps.length - length; from >= 0; from -= length)
      fails(without(history.steps, from, length))
  }
  for (let from = history.steps.length - 1; from >= 0; from--) {
    fails(without(history.steps, from, 1))
    fails(history.steps.map((planned, i) => (i === from ? { ...planned, tasks: null } : planned)))
  }
  return history
}
