/**
 * What keeps the events of one Session: in memory here, in a real store elsewhere. It does one thing at a time, at once.
 */
import * as EventRow from "../../src/layers/EventRow.ts"

type Rows = ReadonlyArray<EventRow.EventRow>

export interface Medium {
  /** The events from a place on, at most `limit`. */
  page(from: number, limit: number): Rows
  /** The `schedule/change` events from a place on and before another. */
  changes(from: number, to: number): Rows
  /** A new owner, and how many events there are; whoever was it before can store nothing more. */
  own(): { readonly owner: number; readonly length: number }
  isOwner(owner: number): boolean
  /** Stores the next events, of which some may be stored already; whether this is the owner. */
  store(owner: number, added: Rows): boolean
  /** Another one, of all its events. */
  fork(): Medium
  /** Loses the last event. */
  forget(): void
}

const holding = (rows: Array<EventRow.EventRow>): Medium => {
  let owners = 0
  return {
    page: (from, limit) => rows.slice(from, from + limit),
    changes: (from, to) => rows.slice(from, to).filter(EventRow.isChange),
    own: () => ({ owner: ++owners, length: rows.length }),
    isOwner: (owner) => owner === owners,
    store: (owner, added) => {
      if (owner !== owners) return false
      for (const row of added) if (row.seq >= rows.length) rows.push(row)
      return true
    },
    fork: () => holding([...rows]),
    forget: () => void rows.pop()
  }
}

export const inMemory = (): Medium => holding([])
