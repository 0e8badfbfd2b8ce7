/**
 * One entity's Session, live in this process: opened when it is needed, opened again when it was lost by mistake, and
 * closed with the entity.
 */
import { Context, Deferred, Effect, Exit, Scope } from "effect"
import type { SessionId } from "../domain/Session.ts"
import type { HostError } from "../host/HostError.ts"
import type { LiveSession } from "../host/LiveSession.ts"
import type { OwnedSessions } from "../host/OwnedSessions.ts"

export interface Ownership {
  /** The live Session; waits while it may be somebody else's. */
  readonly open: Effect.Effect<LiveSession, HostError>
  readonly close: Effect.Effect<void>
  /** Somebody wants it live, though it was closed before. */
  want(): void
  /** Opens it again if it should be live, and is not. */
  readonly reopen: Effect.Effect<void>
  /** Another process has opened it: to be called at once. */
  lost(): void
  /** Whether it has anything to do, and need not be closed, as far as is known. */
  hasWork(): boolean
  /** Whether it is known to have nothing to do, or is closed. */
  mayRest(): boolean
}

/**
 * How long an entity whose Session was opened elsewhere waits before it opens it again. If its shard has moved, the
 * cluster ends it within that time; if not, whoever took the Session was mistaken.
 */
const MISTAKEN = "3 seconds"

/** To open it again would come to the same. */
const isFinal = ({ code }: HostError): boolean => code === "session_not_found" || code === "session_corrupt"

/** Ends with the scope, which is the entity's. */
export const make = Effect.fnUntraced(function* (
  live: OwnedSessions,
  id: SessionId
): Effect.fn.Return<Ownership, never, Scope.Scope> {
  const context = yield* Effect.context<Scope.Scope>()
  const scope = Context.get(context, Scope.Scope)
  let session: LiveSession | undefined
  let isClosed = false
  let returned: Deferred.Deferred<void> | undefined

  const open = Effect.suspend(() =>
    Effect.andThen(returned === undefined ? Effect.void : Deferred.await(returned), live.open(id))
  ).pipe(
    Effect.tap((opened) => Effect.sync(() => void (session = opened))),
    Effect.tapError((error) => Effect.sync(() => void (isClosed ||= isFinal(error))))
  )

  const isMissing = () => !isClosed && returned === undefined && !live.isLive(id)
  const reopen = Effect.ignore(Effect.suspend(() => (isMissing() ? open : Effect.void)))

  const lost = () => {
    const back = (returned ??= Deferred.makeUnsafe())
    const comeBack = Effect.suspend(() => {
      if (returned === back) returned = undefined
      Deferred.doneUnsafe(back, Exit.void)
      return reopen
    })
    Effect.runForkWith(context)(Effect.forkIn(Effect.delay(comeBack, MISTAKEN), scope))
  }

  yield* Effect.addFinalizer(() => live.discard(id, () => session))
  yield* Effect.forkScoped(reopen)

  return {
    open,
    close: Effect.suspend(() => {
      isClosed = true
      return live.close(id)
    }),
    want: () => void (isClosed = false),
    reopen,
    lost,
    hasWork: () => session?.hasWork() === true,
    mayRest: () => isClosed || (live.isLive(id) && session?.hasWork() === false)
  }
})
