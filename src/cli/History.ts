/**
 * `history`: what became of the reminders of a Session.
 */
import { Effect, Option, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import * as Instant from "../domain/Instant.ts"
import * as ScheduleHistory from "../domain/ScheduleHistory.ts"
import * as LogFile from "./LogFile.ts"
import * as Logs from "./Logs.ts"
import { print, refuse } from "./Output.ts"
import * as Style from "./Style.ts"
import * as Table from "./Table.ts"

type Told = ScheduleHistory.ScheduleHistory

const titles = ["ID", "KIND", "WHAT", "TARGET", "AT", "LATE", "LEFT OUT"]

/** Whole seconds, in days, hours, minutes and seconds. */
const duration = (seconds: number): string => {
  const [sign, all] = seconds < 0 ? ["-", -seconds] : ["", seconds]
  const parts = [
    [Math.floor(all / 86_400), "d"],
    [Math.floor(all / 3_600) % 24, "h"],
    [Math.floor(all / 60) % 60, "m"],
    [all % 60, "s"]
  ] as const
  const shown = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count}${unit}`)
  return sign + (shown.join(" ") || "0s")
}

const row = (...[what, target, at, late, leftOut]: ReadonlyArray<string>): ReadonlyArray<string> => [
  what ?? "",
  target ?? "",
  at ?? "",
  late ?? "",
  leftOut ?? ""
]

const occurrenceRow = ({ target, acceptedAt, lateSeconds, coalesced }: ScheduleHistory.Occurrence) =>
  row(
    Style.green("queued"),
    Instant.format(target),
    Instant.format(acceptedAt),
    duration(lateSeconds),
    coalesced === null ? "?" : String(coalesced)
  )

const lastRow = ({ state, target, endedAt }: Told): ReadonlyArray<ReadonlyArray<string>> => {
  if (target !== null) return [row("waits", Instant.format(target))]
  return state === "deleted" && endedAt !== null ? [row(Style.yellow("deleted"), "", Instant.format(endedAt))] : []
}

const rows = (told: Told): ReadonlyArray<ReadonlyArray<string>> =>
  [row("created", "", Instant.format(told.createdAt)), ...told.occurrences.map(occurrenceRow), ...lastRow(told)].map(
    (cells) => [Table.printable(told.id), told.kind, ...cells]
  )

const text = (histories: ReadonlyArray<Told>): string =>
  histories.length === 0 ? "No reminders." : Table.render(titles, histories.flatMap(rows))

const encode = Schema.encodeSync(Schema.Array(ScheduleHistory.ScheduleHistory))

/** One reminder's, or all. */
const chosen = (histories: ReadonlyArray<Told>, reminder: Option.Option<string>, session: string) => {
  if (Option.isNone(reminder)) return Effect.succeed(histories)
  const found = histories.filter(({ id }) => id === reminder.value)
  return found.length > 0
    ? Effect.succeed(found)
    : refuse("schedule_not_found", `The Session ${session} never had a reminder ${reminder.value} of its own.`)
}

const run = Effect.fnUntraced(function* ({
  session,
  id,
  ...place
}: Logs.Place & { readonly session: string; readonly id: Option.Option<string> }) {
  const name = yield* Logs.sessionId(session)
  const logs = yield* Logs.open(place)
  const { header, length, changes } = yield* logs.changes(name)
  const told = ScheduleHistory.of(changes, length, header.seedLength)
  const histories = yield* Effect.mapError(Effect.fromResult(told), LogFile.corrupt)
  const shown = yield* chosen(histories, id, session)
  yield* print(encode(shown), text(shown))
})

export const history = Command.make(
  "history",
  {
    session: Logs.sessionArgument,
    id: Argument.String("id").pipe(
      Argument.withDescription("One reminder, active or ended (default: all of the Session)"),
      Argument.optional
    ),
    ...Logs.flags
  },
  (flags) => Effect.scoped(run(flags))
).pipe(
  Command.withDescription(
    "Show what became of each reminder of a Session: when it was created, each message that was queued (its target, when " +
      "that was decided, how much later, and how many due occurrences it left out: ? where only zone data could tell), " +
      "and whether it still waits or was deleted. A fork shows none of its parent's. The Session does not become live."
  ),
  Command.withShortDescription("Show what became of reminders"),
  Command.withExamples([{ command: "session-schedule history demo schedule-1" }])
)
