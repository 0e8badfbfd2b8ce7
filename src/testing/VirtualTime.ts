/**
 * Steps of the test clock that settle before and after: whatever was set going first comes to rest, so that no outcome
 * depends on who happened to run first.
 */
import { type Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import * as Instant from "../domain/Instant.ts"

/** More yields than fifty deliveries in memory take, one after the other, before they wait for time or for input. */
const YIELDS = 1_000

/** Waits until every fiber that can run has run, however often those that it woke wake others. */
export const settle: Effect.Effect<void> = Effect.suspend(() => {
  let yields = 0
  return Effect.whileLoop({ while: () => yields++ < YIELDS, body: () => Effect.yieldNow, step: () => {} })
})

/** Does something at rest, and waits for what comes of it. */
export const settled = (step: Effect.Effect<void>): Effect.Effect<void> =>
  settle.pipe(Effect.andThen(step), Effect.andThen(settle))

/** Lets time pass, for the wall clock and for everything that sleeps: `advance("365 days")`. */
export const advance = (duration: Duration.Input): Effect.Effect<void> => settled(TestClock.adjust(duration))

/**
 * Lets time pass up to an instant, in RFC 3339 with an offset (`2026-12-01T09:00:00Z`). An earlier one sets the clock back,
 * while what sleeps goes on sleeping; for steps of the wall clock alone there is `SteppedClock`.
 */
export const setClock = (instant: string): Effect.Effect<void> =>
  settled(
    Effect.fromResult(Instant.fromRfc3339(instant)).pipe(
      Effect.catch(() => Effect.die(new Error(`${instant} is no instant: write one such as 2026-12-01T09:00:00Z`))),
      Effect.flatMap(TestClock.setTime)
    )
  )
