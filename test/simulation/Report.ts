/**
 * Plays one history after another, and says what happened in them.
 */
import * as Generate from "./Generate.ts"
import * as Run from "./Run.ts"
import * as Shrink from "./Shrink.ts"
import { type History, show } from "./Step.ts"

/** How often what happened in all histories. */
export type Tally = Map<string, number>

const add = (tally: Tally, what: string, times: number): void => void tally.set(what, (tally.get(what) ?? 0) + times)

/** Plays the history of a seed, adds to the tally, and gives what failed. */
export const play = (seed: number, tally: Tally): string | undefined => {
  const history = Generate.history(seed)
  const { failure, tally: happened } = Run.run(history)
  add(tally, `histories, ${history.agent} Agent`, 1)
  for (const { step } of history.steps)
    add(tally, step.kind === "break" ? `step: break ${step.part}` : `step: ${step.kind}`, 1)
  for (const [what, times] of happened) add(tally, what, times)
  return failure === undefined ? undefined : explain(history, failure.complaint)
}

/** A failure for a reader: the complaint, the seed, and the shortest history that was found. */
const explain = (history: History, complaint: string): string => {
  const { steps, agent, seed } = Shrink.shrink(history)
  const shortest = Run.run({ ...history, steps }).failure?.complaint
  return [
    `seed ${seed}, ${agent} Agent: ${complaint}`,
    `the shortest history found: ${shortest}`,
    ...steps.map((planned, i) => `  ${i + 1}. ${show(planned)}`),
    `again: node test/simulation/main.ts --histories 1 --seed ${seed}`
  ].join("\n")
}

/** The tally as lines of a table. */
export const table = (tally: Tally): string =>
  [...tally]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([what, times]) => `${String(times).padStart(9)}  ${what}`)
    .join("\n")
