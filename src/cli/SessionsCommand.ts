/**
 * `sessions`: the Sessions of a running host, and `sessions create`: a new one.
 */
import { Effect, Option, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import * as Instant from "../domain/Instant.ts"
import { SessionHeader } from "../domain/Session.ts"
import { SessionSummary } from "../host/Sessions.ts"
import * as Host from "./Host.ts"
import { print } from "./Output.ts"
import * as Style from "./Style.ts"
import * as Table from "./Table.ts"

const titles = ["ID", "STATE", "REMINDERS", "NEXT", "CREATED"]

const row = ({ id, state, activeReminders, nextTarget, createdAt }: SessionSummary): ReadonlyArray<string> => [
  id,
  state === "live" ? Style.green(state) : state,
  activeReminders === null ? Style.red("corrupt") : String(activeReminders),
  nextTarget === null ? "-" : Instant.format(nextTarget),
  Instant.format(createdAt)
]

const text = (summaries: ReadonlyArray<SessionSummary>): string =>
  summaries.length === 0 ? "No Sessions." : Table.render(titles, summaries.map(row))

/** Which host is asked may be said before or after the subcommand. */
const base = Command.make("sessions").pipe(Command.withSharedFlags(Host.flags))

const create = Command.make(
  "create",
  {
    id: Argument.String("id").pipe(
      Argument.withDescription("Its name: letters, digits, '.', '_' and '-' (default: a new one)"),
      Argument.optional
    )
  },
  Effect.fnUntraced(function* ({ id }) {
    const host = yield* base
    const payload = Option.match(id, { onNone: () => ({}), onSome: (id) => ({ id }) })
    const header = yield* Host.ask(host, (client) => client.sessions.create({ payload }))
    yield* print(Schema.encodeSync(SessionHeader)(header), `Created ${header.id}.`)
  })
).pipe(
  Command.withDescription("Create a Session, live at once."),
  Command.withShortDescription("Create a Session"),
  Command.withExamples([{ command: "session-schedule sessions create demo" }])
)

const list = Effect.fnUntraced(function* (host: Host.Target) {
  const summaries = yield* Host.ask(host, (client) => client.sessions.list())
  yield* print(Schema.encodeSync(Schema.Array(SessionSummary))(summaries), text(summaries))
})

export const sessions = base.pipe(
  Command.withHandler(list),
  Command.withDescription(
    "List the Sessions of a host, live and cold, with their active reminders. None becomes live."
  ),
  Command.withShortDescription("List Sessions, or create one"),
  Command.withSubcommands([create])
)
