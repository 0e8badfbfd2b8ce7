/**
 * The owner of one live Session's reminders: delivers what is due, for as long as its scope is open.
 */
import { Context, type Effect } from "effect"

/** `faulted`: it stopped, and reopening the Session recovers it; the log output says why. */
export type SchedulerStatus = "running" | "faulted"

export class Scheduler extends Context.Service<
  Scheduler,
  {
    /** Asks it to look again, because something may have changed. Any number of wakes during a look cost one more. */
    readonly wake: Effect.Effect<void>
    readonly status: Effect.Effect<SchedulerStatus>
    /** The same, at once, for whoever counts many. */
    peek(): SchedulerStatus
  }
>()("effect-session-schedule/Scheduler") {}

/** How long the owner waits before it tries a failed step again, in milliseconds: doubling, jittered, capped. */
export const RetryDelay = Context.Reference("effect-session-schedule/RetryDelay", {
  defaultValue: () => ({ firstMillis: 1_000, longestMillis: 60_000 })
})
