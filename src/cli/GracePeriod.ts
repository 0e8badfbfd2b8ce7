/**
 * How long a host that was told to stop may take: then something hangs that nobody foresaw, and whoever supervises it
 * waits for nothing. A process that ends in the midst loses nothing that was acknowledged.
 */
import { Effect } from "effect"

/** Longer than the turn that runs may take; shorter than the 30 seconds after which supervisors kill. */
const GRACE_SECONDS = 25

/** Ends the process after that time, and says so. */
export const enforce = (end: (code: number) => void): Effect.Effect<void> =>
  Effect.logError(
    `The host did not stop within ${GRACE_SECONDS} seconds, and is ended. Nothing acknowledged is lost`
  ).pipe(Effect.andThen(Effect.sync(() => end(1))), Effect.delay(`${GRACE_SECONDS} seconds`))
