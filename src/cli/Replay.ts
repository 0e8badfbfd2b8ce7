/**
 * `replay`: what a Session's log says, without a server.
 */
import { Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Due from "../domain/Due.ts"
import * as Instant from "../domain/Instant.ts"
import * as ScheduleLog from "../domain/ScheduleLog.ts"
import { ScheduleId } from "../domain/ScheduleRecord.ts"
import { ScheduleView, view } from "../domain/ScheduleView.ts"
import * as Input from "./Input.ts"
import * as LogFile from "./LogFile.ts"
import { print } from "./Output.ts"
import * as PathName from "./PathName.ts"
import * as ReminderTable from "./ReminderTable.ts"

/** What would be done now, without the messages that would say it. */
const Decision = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("wait"), until: Schema.NullOr(Instant.Instant) }),
  Schema.Struct({ kind: Schema.Literal("one-shot"), id: ScheduleId, occurrenceAt: Instant.Instant }),
  Schema.Struct({
    kind: Schema.Literal("batch"),
    acceptedAt: Instant.Instant,
    reminders: Schema.Array(
      Schema.Struct({
        id: ScheduleId,
        occurrenceAt: Instant.Instant,
        nextScheduledAt: Schema.NullOr(Instant.Instant)
      })
    )
  })
])
type Decision = typeof Decision.Type

const Replayed = Schema.Struct({
  active: Schema.Array(ScheduleView),
  seenIds: Schema.Array(ScheduleId),
  due: Decision
})
type Replayed = typeof Replayed.Type

const decision = (due: Due.Due): Decision => {
  switch (due.kind) {
    case "wait":
      return due
    case "one-shot":
      return { kind: "one-shot", id: due.record.id, occurrenceAt: due.record.scheduledAt }
    case "batch": {
      const { kind, acceptedAt } = due
      const reminders = due.reminders.map(({ record, ...times }) => ({ id: record.id, ...times }))
      return { kind, acceptedAt, reminders }
    }
  }
}

const sentence = (due: Decision): string => {
  switch (due.kind) {
    case "wait":
      return due.until === null ? "Nothing waits." : `Nothing is due until ${Instant.format(due.until)}.`
    case "one-shot":
      return `Due now: ${due.id}.`
    case "batch":
      return `Due now, together: ${due.reminders.map(({ id }) => id).join(", ")}.`
  }
}

const text = ({ active, due }: Replayed): string => `${ReminderTable.render(active)}\n${sentence(due)}`

const seedLengthOf = ({ header }: LogFile.LogFile, given: Option.Option<number>): number =>
  Option.getOrElse(given, () => Option.getOrUndefined(header)?.seedLength ?? 0)

export const replay = Command.make(
  "replay",
  {
    file: PathName.argument("file").pipe(Argument.withDescription("A log as JSON Lines, or - for standard input")),
    now: Input.nowFlag,
    seedLength: Flag.Int("seed-length").pipe(
      Flag.withDescription(
        "How many events at its start belong to a fork's parent (default: as the header says, or 0)"
      ),
      Flag.optional
    )
  },
  Effect.fnUntraced(function* ({ file, now, seedLength }) {
    const read = yield* LogFile.read(Input.bytes(file))
    const log = yield* Effect.mapError(
      Effect.fromResult(ScheduleLog.fold(read.events, seedLengthOf(read, seedLength))),
      LogFile.corrupt
    )
    const at = yield* Input.now(now)
    const replayed = {
      active: ScheduleLog.active(log).map((record) => view(record, at)),
      seenIds: ScheduleLog.seenIds(log),
      due: decision(Due.decide(log, at))
    }
    yield* print(Schema.encodeSync(Replayed)(replayed), text(replayed))
  })
).pipe(
  Command.withDescription(
    'Fold a log of JSON Lines, { "seq", "at", "type", "data" } each, after an optional first { "header" }, and show its ' +
      "active reminders, every id ever used, and what would be done now."
  ),
  Command.withShortDescription("Show what a Session's log says")
)
