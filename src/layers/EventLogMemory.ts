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
}

/** What is durable, for as long as the process lives. */
export interface Stored {
  readonly events: Effect.Effect<ReadonlyArray<SessionEvent>>
  /** Takes the Session over, as a new process would: a log that was opened before can append nothing more. */
  open(hooks?: SessionLog.Hooks): Effect.Effect<SessionLog.SessionLog>
}

/** A stored Session, which can be opened again and again. */
export const stored = ({ seedLength = 0, events = [] }: Options = {}): Effect.Effect<Stored> =>
  Effect.sync(() => {
    const rows = events.map((event) => EventRow.encode(event, event.seq))
    let epoch = 0
    const storage = (mine: number): SessionLog.Storage => ({
      confirm: Effect.suspend(() => (mine === epoch ? Effect.void : Effect.fail(new StaleOwner({ epoch: mine })))),
      submit: (added, settle) => {
        if (mine !== epoch) return settle(new StaleOwner({ epoch: mine }))
        rows.push(...added)
        settle(null)
      },
      changes: (from, to) => Effect.sync(() => rows.slice(from, to).filter(EventRow.isChange)),
      page: (from, limit) => Effect.sync(() => rows.slice(from, from + limit))
    })
    return {
      events: Effect.sync(() => rows.map(EventRow.decode)),
      open: (hooks) => Effect.sync(() => SessionLog.make(storage(++epoch), seedLength, rows.length, hooks))
    }
  })

export interface EventLogMemory extends SessionLog.SessionLog {
  /** All events, pending ones included. */
  readonly events: Effect.Effect<ReadonlyArray<SessionEvent>>
  /** Drops what was not flushed, as a process that is killed does, and goes on from there. */
  readonly crash: Effect.Effect<void>
}

/** A log that outlives its own crashes. */
export const make = Effect.fnUntraced(function* (options: Options = {}): Effect.fn.Return<EventLogMemory> {
  const { events, open } = yield* stored(options)
  let log = yield* open()
  return {
    eventLog: {
      seedLength: log.eventLog.seedLength,
      read: (from) => log.eventLog.read(from),
      append: (added) => log.eventLog.append(added)
    },
    barrier: { flush: Effect.suspend(() => log.barrier.flush) },
    stage: (event) => log.stage(event),
    unstage: Effect.suspend(() => log.unstage),
    readAll: (from, limit) => log.readAll(from, limit),
    pending: Effect.suspend(() => log.pending),
    events: Effect.suspend(() => Effect.zipWith(events, log.pending, (durable, pending) => [...durable, ...pending])),
    crash: Effect.map(open(), (reopened) => {
      log = reopened
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
