/**
 * `import`: Sessions from the files that `export` wrote.
 */
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as DatabaseUrl from "./DatabaseUrl.ts"
import * as Logs from "./Logs.ts"
import { wrongUsage } from "./Output.ts"
import * as PathName from "./PathName.ts"

export const importLogs = Command.make(
  "import",
  {
    files: PathName.argument("file").pipe(
      Argument.withDescription("Logs with their header, as export writes them, or - for standard input"),
      Argument.atLeast(1)
    ),
    db: Logs.dbFlag.pipe(Flag.withDescription("The database, made if it is missing (default: data/schedule.db)")),
    databaseUrl: DatabaseUrl.flag
  },
  Effect.fnUntraced(function* ({ files, db, databaseUrl }) {
    if (Option.isSome(db) && Option.isSome(databaseUrl)) {
      return yield* wrongUsage("--db and --database-url are two places: give one of them.")
    }
    const url = Option.isSome(db) ? Option.none() : yield* DatabaseUrl.read(databaseUrl)
    const { run } = yield* Effect.promise(() => import("./ImportLogs.ts"))
    const place = Option.getOrElse(url, () => Option.getOrElse(db, () => Logs.DB))
    return yield* run(files, place)
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    "Import Sessions from exported logs, cold and with all that they had: ids, times, events. Every file is read first, " +
      "and nothing is imported if anything is wrong; then each Session is stored whole or not at all. There is no --url: " +
      "a running server may have the database open. It waits while a Session is stored, about a second for 100,000 events."
  ),
  Command.withShortDescription("Import Sessions from JSON Lines"),
  Command.withExamples([
    { command: "session-schedule import backup/*.jsonl --db data/schedule.db" },
    { command: "session-schedule import backup/*.jsonl --database-url postgres://user@host/database" }
  ])
)
