/**
 * `verify`: what is wrong with logs and stores, which stay as they are.
 */
import { Effect, Stream } from "effect"
import { Argument, Command } from "effect/cli"
import type { Finding, Verified } from "./Finding.ts"
import * as Input from "./Input.ts"
import { print, printText, refuse } from "./Output.ts"
import * as PathName from "./PathName.ts"
import * as Progress from "./Progress.ts"
import * as Style from "./Style.ts"
import * as Table from "./Table.ts"
import * as VerifyLog from "./VerifyLog.ts"

const MAGIC = "SQLite format 3\0"

/** By its first bytes, or, where these are damaged, by its name. */
const isStore = Effect.fnUntraced(function* (file: string) {
  if (file === "-") return false
  const bytes = yield* Stream.runCollect(Stream.take(Stream.flattenIterable(Input.bytes(file)), MAGIC.length))
  return String.fromCharCode(...bytes) === MAGIC || /\.(?:db|sqlite3?)$/u.test(file)
})

const verifyFile = Effect.fnUntraced(function* (file: string, tell: Progress.Tell) {
  if (!(yield* isStore(file))) return yield* VerifyLog.verify(file, tell)
  const VerifyStore = yield* Effect.promise(() => import("./VerifyStore.ts"))
  return yield* VerifyStore.verify(file, tell)
})

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`

const line = ({ file, session, message }: Finding): string =>
  Table.printable(`${file}: ${session === null ? "" : `Session ${session}: `}${message}`)

const summary = ({ file, sessions, events, problems }: Verified): string => {
  const verdict = problems.length === 0 ? Style.green("fine") : Style.red(counted(problems.length, "problem"))
  return `${Table.printable(file)}: ${counted(sessions, "Session")}, ${counted(events, "event")}: ${verdict}`
}

const text = (verified: ReadonlyArray<Verified>): string =>
  verified
    .flatMap((each) => [
      summary(each),
      ...each.problems.map((found) => `  ${Style.red("problem")} ${line(found)}`),
      ...each.notes.map((found) => `  ${Style.yellow("note")} ${line(found)}`)
    ])
    .join("\n")

/** What programs read, whether anything is wrong or not. */
const report = (verified: ReadonlyArray<Verified>) => ({
  files: verified.map(({ file, kind, sessions, events }) => ({ file, kind, sessions, events })),
  problems: verified.flatMap(({ problems }) => problems),
  notes: verified.flatMap(({ notes }) => notes)
})

export const verify = Command.make(
  "verify",
  {
    files: PathName.argument("file").pipe(
      Argument.withDescription("A log as JSON Lines, - for one on standard input, or a database of Sessions"),
      Argument.atLeast(1)
    )
  },
  Effect.fnUntraced(function* ({ files }) {
    const verified = yield* Progress.during((tell) => Effect.forEach(files, (file) => verifyFile(file, tell)))
    const all = report(verified)
    if (all.problems.length === 0) return yield* print(all, text(verified))
    yield* printText(text(verified))
    return yield* refuse("verification_failed", `${counted(all.problems.length, "problem")} found.`, all)
  })
).pipe(
  Command.withDescription(
    "Check logs and databases: that every Session has its header and all its events, that its reminders fold, that a host " +
      "can read its own events, and that the database itself is whole. Nothing is written or woken, and a server may be " +
      "running. Each kind of problem is told once for each Session, at the first event. A time zone that is not known " +
      "here is a note, and no problem. Exit code 1 if there is a problem."
  ),
  Command.withShortDescription("Check logs and databases"),
  Command.withExamples([
    { command: "session-schedule verify data/schedule.db" },
    { command: "session-schedule verify backup/*.jsonl" }
  ])
)
