/**
 * What an Agent is doing. Whoever waits for another phase looks again at each change.
 */
import { Deferred, Effect, Exit } from "effect"

/** `held`: claimed for maintenance. `drained`: no further turn will start. */
type Phase = "idle" | "turn" | "held" | "drained"

export interface PhaseCell {
  current: Phase
  /** Only while somebody waits for another phase. */
  changed: Deferred.Deferred<void> | undefined
}

export const make = (): PhaseCell => ({ current: "idle", changed: undefined })

export const enter = (self: PhaseCell, next: Phase): void => {
  self.current = next
  const { changed } = self
  self.changed = undefined
  if (changed !== undefined) Deferred.doneUnsafe(changed, Exit.void)
}

/** Waits until the condition holds; it is looked at now and whenever a phase is entered. */
export const until = (self: PhaseCell, holds: () => boolean): Effect.Effect<void> =>
  Effect.whileLoop({
    while: () => !holds(),
    body: () => Deferred.await((self.changed ??= Deferred.makeUnsafe<void>())),
    step: () => {}
  })
