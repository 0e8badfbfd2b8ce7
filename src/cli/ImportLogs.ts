/**
 * Sessions from the files that `export` wrote, into a store.
 */
import { Effect, FileSystem, Option, type Redacted, Result, Stdio, Stream } from "effect"
import type { SessionEvent, SessionHeader } from "../domain/Session.ts"
import { SessionExists } from "../layers/SessionStore.ts"
import * as Input from "./Input.ts"
import * as Judge from "./Judge.ts"
import * as LogFile from "./LogFile.ts"
import { print, type Refusal, refuse } from "./Output.ts"
import * as StoreFile from "./StoreFile.ts"

/** A file whose log is right. */
interface Checked {
  /** As it was named. */
  readonly file: string
  /** Where it is. */
  readonly path: string
  readonly header: SessionHeader
  readonly events: number
}

/** What is told of each. */
interface Imported {
  readonly id: string
  readonly events: number
  readonly file: string
}

const within =
  (file: string) =>
  ({ code, message, details }: Refusal): Refusal =>
    refuse(code, `${file}: ${message}`, { ...details, file })

const noHeader = refuse(
  "missing_header",
  'The first line is no { "header" }, which says which Session it is: only an exported log can be imported.'
)

/** Standard input is read twice like every file, and so is kept in one for as long as the scope is open. */
const pathOf = Effect.fnUntraced(function* (file: string) {
  if (file !== "-") return file
  const files = yield* FileSystem.FileSystem
  const { stdin } = yield* Stdio.Stdio
  return yield* Effect.orDie(
    Effect.tap(files.makeTempFileScoped({ prefix: "session-schedule-" }), (path) => Stream.run(stdin, files.sink(path)))
  )
})

/** Reads all of a log, and keeps none of it; fails with the first thing that is wrong. */
const judge = Effect.fnUntraced(function* (path: string) {
  let header = Option.none<SessionHeader>()
  let judge = Judge.make()
  yield* LogFile.forEach(Input.bytes(path), (entries) =>
    Effect.suspend(() => {
      for (const entry of entries) {
        if ("event" in entry) judge.take(entry.event)
        else {
          header = Option.some(entry.header)
          judge = Judge.make(entry.header.seedLength)
        }
      }
      return Option.isNone(header) ? Effect.fail(noHeader) : Effect.void
    })
  )
  const [fault] = judge.faults()
  if (Option.isNone(header)) return yield* noHeader
  if (fault !== undefined) return yield* refuse("corrupt_schedule_log", fault.message, { seq: fault.seq })
  return { header: header.value, events: judge.length() }
})

const check = Effect.fnUntraced(function* (file: string) {
  const path = yield* pathOf(file)
  const checked = yield* Effect.mapError(judge(path), within(file))
  return { file, path, ...checked } satisfies Checked
})

/** The events of a log that was read before; it fails if the file is another one by now. */
const events = (path: string): Stream.Stream<SessionEvent, Refusal, FileSystem.FileSystem | Stdio.Stdio> =>
  LogFile.entries(Input.bytes(path)).pipe(
    Stream.mapArrayEffect((lines) => Effect.fromResult(Result.all(lines))),
    Stream.filter((entry) => "event" in entry),
    Stream.map(({ event }) => event)
  )

/** A Session in two of the files can be only one of them. */
const refuseTwice = (all: ReadonlyArray<Checked>): Effect.Effect<void, Refusal> => {
  const repeated = all.find(({ header }, place) => all.findIndex((other) => other.header.id === header.id) < place)
  return repeated === undefined
    ? Effect.void
    : refuse("session_exists", `${repeated.file}: another of the files has the Session ${repeated.header.id}, too.`, {
        file: repeated.file
      })
}

type Store = Effect.Success<ReturnType<typeof StoreFile.writing>>["store"]

/** Before the first is imported, so that most often it is all of them or none. */
const refuseKnown = (store: Store, db: string, { file, header: { id } }: Checked) =>
  store.find(id).pipe(
    Effect.flatMap((found) => (Option.isSome(found) ? Effect.fail(new SessionExists({ id })) : Effect.void)),
    Effect.mapError(StoreFile.explain(db)),
    Effect.mapError(within(file))
  )

const importFile = (store: Store, db: string, { file, path, header }: Checked) =>
  store.import(header, events(path)).pipe(
    Effect.mapError((error) => (error._tag === "Refusal" ? error : StoreFile.explain(db)(error))),
    Effect.mapError(within(file))
  )

/** Imports checked files into a store, one Session after the other: into a file, or the PostgreSQL database of a URL. */
export const run = Effect.fnUntraced(function* (names: ReadonlyArray<string>, place: string | Redacted.Redacted) {
  const all = yield* Effect.forEach(names, check)
  yield* refuseTwice(all)
  const { store, name: db } = yield* StoreFile.writing(place)
  yield* Effect.forEach(all, (checked) => refuseKnown(store, db, checked), { discard: true })
  const imported: Array<Imported> = []
  for (const checked of all) {
    yield* Effect.mapError(importFile(store, db, checked), ({ code, message, details }) =>
      refuse(code, message, { ...details, imported })
    )
    imported.push({ id: checked.header.id, events: checked.events, file: checked.file })
  }
  yield* print({ imported }, imported.map(({ id, events }) => `Imported ${id}, ${events} events.`).join("\n"))
})
