/**
 * Wakes whoever waits for an instant of the wall clock. One for the whole process, whatever it holds.
 */
import { Context, type Effect } from "effect"
import type { Instant } from "../domain/Instant.ts"

/** One waiter's alarm, set to one instant at most. */
export interface AlarmHandle {
  /** Sets the alarm to an instant, instead of the one before; null turns it off. */
  set(at: Instant | null): Effect.Effect<void>
}

export class Alarm extends Context.Service<
  Alarm,
  {
    /**
     * A new alarm, off at first. `ring` runs once, soon after the wall clock has reached the instant that was set, and
     * never before; it must not take long, nor fail.
     */
    make(ring: Effect.Effect<void>): Effect.Effect<AlarmHandle>
  }
>()("effect-session-schedule/Alarm") {}
