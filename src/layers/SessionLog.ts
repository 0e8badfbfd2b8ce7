/**
 * One live Session's log: what is appended waits in memory, already part of the log, until a flush commits it.
 *
 * There may be 100,000 of them, so each is a few plain fields. It is its Session's only writer for as long as the
 * storage accepts its commits.
 */
import { Deferred, Effect, Exit } from "effect"
import type { NewEvent, SessionEvent } from "../domain/Session.ts"
import { type EventLog, EventLogError, type LogSlice } from "../services/EventLog.ts"
import { BarrierError, type PersistenceBarrier } from "../services/PersistenceBarrier.ts"
import * as EventRow from "./EventRow.ts"
import type { CommitError, Settle, StaleOwner } from "./GroupCommit.ts"

type Rows = ReadonlyArray<EventRow.EventRow>

/** What holds the durable part of a log. */
export interface Storage {
  /**
   * Commits the next events, all or none, and settles it once, now or later. After a failure they may be stored
   * nevertheless: to commit the same ones again, alone or with others behind them, then succeeds and stores none twice.
   */
  submit(rows: Rows, settle: Settle): void
  /** Fails once the Session has a newer owner. */
  readonly confirm: Effect.Effect<void, StaleOwner | CommitError>
  /** The stored `schedule/change` events from a place on and before another. */
  changes(from: number, to: number): Effect.Effect<Rows, EventLogError>
  /** The stored events from a place on, at most `limit`. */
  page(from: number, limit: number): Effect.Effect<Rows, EventLogError>
}

/** What a host can hear of, at once: it must be quick, and must not throw. */
export interface Hooks {
  /** More is durable: all events before `end`. */
  readonly onDurable?: (end: number) => void
  /** The Session has a newer owner, so nothing more of this one's will be stored. */
  readonly onStale?: () => void
}

export interface SessionLog {
  readonly eventLog: EventLog["Service"]
  readonly barrier: PersistenceBarrier["Service"]
  /**
   * Holds an event back, instead of the one held back before: it goes right before the next appended `schedule/change`
   * events, at their time, and so becomes durable together with them or not at all.
   */
  stage(event: NewEvent): Effect.Effect<void, EventLogError>
  /** Drops the event that is held back; whether there was one. */
  readonly unstage: Effect.Effect<boolean>
  /** Durable events of all types from a place on, at most `limit` (500); `end` is the place after them. */
  readAll(from: number, limit?: number): Effect.Effect<LogSlice, EventLogError>
  /** What was appended and is not durable yet. */
  readonly pending: Effect.Effect<ReadonlyArray<SessionEvent>>
}

interface State {
  readonly storage: Storage
  readonly hooks: Hooks
  /** How many events are durable; the pending ones follow. */
  durable: number
  pending: Array<EventRow.EventRow>
  /** The durable changes from `unreadFrom` on: reading what was just committed takes no query. */
  unread: Array<EventRow.EventRow>
  unreadFrom: number
  staged: EventRow.EventRow | undefined
  /** How many commits were begun, and which was the last to succeed. */
  begun: number
  confirmed: number
  inFlight: Deferred.Deferred<void, BarrierError> | undefined
  stale: StaleOwner | undefined
}

/** The most changes that are kept for a reader who does not come. */
const UNREAD = 64

const endOf = ({ durable, pending }: State): number => durable + pending.length

const forgetUnread = (state: State): void => {
  state.unread = []
  state.unreadFrom = state.durable
}

const encode = <A>(encoded: () => A): Effect.Effect<A, EventLogError> =>
  Effect.try({ try: encoded, catch: (cause) => new EventLogError({ operation: "append", cause }) })

const append = (state: State, events: ReadonlyArray<NewEvent>): Effect.Effect<void, EventLogError> =>
  encode(() => {
    const change = events.find(EventRow.isChange)
    const staged = change === undefined ? undefined : state.staged
    const end = endOf(state)
    const before = staged === undefined || change === undefined ? [] : [{ ...staged, seq: end, at: change.at }]
    const rows = events.map((event, n) => EventRow.encode(event, end + before.length + n))
    if (staged !== undefined) state.staged = undefined
    for (const row of [...before, ...rows]) state.pending.push(row)
  })

