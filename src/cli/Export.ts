/**
 * `export`: the logs of Sessions as JSON Lines, which `replay`, `verify` and `import` read.
 */
import { Effect, FileSystem, Option, Path, type PlatformError, Schema, Stdio, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { SessionHeader } from "../domain/Session.ts"
import * as LogFile from "./LogFile.ts"
import * as Logs from "./Logs.ts"
import * as PathName from "./PathName.ts"
import { print, type Refusal, refuse, wrongUsage } from "./Output.ts"

/** A log that was written to a file. */
interface Exported {
  readonly id: string
  readonly events: number
  readonly file: string
}

/** The log in pieces of some lines. */
const text = (logs: Logs.Logs, header: SessionHeader): Stream.Stream<string, Refusal> =>
  Stream.concat(
    Stream.make(LogFile.headerLine(header)),
    Stream.map(Logs.pages(logs, header.id), (events) => events.map(LogFile.eventLine).join(""))
  )

const toOutput = Effect.fnUntraced(function* (logs: Logs.Logs, header: SessionHeader) {
  const { stdout } = yield* Stdio.Stdio
  yield* Stream.run(text(logs, header), stdout()).pipe(Effect.catchTag("PlatformError", Effect.die))
})

const unwritable =
  (file: string) =>
  (error: PlatformError.PlatformError | Refusal): Refusal =>
    error._tag === "Refusal"
      ? error
      : refuse("unwritable_file", `${file} can't be written. Check its folder, or name another one.`)

/** Writes a log to an open file; answers how many events it has. */
const write = Effect.fnUntraced(function* (logs: Logs.Logs, header: SessionHeader, file: FileSystem.File) {
  const put = (text: string) => file.writeAll(new TextEncoder().encode(text))
  yield* put(LogFile.headerLine(header))
  const events = yield* Stream.runFoldEffect(
    Logs.pages(logs, header.id),
    () => 0,
    (before, page) => Effect.as(put(page.map(LogFile.eventLine).join("")), before + page.length)
  )
  yield* file.sync
  return events
})

const taken = (file: string): Refusal =>
  refuse("file_exists", `There is a file ${file} already: name a folder without it.`)

/** Gives a file its name, which no other has: by a link, and only where the file system has none by renaming it. */
const publish = (files: FileSystem.FileSystem, part: string, file: string) =>
  Effect.catch(files.link(part, file), (error): Effect.Effect<void, PlatformError.PlatformError | Refusal> =>
    error.reason._tag === "AlreadyExists" ? Effect.fail(taken(file)) : files.rename(part, file)
  )

/** In a folder apart until all of it is on the disk: a file of a log's name is never a part of it. */
const toFile = Effect.fnUntraced(function* (logs: Logs.Logs, header: SessionHeader, folder: string, parts: string) {
  const files = yield* FileSystem.FileSystem
  const { join } = yield* Path.Path
  const [part, file] = [join(parts, `${header.id}.jsonl`), join(folder, `${header.id}.jsonl`)]
  if (yield* Effect.mapError(files.exists(file), unwritable(file))) return yield* taken(file)
  const events = yield* files.open(part, { flag: "wx" }).pipe(
    Effect.flatMap((open) => write(logs, header, open)),
    Effect.scoped,
    Effect.tap(publish(files, part, file)),
    Effect.mapError(unwritable(file))
  )
  return { id: header.id, events, file } satisfies Exported
})

const toFolder = Effect.fnUntraced(function* (logs: Logs.Logs, headers: ReadonlyArray<SessionHeader>, folder: string) {
  const files = yield* FileSystem.FileSystem
  const parts = yield* files
    .makeDirectory(folder, { recursive: true })
    .pipe(
      Effect.andThen(files.makeTempDirectoryScoped({ directory: folder, prefix: ".export-" })),
      Effect.mapError(unwritable(folder))
    )
  const exported = yield* Effect.forEach(headers, (header) => toFile(logs, header, folder, parts))
  const count = exported.length === 1 ? "1 Session" : `${exported.length} Sessions`
  yield* print({ exported }, `Exported ${count} to ${folder}.`)
})

interface Flags extends Logs.Place {
  readonly session: Option.Option<string>
  readonly all: boolean
  readonly out: Option.Option<string>
}

const run = Effect.fnUntraced(function* ({ session, all, out, ...place }: Flags) {
  if (all === Option.isSome(session)) return yield* wrongUsage("Name one Session, or say --all.")
  if (all && Option.isNone(out))
    return yield* wrongUsage("--all writes a file for each Session: say where, with --out.")
  const id = yield* Effect.transposeOption(Option.map(session, Logs.sessionId))
  const logs = yield* Logs.open(place)
  const headers = Option.isSome(id) ? [yield* logs.header(id.value)] : yield* logs.list
  if (Option.isSome(out)) return yield* toFolder(logs, headers, out.value)
  yield* Effect.forEach(headers, (header) => toOutput(logs, header), { discard: true })
})

export const exportLogs = Command.make(
  "export",
  {
    session: Logs.sessionArgument.pipe(Argument.optional),
    all: Flag.Boolean("all").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Export every Session, each to a file of its own")
    ),
    out: PathName.flag("out", "directory").pipe(
      Flag.withSchema(Schema.NonEmptyString),
      Flag.withMetavar("FOLDER"),
      Flag.withDescription("Write each Session to ID.jsonl there (default: the log goes to standard output)"),
      Flag.optional
    ),
    ...Logs.flags
  },
  (flags) => Effect.scoped(run(flags))
).pipe(
  Command.withDescription(
    'Print the log of a Session as JSON Lines: first { "header" }, then { "seq", "at", "type", "data" } for each event. ' +
      "It does not become live, and a server may be running. With --json too the log is JSON Lines."
  ),
  Command.withShortDescription("Export Sessions as JSON Lines"),
  Command.withExamples([
    { command: "session-schedule export demo > demo.jsonl" },
    { command: "session-schedule export --all --out backup --db data/schedule.db" }
  ])
)
