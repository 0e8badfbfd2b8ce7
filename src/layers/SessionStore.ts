/**
 * All Sessions of the store, live or cold: their headers, who owns them, and what they hold.
 */
import { Array, Context, Effect, Layer, Option, Schema, Stream } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import type { Instant } from "../domain/Instant.ts"
import type { SessionEvent, SessionHeader, SessionId } from "../domain/Session.ts"
import type { LogSlice } from "../services/EventLog.ts"
import * as EventQuery from "./EventQuery.ts"
import * as EventRow from "./EventRow.ts"
import * as SessionTable from "./SessionTable.ts"

export class SessionExists extends Schema.TaggedError<SessionExists>()("SessionExists", { id: Schema.String }) {
  override get message() {
    return `There is a Session ${this.id} already`
  }
}

export class SessionNotFound extends Schema.TaggedError<SessionNotFound>()("SessionNotFound", { id: Schema.String }) {
  override get message() {
    return `There is no Session ${this.id}`
  }
}

/** A fork can begin with as many events as its parent has durable, and no more. */
export class ForkTooLong extends Schema.TaggedError<ForkTooLong>()("ForkTooLong", {
  id: Schema.String,
  length: Schema.Number,
  available: Schema.Int
}) {
  override get message() {
    return `Session ${this.id} has ${this.available} events, so a fork cannot begin with ${this.length} of them`
  }
}

/** The store did not answer. A read can be tried again; whether a write took place is unknown. */
export class SessionStoreError extends Schema.TaggedError<SessionStoreError>()("SessionStoreError", {
  operation: Schema.String,
  cause: Schema.Defect()
}) {}

export type StoredSession = SessionTable.StoredSession
/** Who may append to a Session: whoever opened it last. */
export type SessionOwner = SessionTable.KeyedSession

/** A Session with all its `schedule/change` events. */
export interface SessionChanges extends StoredSession {
  readonly changes: ReadonlyArray<SessionEvent>
}

export class SessionStore extends Context.Service<
  SessionStore,
  {
    /** Makes a new Session, without events: durable, and cold. */
    create(header: SessionHeader): Effect.Effect<void, SessionExists | SessionStoreError>
    find(id: SessionId): Effect.Effect<Option.Option<StoredSession>, SessionStoreError>
    /** Takes a Session over, durably: whoever opened it before can append nothing more. */
    open(id: SessionId): Effect.Effect<SessionOwner, SessionNotFound | SessionStoreError>
    /** Makes a new, cold Session of another's first events, of all of them without a length; answers its header. */
    fork(
      parentId: SessionId,
      child: { readonly id: SessionId; readonly createdAt: Instant },
      length?: number
    ): Effect.Effect<SessionHeader, SessionNotFound | SessionExists | ForkTooLong | SessionStoreError>
    /**
     * Makes a new, cold Session of a header and all its events, in their order from place 0 on: everything, or nothing
     * when their stream fails. SQLite lets nobody else write before the stream ends.
     */
    import<E, R>(
      header: SessionHeader,
      events: Stream.Stream<SessionEvent, E, R>
    ): Effect.Effect<void, SessionExists | SessionStoreError | E, R>
    /** All Sessions, in the order in which they were made. */
    readonly list: Effect.Effect<ReadonlyArray<StoredSession>, SessionStoreError>
    /** One Session with its `schedule/change` events, or with those from a place on and before another. */
    changesOf(
      id: SessionId,
      from?: number,
      to?: number
    ): Effect.Effect<SessionChanges, SessionNotFound | SessionStoreError>
    /** The last durable event of each of these types, none of them `schedule/change`, where a Session has one. */
    last(
      id: SessionId,
      types: ReadonlyArray<string>
    ): Effect.Effect<ReadonlyArray<SessionEvent>, SessionNotFound | SessionStoreError>
    /** Durable events of a Session from a place on, at most `limit` (500); `end` is the place after them. */
    read(id: SessionId, from: number, limit?: number): Effect.Effect<LogSlice, SessionNotFound | SessionStoreError>
  }
>()("effect-session-schedule/SessionStore") {}

/** How many Sessions are in memory at a time. */
const PAGE = 200

type Sql = SqlClient.SqlClient

