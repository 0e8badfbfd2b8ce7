/**
 * Goes on, after a restart, with what Sessions have to do, so that nobody has to open them.
 */
import { Effect } from "effect"
import { Sessions, type SessionSummary } from "./Sessions.ts"

/** How many Sessions are opened at a time, so that requests are answered meanwhile. */
const CONCURRENCY = 4

const open = (sessions: Sessions["Service"], { id }: SessionSummary): Effect.Effect<void> => {
  const report = (error: unknown) => Effect.logWarning(`The Session ${id} could not be resumed`, error)
  const opened = sessions.open(id).pipe(Effect.asVoid, Effect.catch(report), Effect.catchDefect(report))
  // SQLite never waits, so that all of them would be one step of the event loop.
  return Effect.andThen(Effect.yieldNow, opened)
}

/** Opens all that have something to do, in their order. One that can't be opened is logged, and stops no other. */
export const run: Effect.Effect<void, never, Sessions> = Effect.gen(function* () {
  const sessions = yield* Sessions
  const waiting = yield* sessions.resumable
  yield* Effect.forEach(waiting, (session) => open(sessions, session), { concurrency: CONCURRENCY, discard: true })
}).pipe(
  Effect.catch((error) => Effect.logError("The Sessions could not be resumed", error)),
  Effect.withSpan("Resume.run")
)

/** Says how many would be opened, since a Session that nobody opens delivers nothing. */
export const hint: Effect.Effect<void, never, Sessions> = Effect.gen(function* () {
  const { length } = yield* (yield* Sessions).resumable
  if (length === 0) return
  yield* Effect.logInfo(
    `Sessions that are cold and have something to do: ${length}. Open them, or serve with --resume.`
  )
}).pipe(Effect.ignore)
