/**
 * Steps of the test clock that settle before and after: whatever was set going first comes to rest, so that no outcome
 * depends on who happened to run first.
 */
import { type Duration, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import * as Instant from "../domain/Instant.ts"

/** More yields than any chain of steps in memory takes before it waits for time or for input. */
const YIELDS = 200

/** Waits until every fiber that can run has run. */
export const settle: Effect.Effect<void> = Effect.repeat(Effect.yieldNow, { times: YIELDS })

/** Lets time pass, for the wall clock and for everything that sleeps. */
export const advance = (duration: Duration.Input): Effect.Effect<void> =>
  settle.pipe(Effect.andThen(TestClock.adjust(duration)), Effect.andThen(settle))

const decodeInstant = Schema.decodeSync(Instant.Instant)

/** Sets the wall clock to a canonical instant text, forward or back. */
export const setClock = (instant: string): Effect.Effect<void> =>
  settle.pipe(Effect.andThen(TestClock.setTime(decodeInstant(instant))), Effect.andThen(settle))
