/**
 * An entity that must not fall asleep: the cluster remembers it, and wakes it up again where its runner is lost.
 */
import { Effect, Semaphore } from "effect"
import { Entity, type Sharding } from "effect/cluster"
import { SqlClient } from "effect/sql"
import type { SessionId } from "../domain/Session.ts"
import { SessionStoreError } from "../layers/SessionStore.ts"

export interface KeptAwake {
  /** Keeps it awake, durably; whether that is certain. To keep what is kept costs nothing. */
  readonly hold: Effect.Effect<boolean>
  /** Lets it fall asleep if it may, which is asked in its turn. */
  release(may: () => boolean): Effect.Effect<void>
}

/** Each change is written to the cluster's storage. */
export const make: Effect.Effect<KeptAwake, never, Entity.CurrentAddress | Sharding.Sharding> = Effect.gen(
  function* () {
    const context = yield* Effect.context<Entity.CurrentAddress | Sharding.Sharding>()
    const door = yield* Semaphore.make(1)
    let isHeld = false

    const keep = (isKept: boolean) =>
      Entity.keepAlive(isKept).pipe(
        Effect.as(true),
        Effect.catchDefect((defect) =>
          Effect.as(Effect.logWarning("Whether a Session is kept awake could not be stored", defect), false)
        ),
        Effect.provideContext(context)
      )
    const set = (isKept: boolean) =>
      Effect.tap(keep(isKept), (isStored) => Effect.sync(() => void (isHeld = isKept && isStored)))

    return {
      hold: Effect.suspend(() =>
        isHeld
          ? Effect.succeed(true)
          : door.withPermit(Effect.suspend(() => (isHeld ? Effect.succeed(true) : set(true))))
      ),
      release: (may) =>
        door.withPermit(Effect.suspend(() => (isHeld && may() ? Effect.asVoid(set(false)) : Effect.void)))
    }
  }
)

/** Which Sessions are kept awake, on whatever runner, as the cluster's storage in the same schema tells; or whether one is. */
export const all = (id?: SessionId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ readonly id: string }>`SELECT entity_id AS id FROM cluster_messages
      WHERE entity_type = 'Session' AND tag = ${Entity.KeepAliveRpc._tag} AND NOT processed
        AND ${id === undefined ? sql.literal("true") : sql`entity_id = ${id}`}`
    return new Set(rows.map((row) => row.id))
  }).pipe(Effect.mapError((cause) => new SessionStoreError({ operation: "awake", cause })))

/** Removes what the cluster's storage remembers of those that fell asleep. */
export const forget = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`WITH gone AS (
      DELETE FROM cluster_messages WHERE entity_type = 'Session' AND tag = ${Entity.KeepAliveRpc._tag} AND processed
      RETURNING request_id
    ) DELETE FROM cluster_replies WHERE request_id IN (SELECT request_id FROM gone)`
})