const stage = (state: State, event: NewEvent): Effect.Effect<void, EventLogError> =>
  encode(() => {
    state.staged = EventRow.encode(event, 0)
  })

const read = (state: State, from: number): Effect.Effect<LogSlice, EventLogError> =>
  Effect.suspend(() => {
    const { durable, unread } = state
    const end = endOf(state)
    const pending = state.pending.filter(EventRow.isChange)
    const stored = from < state.unreadFrom ? state.storage.changes(from, durable) : Effect.succeed(unread)
    forgetUnread(state)
    return Effect.map(stored, (rows) => ({
      events: [...rows, ...pending].filter(({ seq }) => seq >= from).map(EventRow.decode),
      end
    }))
  })

const advance = (state: State, rows: Rows): void => {
  state.confirmed = state.begun
  // A new array: what one was emptied of stays reserved.
  state.pending = state.pending.slice(rows.length)
  state.durable += rows.length
  for (const row of rows) if (EventRow.isChange(row)) state.unread.push(row)
  if (state.unread.length > UNREAD) forgetUnread(state)
  state.hooks.onDurable?.(state.durable)
}

const refuse = (state: State, stale: StaleOwner): void => {
  state.stale = stale
  state.hooks.onStale?.()
}

/** Whoever waits for it may leave: the log learns the outcome all the same, and before those who wait. */
const commit = (state: State): Deferred.Deferred<void, BarrierError> => {
  const rows = state.pending.slice()
  state.begun++
  const done = (state.inFlight = Deferred.makeUnsafe<void, BarrierError>())
  state.storage.submit(rows, (failure) => {
    state.inFlight = undefined
    try {
      if (failure === null) advance(state, rows)
      else if (failure._tag === "StaleOwner") refuse(state, failure)
    } finally {
      Deferred.doneUnsafe(done, failure === null ? Exit.void : Exit.fail(new BarrierError({ cause: failure })))
    }
  })
  return done
}

/** There is nothing to store, but what was read may be no longer true. */
const confirm = (state: State): Effect.Effect<void, BarrierError> =>
  Effect.mapError(state.storage.confirm, (cause) => {
    if (cause._tag === "StaleOwner") refuse(state, cause)
    return new BarrierError({ cause })
  })

/** A commit that was begun before the call can't tell who owns the Session now. */
const flush = (state: State, wanted: number): Effect.Effect<void, BarrierError> =>
  Effect.suspend(() => {
    if (state.stale !== undefined) return Effect.fail(new BarrierError({ cause: state.stale }))
    if (state.confirmed >= wanted) return Effect.void
    if (state.inFlight === undefined && state.pending.length === 0) return confirm(state)
    return Effect.flatMap(Deferred.await(state.inFlight ?? commit(state)), () => flush(state, wanted))
  })

/** The log of a Session with `length` durable events, of which the first `seedLength` are inherited. */
export const make = (storage: Storage, seedLength: number, length: number, hooks: Hooks = {}): SessionLog => {
  const state: State = {
    storage,
    hooks,
    durable: length,
    pending: [],
    unread: [],
    unreadFrom: length,
    staged: undefined,
    begun: 0,
    confirmed: 0,
    inFlight: undefined,
    stale: undefined
  }
  return {
    eventLog: { seedLength, read: (from) => read(state, from), append: (events) => append(state, events) },
    barrier: { flush: Effect.suspend(() => flush(state, state.begun + 1)) },
    stage: (event) => stage(state, event),
    unstage: Effect.sync(() => {
      const held = state.staged !== undefined
      state.staged = undefined
      return held
    }),
    readAll: (from, limit = 500) => Effect.map(storage.page(from, limit), (rows) => EventRow.slice(rows, from)),
    pending: Effect.sync(() => state.pending.map(EventRow.decode))
  }
}
