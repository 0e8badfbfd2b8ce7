/**
 * What one entity does for its Session: keeps it live in this process, as its newest owner, for as long as the cluster
 * wants the entity here.
 */
import { Effect, type Scope } from "effect"
import { Entity, type Sharding } from "effect/cluster"
import type { SessionId } from "../domain/Session.ts"
import type { HostError } from "../host/HostError.ts"
import * as LiveCall from "../host/LiveCall.ts"
import type { LiveSession } from "../host/LiveSession.ts"
import type { OwnedSessions } from "../host/OwnedSessions.ts"
import { uncertain } from "../host/StoreFailure.ts"
import * as KeptAwake from "./KeptAwake.ts"
import * as OnceCalls from "./OnceCalls.ts"
import * as Ownership from "./Ownership.ts"

/** Of which owner a call was meant to be one, and which call it is. */
export interface Call {
  readonly epoch: number
  readonly call: string
}

type Use<A, E> = (session: LiveSession) => Effect.Effect<A, E>

export interface SessionOwner {
  /** The Session, live. */
  readonly session: Effect.Effect<LiveSession, HostError>
  /** Looks at the live Session; kept awake if it has anything to do. */
  look<A, E>(use: Use<A, E>): Effect.Effect<A, E | HostError>
  /** Changes it, kept awake from before the change on. Of another owner than the call was for, it fails with `moved`. */
  change<A, E, F>(call: Call, moved: F, use: Use<A, E>): Effect.Effect<A, E | F | HostError>
  readonly close: Effect.Effect<void>
  /** Another process has opened the Session: to be called at once. */
  lost(): void
  /** Opens again what should be live, and lets fall asleep what has nothing to do; to be done now and then. */
  readonly tend: Effect.Effect<void>
}

/** For as long as the scope is open, which is the entity's. */
export const make = Effect.fnUntraced(function* (
  live: OwnedSessions
): Effect.fn.Return<SessionOwner, never, Entity.CurrentAddress | Sharding.Sharding | Scope.Scope> {
  const id = (yield* Entity.CurrentAddress).entityId as string as SessionId
  const own = yield* Ownership.make(live, id)
  const awake = yield* KeptAwake.make
  const calls = OnceCalls.make()
  const found = { open: () => own.open, discard: live.discard }
  let underWay = 0

  const working = <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      own.want()
      underWay++
      return Effect.ensuring(
        call,
        Effect.sync(() => void underWay--)
      )
    })

  const look = <A, E>(use: Use<A, E>) =>
    Effect.gen(function* () {
      const answer = yield* LiveCall.call(found, id, yield* own.open, use)
      if (own.hasWork()) yield* awake.hold
      return answer
    }).pipe(working)

  const change = <A, E, F>({ epoch, call }: Call, moved: F, use: Use<A, E>) =>
    Effect.gen(function* () {
      if (!(yield* awake.hold)) return yield* uncertain()
      const session = yield* own.open
      if (session.epoch !== epoch) return yield* Effect.fail(moved)
      return yield* LiveCall.call(found, id, session, use)
    }).pipe(working, (changed) => calls.once(call, changed))

  const rest = awake.release(() => underWay === 0 && own.mayRest())

  return {
    session: working(own.open),
    look,
    change,
    close: Effect.andThen(own.close, rest),
    lost: own.lost,
    tend: Effect.andThen(own.reopen, rest)
  }
})