const answered =
  (operation: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.mapError(effect, (error): SessionStoreError | Exclude<E, SqlError.SqlError> =>
      SqlError.isSqlError(error)
        ? new SessionStoreError({ operation, cause: error })
        : (error as Exclude<E, SqlError.SqlError>)
    )

const found = <A, E, R>(id: SessionId, effect: Effect.Effect<Option.Option<A>, E, R>) =>
  Effect.flatMap(effect, (row) =>
    Option.isSome(row) ? Effect.succeed(row.value) : Effect.fail(new SessionNotFound({ id }))
  )

const insert = (sql: Sql, header: SessionHeader) =>
  Effect.flatMap(SessionTable.insert(sql, header), (key) =>
    Option.isSome(key) ? Effect.succeed(key.value) : Effect.fail(new SessionExists({ id: header.id }))
  )

const fork = Effect.fnUntraced(function* (
  sql: Sql,
  parentId: SessionId,
  child: { readonly id: SessionId; readonly createdAt: Instant },
  wanted?: number
) {
  const parent = yield* found(parentId, SessionTable.find(sql, parentId))
  const length = wanted ?? parent.length
  if (!(length >= 0 && length <= parent.length)) {
    return yield* new ForkTooLong({ id: parentId, length, available: parent.length })
  }
  const header: SessionHeader = { version: 1, ...child, parentId, seedLength: length }
  yield* SessionTable.copyEvents(sql, parent.key, yield* insert(sql, header), length)
  return header
})

/** Page by page, so that others have their turn in between. */
const listAfter = Effect.fnUntraced(function* (sql: Sql, after: number) {
  yield* Effect.yieldNow
  const sessions = yield* SessionTable.page(sql, after, PAGE)
  const last = sessions.length < PAGE ? undefined : sessions.at(-1)?.key
  return [sessions, Option.fromUndefinedOr(last)] as const
})

/** How many events one statement stores. */
const ROWS = 500

const importAll = Effect.fnUntraced(function* <E, R>(
  sql: Sql,
  header: SessionHeader,
  events: Stream.Stream<SessionEvent, E, R>
) {
  const key = yield* insert(sql, header)
  yield* Stream.runForEachArray(Stream.rechunk(events, ROWS), (page) =>
    SessionTable.insertEvents(
      sql,
      key,
      Array.map(page, (event) => EventRow.encode(event, event.seq))
    )
  )
})

const changesOf = Effect.fnUntraced(function* (sql: Sql, id: SessionId, from = 0, to = Number.MAX_SAFE_INTEGER) {
  const { key, header, length } = yield* found(id, SessionTable.find(sql, id))
  const rows = yield* EventQuery.changes(sql, key, from, Math.min(to, length))
  return { header, length, changes: rows.map(EventRow.decode) }
})

const last = Effect.fnUntraced(function* (sql: Sql, id: SessionId, types: ReadonlyArray<string>) {
  const { key } = yield* found(id, SessionTable.find(sql, id))
  const rows = yield* Effect.forEach(types, (type) => EventQuery.last(sql, key, type))
  return rows.flat().map(EventRow.decode)
})

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return SessionStore.of({
    create: (header) => Effect.asVoid(answered("create")(insert(sql, header))),
    find: (id) => answered("find")(SessionTable.find(sql, id)),
    open: (id) => answered("open")(found(id, SessionTable.advance(sql, id))),
    fork: (parentId, child, length) => answered("fork")(sql.withTransaction(fork(sql, parentId, child, length))),
    import: (header, events) => answered("import")(sql.withTransaction(importAll(sql, header, events))),
    list: Stream.runCollect(Stream.paginate(0, (after: number) => answered("list")(listAfter(sql, after)))),
    changesOf: (id, from, to) => answered("changesOf")(changesOf(sql, id, from, to)),
    last: (id, types) => answered("last")(last(sql, id, types)),
    read: (id, from, limit = 500) =>
      found(id, SessionTable.find(sql, id)).pipe(
        Effect.flatMap(({ key }) => EventQuery.page(sql, key, from, limit)),
        Effect.map((rows) => EventRow.slice(rows, from)),
        answered("read")
      )
  })
})

export const layer: Layer.Layer<SessionStore, never, SqlClient.SqlClient> = Layer.effect(SessionStore, make)
