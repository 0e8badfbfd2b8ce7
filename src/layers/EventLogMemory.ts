/**
 * One Session's log in memory, with its barrier: what was appended is pending until a flush.
 */
import { Effect, Layer } from "effect"
import type { SessionEvent } from "../domain/Session.ts"
import { EventLog } from "../services/EventLog.ts"
import { PersistenceBarrier } from "../services/PersistenceBarrier.ts"

export interface Options {
  readonly seedLength?: number
  /** What the log holds already, durably. */
  readonly events?: ReadonlyArray<SessionEvent>
}

export interface EventLogMemory {
  readonly eventLog: EventLog["Service"]
  readonly barrier: PersistenceBarrier["Service"]
  /** All events, pending ones included. */
  readonly events: Effect.Effect<ReadonlyArray<SessionEvent>>
  /** Drops what was not flushed, as a process that is killed does. */
  readonly crash: Effect.Effect<void>
}

export const make = (options: Options = {}): Effect.Effect<EventLogMemory> =>
  Effect.sync(() => {
    const events: Array<SessionEvent> = [...(options.events ?? [])]
    let durable = events.length
    return {
      eventLog: {
        seedLength: options.seedLength ?? 0,
        read: (from) => Effect.sync(() => ({ events: events.slice(from), end: events.length })),
        append: (added) =>
          Effect.sync(() => {
            for (const event of added) events.push({ seq: events.length, ...event })
          })
      },
      barrier: {
        flush: Effect.sync(() => {
          durable = events.length
        })
      },
      events: Effect.sync(() => [...events]),
      crash: Effect.sync(() => {
        events.length = durable
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
