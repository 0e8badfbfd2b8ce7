/**
 * The entities of this runner: each owns a Session for as long as the cluster wants it here.
 */
import { Effect, Layer, type Scope } from "effect"
import { Entity, type Sharding } from "effect/cluster"
import { PersistenceUncertain } from "../domain/ScheduleError.ts"
import type { TimeZone } from "../domain/TimeZone.ts"
import type { SessionId } from "../domain/Session.ts"
import type { OwnedSessions } from "../host/OwnedSessions.ts"
import { storeFailure, uncertain } from "../host/StoreFailure.ts"
import type { SqlClient } from "effect/sql"
import * as KeptAwake from "./KeptAwake.ts"
import { SessionEntity } from "./SessionEntity.ts"
import * as SessionOwner from "./SessionOwner.ts"

/** How often this runner looks whether its Sessions are live, and may fall asleep. */
const TEND = "5 seconds"

/** How often it removes from the cluster's storage what nobody needs. */
const FORGET = "10 minutes"

const TENDING = { concurrency: 8, discard: true } as const

const moved = (operation: "create" | "delete") => new PersistenceUncertain({ operation })

const handlers = (owner: SessionOwner.SessionOwner) =>
  SessionEntity.of({
    open: () =>
      owner.look(({ header, epoch, confirm }) => Effect.as(Effect.mapError(confirm, storeFailure), { header, epoch })),
    owner: () => Effect.map(owner.session, ({ header, epoch }) => ({ header, epoch })),
    close: () => owner.close,
    list: () => owner.look(({ reminders }) => reminders.list),
    create: ({ payload }) => owner.change(payload, moved("create"), ({ reminders }) => reminders.create(payload.input)),
    delete: ({ payload }) => owner.change(payload, moved("delete"), ({ reminders }) => reminders.delete(payload.id)),
    prompt: ({ payload }) =>
      owner.change(payload, uncertain(), (session) =>
        Effect.mapError(session.prompt(payload.text, payload.timeZone as TimeZone | undefined), storeFailure)
      )
  })

export interface SessionOwners {
  /** Another process has opened the Session. */
  lost(id: SessionId): void
  /** Registers the entities of this runner, for as long as the scope is open. */
  start(live: OwnedSessions): Effect.Effect<void, never, Sharding.Sharding | Scope.Scope | SqlClient.SqlClient>
}

export const make = (): SessionOwners => {
  const owners = new Map<string, SessionOwner.SessionOwner>()

  const build = (live: OwnedSessions) =>
    Effect.gen(function* () {
      const { entityId } = yield* Entity.CurrentAddress
      const owner = yield* SessionOwner.make(live)
      yield* Effect.acquireRelease(
        Effect.sync(() => owners.set(entityId, owner)),
        () => Effect.sync(() => void (owners.get(entityId) === owner && owners.delete(entityId)))
      )
      return handlers(owner)
    })

  const tend = Effect.suspend(() => Effect.forEach([...owners.values()], ({ tend }) => tend, TENDING))
  const forget = Effect.ignore(KeptAwake.forget, { log: "Debug" })

  return {
    lost: (id) => owners.get(id)?.lost(),
    start: Effect.fnUntraced(function* (live) {
      yield* Layer.build(SessionEntity.toLayer(build(live), { concurrency: "unbounded", disableFatalDefects: true }))
      yield* Effect.forkScoped(Effect.forever(Effect.delay(tend, TEND)))
      yield* Effect.forkScoped(Effect.forever(Effect.delay(forget, FORGET)))
    })
  }
}
