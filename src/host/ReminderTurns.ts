/**
 * How many turns of reminders run at once in the process. Thousands can be due at one instant; a model that is asked by
 * all of them together answers nobody. What someone says never waits for them.
 */
import { Context, Effect, Queue } from "effect"

/** The most turns of reminders at once. Deliveries are not limited: what waits is queued already, durably. */
export const MostReminderTurns = Context.Reference("effect-session-schedule/MostReminderTurns", {
  defaultValue: () => 100
})

export interface Gate {
  /** The turn, once there is room for it. */
  pass<A, E>(turn: Effect.Effect<A, E>): Effect.Effect<A, E>
}

/** The gate of the process; without one, all turns pass. */
export const ReminderTurns = Context.Reference<Gate>("effect-session-schedule/ReminderTurns", {
  defaultValue: () => ({ pass: (turn) => turn })
})

/** Tokens, and not a semaphore, which goes through all who wait whenever one turn has ended. */
export const make: Effect.Effect<Gate> = Effect.gen(function* () {
  const most = yield* MostReminderTurns
  const room = yield* Queue.unbounded<void>()
  yield* Queue.offerAll(room, Array.from({ length: most }))
  return {
    pass: (turn) =>
      Effect.acquireUseRelease(
        Queue.take(room),
        () => turn,
        () => Queue.offer(room, undefined)
      )
  }
})
