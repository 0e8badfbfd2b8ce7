/**
 * A live Session's log in the store, be that SQLite or PostgreSQL.
 */
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { EventLog, EventLogError } from "../services/EventLog.ts"
import { PersistenceBarrier } from "../services/PersistenceBarrier.ts"
import * as EventQuery from "./EventQuery.ts"
import type { EventRow } from "./EventRow.ts"
import { CommitError, GroupCommit, type Settle, StaleOwner } from "./GroupCommit.ts"
import * as SessionLog from "./SessionLog.ts"
import type { SessionOwner } from "./SessionStore.ts"

const notRead = (cause: unknown) => new EventLogError({ operation: "read", cause })

/** A class, so that 100,000 of them share their methods. */
class Stored implements SessionLog.Storage {
  readonly #owner: SessionOwner
  readonly #sql: SqlClient.SqlClient
  readonly #group: GroupCommit["Service"]

  constructor(owner: SessionOwner, sql: SqlClient.SqlClient, group: GroupCommit["Service"]) {
    this.#owner = owner
    this.#sql = sql
    this.#group = group
  }

  get confirm() {
    const { key, epoch } = this.#owner
    return EventQuery.epoch(this.#sql, key).pipe(
      Effect.mapError((cause) => new CommitError({ cause })),
      Effect.flatMap((newest) => (newest === epoch ? Effect.void : Effect.fail(new StaleOwner({ epoch }))))
    )
  }

  submit(events: ReadonlyArray<EventRow>, settle: Settle) {
    const { key, epoch } = this.#owner
    this.#group.submit({ session: key, epoch, events, settle })
  }

  changes(from: number, to: number) {
    return Effect.mapError(EventQuery.changes(this.#sql, this.#owner.key, from, to), notRead)
  }

  page(from: number, limit: number) {
    return Effect.mapError(EventQuery.page(this.#sql, this.#owner.key, from, limit), notRead)
  }
}

/** The log of a Session that was opened, for its owner to read and to append to. */
export const make = (
  owner: SessionOwner,
  hooks?: SessionLog.Hooks
): Effect.Effect<SessionLog.SessionLog, never, SqlClient.SqlClient | GroupCommit> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const group = yield* GroupCommit
    return SessionLog.make(new Stored(owner, sql, group), owner.header.seedLength ?? 0, owner.length, hooks)
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
