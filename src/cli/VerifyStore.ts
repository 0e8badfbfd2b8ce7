/**
 * What is wrong with a store's file, which stays as it is: the database itself, and the log of every Session.
 */
import { Cause, Effect, Option, Result, Schema, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import type { SqlClient, SqlError } from "effect/sql"
import { SessionEvent, SessionHeader } from "../domain/Session.ts"
import * as EventQuery from "../layers/EventQuery.ts"
import * as EventRow from "../layers/EventRow.ts"
import * as SessionTable from "../layers/SessionTable.ts"
import * as SqliteReader from "../layers/SqliteReader.ts"
import { fromCause } from "../layers/StoreError.ts"
import * as Finding from "./Finding.ts"
import * as Judge from "./Judge.ts"
import type { Tell } from "./Progress.ts"
import * as Table from "./Table.ts"

/** How many Sessions, and how many events of one, are in memory at a time. */
const SESSIONS = 200
const EVENTS = 1_000

type Sql = SqlClient.SqlClient
type Session = SessionTable.KeyedSession

/** What SQLite finds: broken pages, indexes that don't find all there is, events that belong to no Session. */
const integrity = Effect.fnUntraced(function* (sql: Sql, file: string) {
  const said = yield* sql.unsafe<Readonly<Record<string, string>>>("PRAGMA integrity_check")
  const faults = said.map((row) => String(Object.values(row)[0])).filter((line) => line !== "ok")
  const orphans = yield* sql`PRAGMA foreign_key_check`
  return [
    ...faults.map((line) => Finding.ofFile(file, `The database is damaged: ${Table.printable(line)}.`)),
    ...(orphans.length > 0 ? [Finding.ofFile(file, `${orphans.length} events belong to no Session.`)] : [])
  ]
})

const isHeader = Schema.is(Schema.toType(SessionHeader))
const isEvent = Schema.is(Schema.toType(SessionEvent))

const misread = (seq: number, message: string) => Result.fail<Judge.Fault>({ seq, message })

/** The event that a row holds, which must be the one at a place. */
const read = (row: EventRow.EventRow, seq: number): Result.Result<SessionEvent, Judge.Fault> => {
  if (row.seq !== seq) return misread(seq, `Event ${seq} is missing: ${row.seq} comes next.`)
  const event = EventRow.decode(row)
  // Data that is no JSON is told as the text that it is.
  if (event.data === row.data) return misread(seq, `The data of event ${seq} is no JSON.`)
  return isEvent(event) ? Result.succeed(event) : misread(seq, `The time or the type of event ${seq} is none.`)
}

/** The rows of a Session. */
const rows = (sql: Sql, { key }: Session): Stream.Stream<EventRow.EventRow, SqlError.SqlError> =>
  Stream.paginate(0, (from) =>
    Effect.map(
      EventQuery.page(sql, key, from, EVENTS),
      (page) => [page, Option.map(Option.fromUndefinedOr(page.at(-1)), ({ seq }) => seq + 1)] as const
    )
  )

/** Judges the log of a Session, to its end or to the first row that is no event of it. */
const judgeSession = Effect.fnUntraced(function* (sql: Sql, file: string, session: Session, tell: Tell) {
  const { header } = session
  const judge = Judge.make(header.seedLength)
  const faults: Array<Judge.Fault> = isHeader(header) ? [] : [{ seq: null, message: "The header is corrupt." }]
  const take = (row: EventRow.EventRow): boolean => {
    const event = read(row, judge.length())
    if (Result.isSuccess(event)) judge.take(event.success)
    else faults.push(event.failure)
    return Result.isFailure(event)
  }
  yield* Stream.runForEachArray(Stream.takeUntil(rows(sql, session), take), () =>
    tell(`${file}: Session ${Table.printable(header.id)}, ${judge.length()} events`)
  )
  const { problems, notes } = Finding.ofLog(file, header.id, judge)
  const own = faults.map((fault) => ({ file, session: header.id, ...fault }))
  return { events: judge.length(), problems: [...own, ...problems], notes }
})

/** The damage may be this Session's alone. */
const unread = (file: string, { header }: Session, error: SqlError.SqlError) => {
  const { problem } = fromCause(file, Cause.fail(error))
  const message = `The log cannot be read to its end: ${problem}`
  return { events: 0, problems: [{ file, session: header.id, seq: null, message }], notes: [] }
}

const sessions = (sql: Sql): Stream.Stream<Session, SqlError.SqlError> =>
  Stream.paginate(0, (after) =>
    Effect.map(
      SessionTable.page(sql, after, SESSIONS),
      (page) => [page, Option.map(Option.fromUndefinedOr(page.at(-1)), ({ key }) => key)] as const
    )
  )

interface Found {
  sessions: number
  events: number
  readonly problems: Array<Finding.Finding>
  readonly notes: Array<Finding.Finding>
}

/** Adds to what was found, so that a database that fails half-way takes nothing of it back. */
const look = Effect.fnUntraced(function* (found: Found, file: string, tell: Tell) {
  const sql = yield* SqliteReader.make(file)
  yield* tell(`${file}: the database`)
  found.problems.push(...(yield* integrity(sql, file)))
  yield* Stream.runForEach(
    sessions(sql),
    Effect.fnUntraced(function* (session) {
      const { events, problems, notes } = yield* Effect.catch(judgeSession(sql, file, session, tell), (error) =>
        Effect.succeed(unread(file, session, error))
      )
      found.sessions++
      found.events += events
      found.problems.push(...problems)
      found.notes.push(...notes)
    })
  )
})

/** Looks at all of a store's file; a server may be running on it. */
export const verify = Effect.fnUntraced(
  function* (file: string, tell: Tell) {
    const found: Found = { sessions: 0, events: 0, problems: [], notes: [] }
    yield* Effect.catch(look(found, file, tell), (error) =>
      Effect.sync(() => {
        found.problems.push(Finding.ofFile(file, fromCause(file, Cause.fail(error)).message))
      })
    )
    return { file, kind: "store", ...found } satisfies Finding.Verified
  },
  Effect.scoped,
  Effect.provide(Reactivity.layer)
)
