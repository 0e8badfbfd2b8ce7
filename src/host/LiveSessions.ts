/**
 * The live Sessions of this process by id. Opening and closing one take turns; different ones don't wait for each other.
 */
import { Effect, Exit, RcMap, Scope, Semaphore } from "effect"
import type { SessionId } from "../domain/Session.ts"

export interface LiveSessions<Session, E> {
  /** The live Session of that id, opened if it is cold. */
  open(id: SessionId): Effect.Effect<Session, E>
  /** Closes it, after what its Session does to come to rest; nothing happens to a cold one. */
  close(id: SessionId): Effect.Effect<void>
  /** Closes it if it is still this very Session, asked for in its turn, and not one that was opened since. */
  discard(id: SessionId, session: () => Session | undefined): Effect.Effect<void>
  isLive(id: SessionId): boolean
  /** Those that are live now. */
  all(): Iterable<readonly [SessionId, Session]>
}

interface Live<Session> {
  readonly session: Session
  readonly scope: Scope.Closeable
}

/** How a Session is built in its scope, and how it comes to rest before the scope is closed. */
export interface Lifecycle<Session, E> {
  readonly build: (id: SessionId) => Effect.Effect<Session, E, Scope.Scope>
  readonly rest: (session: Session) => Effect.Effect<void>
}

export const make = Effect.fnUntraced(function* <Session, E>({ build, rest }: Lifecycle<Session, E>) {
  const live = new Map<SessionId, Live<Session>>()
  const doors = yield* RcMap.make({ lookup: (_: SessionId) => Semaphore.make(1) })
  const oneAtATime =
    (id: SessionId) =>
    <A, F>(effect: Effect.Effect<A, F>) =>
      Effect.scoped(Effect.flatMap(RcMap.get(doors, id), (door) => door.withPermit(effect)))

  const start = (id: SessionId) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const session = yield* restore(Effect.provideService(build(id), Scope.Scope, scope)).pipe(
          Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
        )
        live.set(id, { session, scope })
        return session
      })
    )

  const stop = (id: SessionId) =>
    Effect.suspend(() => {
      const found = live.get(id)
      if (found === undefined) return Effect.void
      live.delete(id)
      return Effect.andThen(rest(found.session), Scope.close(found.scope, Exit.void))
    }).pipe(Effect.uninterruptible)

  const open = (id: SessionId) =>
    Effect.suspend(() => {
      const found = live.get(id)
      if (found !== undefined) return Effect.succeed(found.session)
      return oneAtATime(id)(
        Effect.suspend(() => {
          const opened = live.get(id)
          return opened === undefined ? start(id) : Effect.succeed(opened.session)
        })
      )
    })
  const close = (id: SessionId) => oneAtATime(id)(stop(id))
  const discard = (id: SessionId, session: () => Session | undefined) =>
    oneAtATime(id)(Effect.suspend(() => (live.get(id)?.session === session() ? stop(id) : Effect.void)))

  yield* Effect.addFinalizer(() => Effect.forEach([...live.keys()], close, { concurrency: "unbounded", discard: true }))
  const all = function* () {
    for (const [id, { session }] of live) yield [id, session] as const
  }
  const sessions: LiveSessions<Session, E> = { open, close, discard, isLive: (id) => live.has(id), all }
  return sessions
})
