/**
 * One Session's log in memory, with its barrier: what was appended is pending until a flush.
 */
import { Effect, Layer } from "effect"
import type { SessionEvent } from "../domain/Session.ts"
import { EventLog } from "../services/EventLog.ts"
import { PersistenceBarrier } from "../services/PersistenceBarrier.ts"
import * as EventRow from "./EventRow.ts"
import { StaleOwner } from "./GroupCommit.ts"
import * as SessionLog from "./SessionLog.ts"

export interface Options {
  readonly seedLength?: number
  /** What the log holds already, durably. */
  readonly events?: ReadonlyArray<SessionEvent>
  readonly hooks?: SessionLog.Hooks
}

export interface EventLogMemory extends SessionLog.SessionLog {
  /** All events, pending ones included. */
  readonly events: Effect.Effect<ReadonlyArray<SessionEvent>>
  /** Drops what was not flushed, as a process that is killed does, and goes on from there. */
  readonly crash: Effect.Effect<void>
}

const storage = (stored: Array<EventRow.EventRow>, isCurrent: () => boolean): SessionLog.Storage => ({
  submit: (rows, settle) => {
    if (!isCurrent()) return settle(new StaleOwner({ epoch: 0 }))
    stored.push(...rows)
    settle(null)
  },
  changes: (from, to) => Effect.sync(() => stored.slice(from, to).filter(EventRow.isChange)),
  page: (from, limit) => Effect.sync(() => stored.slice(from, from + limit))
})

export const make = ({ seedLength = 0, events = [], hooks }: Options = {}): Effect.Effect<EventLogMemory> =>
  Effect.sync(() => {
    const stored = events.map((event) => EventRow.encode(event, event.seq))
    let epoch = 0
    const open = () => {
      const mine = ++epoch
      return SessionLog.make(
        storage(stored, () => mine === epoch),
        seedLength,
        stored.length,
        hooks
      )
    }
    let log = open()
    return {
      eventLog: {
        seedLength,
        read: (from) => log.eventLog.read(from),
        append: (added) => log.eventLog.append(added)
      },
      barrier: { flush: Effect.suspend(() => log.barrier.flush) },
      stage: (event) => log.stage(event),
      unstage: Effect.suspend(() => log.unstage),
      readAll: (from, limit) => log.readAll(from, limit),
      pending: Effect.suspend(() => log.pending),
      events: Effect.suspend(() => Effect.map(log.pending, (pending) => [...stored.map(EventRow.decode), ...pending])),
      crash: Effect.sync(() => {
        log = open()
      })
    }
  })

/** A log and its barrier for a Session that need not outlive the process. */
export const layer = (options: Options = {}): Layer.Layer<EventLog | PersistenceBarrier> =>
  Layer.unwrap(
    Effect.map(make(options), ({ eventLog, barrier }) =>
      Layer.merge(Layer.succeed(EventLog, eventLog), Layer.succeed(PersistenceBarrier, barrier))
    )
  )
