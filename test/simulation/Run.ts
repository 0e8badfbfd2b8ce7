/**
 * Plays a history: first with its faults, when nothing may go wrong that callers could see; then all that is broken is
 * mended, and everything must come to its end.
 */
import * as Dice from "./Dice.ts"
import type { Medium } from "./Medium.ts"
import type { History } from "./Step.ts"
import * as World from "./World.ts"

/** What was not true, and how many steps had been played. */
interface Failure {
  readonly complaint: string
  readonly after: number
}

export interface Played {
  readonly failure: Failure | undefined
  /** How often what happened. */
  readonly tally: ReadonlyMap<string, number>
}

const DAY = 86_400_000
/** Further than any one-shot is ahead. */
const FAR = 400 * DAY

const PARTS = ["read", "append", "flush", "commit"] as const

const heal = ({ apply, sites }: World.World): void => {
  for (const [session, site] of sites) {
    for (const part of PARTS) {
      apply({ kind: "mend", session, part })
      apply({ kind: "release", session, part })
    }
    apply({ kind: "refuse", session, refused: false })
    apply({ kind: "hold turns", session, held: false })
    apply({ kind: "end turn", session })
    if (site.mayHaveStopped) apply({ kind: "close", session })
  }
}

/** All is mended, what stopped is opened again, and then time passes: a little, and more than a year. */
const converge = (world: World.World): void => {
  const { apply, check, machine, oracle, sites } = world
  const pass = (millis: number) => {
    apply({ kind: "advance", millis })
    machine.settle()
    check()
    for (const session of sites.keys()) apply({ kind: "list", session })
    machine.settle()
    check()
  }
  heal(world)
  apply({ kind: "advance", millis: 10_000 })
  for (const session of sites.keys()) apply({ kind: "open", session })
  pass(5 * 60_000)
  apply({ kind: "step clock", millis: FAR })
  pass(5 * 60_000)
  for (const session of sites.keys()) oracle.allIsHeard(session)
}

/** Plays a history up to the first complaint, over Sessions that are kept in memory or elsewhere. */
export const run = (history: History, makeMedium?: () => Medium): Played => {
  const world = World.make(history, makeMedium)
  const { machine, oracle } = world
  const { known } = oracle

  const play = (seed: number, part: () => void): void => {
    machine.roll(Dice.make(seed))
    try {
      part()
    } catch (error) {
      known.complain(String(error))
    }
  }
  const go = (tasks: number | null) => {
    if (machine.settle(tasks ?? undefined)) world.check()
  }

  let played = 0
  play(history.seed, () => go(null))
  for (const { step, tasks, seed } of history.steps) {
    if (known.complaint !== undefined) break
    play(seed, () => {
      world.apply(step, tasks !== null)
      go(tasks)
    })
    played++
  }
  if (known.complaint === undefined) play(history.seed, () => converge(world))
  const { complaint, tally } = known
  return { failure: complaint === undefined ? undefined : { complaint, after: played }, tally }
}
