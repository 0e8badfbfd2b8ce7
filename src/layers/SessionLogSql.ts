/**
 * A live Session's log in the SQLite store.
 */
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { EventLog, EventLogError } from "../services/EventLog.ts"
import { PersistenceBarrier } from "../services/PersistenceBarrier.ts"
import * as EventQuery from "./EventQuery.ts"
import { CommitError, GroupCommit, StaleOwner } from "./GroupCommit.ts"
import * as SessionLog from "./SessionLog.ts"
import type { SessionOwner } from "./SessionStore.ts"

const notRead = (cause: unknown) => new EventLogError({ operation: "read", cause })

const storage = (
  { key, epoch }: SessionOwner,
  sql: SqlClient.SqlClient,
  group: GroupCommit["Service"]
): SessionLog.Storage => ({
  confirm: EventQuery.epoch(sql, key).pipe(
    Effect.mapError((cause) => new CommitError({ cause })),
    Effect.flatMap((newest) => (newest === epoch ? Effect.void : Effect.fail(new StaleOwner({ epoch }))))
  ),
  submit: (events, settle) => group.submit({ session: key, epoch, events, settle }),
  changes: (from, to) => Effect.mapError(EventQuery.changes(sql, key, from, to), notRead),
  page: (from, limit) => Effect.mapError(EventQuery.page(sql, key, from, limit), notRead)
})

/** The log of a Session that was opened, for its owner to read and to append to. */
export const make = (
  owner: SessionOwner,
  hooks?: SessionLog.Hooks
): Effect.Effect<SessionLog.SessionLog, never, SqlClient.SqlClient | GroupCommit> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const group = yield* GroupCommit
    return SessionLog.make(storage(owner, sql, group), owner.header.seedLength ?? 0, owner.length, hooks)
  })

/** The same, for a Session that is composed of layers. */
export const layer = (
  owner: SessionOwner,
  hooks?: SessionLog.Hooks
): Layer.Layer<EventLog | PersistenceBarrier, never, SqlClient.SqlClient | GroupCommit> =>
  Layer.effectContext(
    Effect.map(make(owner, hooks), ({ eventLog, barrier }) =>
      Context.add(Context.make(EventLog, eventLog), PersistenceBarrier, barrier)
    )
  )
