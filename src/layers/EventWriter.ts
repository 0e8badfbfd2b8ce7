/**
 * What appends the events of many Sessions at once to a SQL store, each only while its owner is the newest.
 */
import { Context, type Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { EventRow } from "./EventRow.ts"

/** Events of one Session, stored all or none, and only while its epoch is still this one. */
export interface Entry {
  /** The Session's key in the store. */
  readonly session: number
  readonly epoch: number
  readonly events: ReadonlyArray<EventRow>
}

export class EventWriter extends Context.Service<
  EventWriter,
  {
    /**
     * Stores all events of the entries that are accepted, in one transaction, and says which these are. Events that are
     * stored already, with the same content, count as stored; with another they break the transaction.
     */
    write(entries: ReadonlyArray<Entry>): Effect.Effect<(entry: Entry) => boolean, SqlError.SqlError>
  }
>()("effect-session-schedule/EventWriter") {}
