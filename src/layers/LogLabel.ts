/**
 * Log entries that say whose they are, wherever they are written: a call runs in its caller's context, and a drive in
 * that of whoever opened the Session.
 */
import { Effect } from "effect"

/** The effect, its log entries with the Session's name where it has one, and a reminder's id where one is meant. */
export const label = <A, E, R>(
  self: Effect.Effect<A, E, R>,
  session: string | undefined,
  schedule?: string
): Effect.Effect<A, E, R> =>
  Effect.annotateLogs(self, {
    ...(session === undefined ? {} : { session_id: session }),
    ...(schedule === undefined ? {} : { schedule_id: schedule })
  })
