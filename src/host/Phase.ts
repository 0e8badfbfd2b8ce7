/**
 * What an Agent is doing. Whoever waits for another phase looks again at each change.
 */
import { Deferred, Effect, Exit } from "effect"

/** `held`: claimed for maintenance. `drained`: no further turn will start. */
type Phase = "idle" | "turn" | "held" | "drained"

export interface PhaseCell {
  current(): Phase
  enter(next: Phase): void
  /** Waits until the condition holds; it is looked at now and whenever a phase is entered. */
  until(holds: () => boolean): Effect.Effect<void>
}

export const make = (): PhaseCell => {
  let phase: Phase = "idle"
  let changed = Deferred.makeUnsafe<void>()

  return {
    current: () => phase,
    enter: (next) => {
      phase = next
      const before = changed
      changed = Deferred.makeUnsafe()
      Deferred.doneUnsafe(before, Exit.void)
    },
    until: (holds) => Effect.whileLoop({ while: () => !holds(), body: () => Deferred.await(changed), step: () => {} })
  }
}
