/**
 * The Sessions that this process owns, each built in its own scope; one that was opened elsewhere since is closed here.
 */
import { Context, Effect, Scope } from "effect"
import type { SessionId } from "../domain/Session.ts"
import { SessionLabel } from "../services/SessionLabel.ts"
import type { Glimpse } from "./Census.ts"
import type { Followers } from "./Followers.ts"
import type { HostError } from "./HostError.ts"
import * as LiveSession from "./LiveSession.ts"
import * as LiveSessions from "./LiveSessions.ts"
import * as ReminderTurns from "./ReminderTurns.ts"
import { storeFailure } from "./StoreFailure.ts"

export type OwnedSessions = LiveSessions.LiveSessions<LiveSession.LiveSession, HostError>

/** What the host can hear of them, at once: it must be quick, and must not throw. */
export interface Hooks {
  /** More of a Session is durable. */
  readonly tell: Followers["tell"]
  /** A Session was opened elsewhere, and will be closed here. */
  readonly onStale?: (id: SessionId) => void
}

/** How long a Session that closes waits for the turn that runs, in milliseconds. */
const GRACE_MILLIS = 5_000

export const make = Effect.fnUntraced(function* ({ tell, onStale }: Hooks) {
  // Without the host's own scope: a Session's turns and alarm end with the Session's, after it has come to rest.
  const shared = Context.omit(Scope.Scope)(yield* Effect.context<LiveSession.Requirements | Scope.Scope>())
  const own = Context.add(shared, ReminderTurns.ReminderTurns, yield* ReminderTurns.make)
  const scope = yield* Effect.scope

  const lost = (id: SessionId, session: () => LiveSession.LiveSession | undefined) =>
    Effect.andThen(
      Effect.annotateLogs(Effect.logWarning(`Session ${id} was opened elsewhere, and is closed here`), {
        session_id: id
      }),
      live.discard(id, session)
    )

  const listener: LiveSession.Listener = {
    onDurable: tell,
    // What a Session that was closed since still has to say must not close the one that was opened in its place.
    onStale: (id, session) => {
      onStale?.(id)
      Effect.runForkWith(own)(Effect.forkIn(lost(id, session), scope))
    }
  }

  const live: OwnedSessions = yield* LiveSessions.make({
    build: (id) =>
      LiveSession.make(id, listener).pipe(
        Effect.mapError(storeFailure),
        Effect.provideService(SessionLabel, id),
        Effect.annotateLogs({ session_id: id }),
        // A Session outlives whoever opens it, and must not keep that call's request and span.
        Effect.updateContext((caller: Context.Context<Scope.Scope>) =>
          Context.add(own, Scope.Scope, Context.get(caller, Scope.Scope))
        )
      ),
    rest: (session) => Effect.asVoid(Effect.timeoutOption(session.rest, GRACE_MILLIS))
  })
  return live
})

/** What each of them holds now. */
export const glimpses = function* (live: OwnedSessions): Generator<Glimpse> {
  for (const [, session] of live.all()) yield session.peek()
}
