/**
 * A sequence of instants at a fixed interval of elapsed time, known by any one of them.
 * Division finds a place in it, so an age asleep costs as little as a minute.
 */
import { Option, Schema } from "effect"
import * as Instant from "./Instant.ts"

/** The shortest interval, in seconds. */
export const MIN_SECONDS = 300

/** The interval of a recurring reminder, in whole seconds. */
export const IntervalSeconds = Schema.Int.check(Schema.isGreaterThanOrEqualTo(MIN_SECONDS))

/** The last instant of the sequence at or before `now`, given one that is not after it. */
export const latest = (target: Instant.Instant, seconds: number, now: Instant.Instant): Instant.Instant =>
  (now - ((now - target) % (seconds * 1_000))) as Instant.Instant

/** The first instant of the sequence after `now`, given one that is not after it; none past year 9999. */
export const next = (target: Instant.Instant, seconds: number, now: Instant.Instant): Option.Option<Instant.Instant> =>
  Instant.fromMillis(latest(target, seconds, now) + seconds * 1_000)
