/**
 * `sessions`: the Sessions of a running host.
 */
import { Effect, Schema } from "effect"
import { Command } from "effect/cli"
import * as Instant from "../domain/Instant.ts"
import { SessionSummary } from "../host/Sessions.ts"
import * as Host from "./Host.ts"
import { print } from "./Output.ts"
import * as Table from "./Table.ts"

const titles = ["ID", "STATE", "REMINDERS", "NEXT", "CREATED"]

const row = ({ id, state, activeReminders, nextTarget, createdAt }: SessionSummary): ReadonlyArray<string> => [
  id,
  state,
  activeReminders === null ? "corrupt" : String(activeReminders),
  nextTarget === null ? "-" : Instant.format(nextTarget),
  Instant.format(createdAt)
]

const text = (summaries: ReadonlyArray<SessionSummary>): string =>
  summaries.length === 0 ? "No Sessions." : Table.render(titles, summaries.map(row))

export const sessions = Command.make(
  "sessions",
  { url: Host.urlFlag },
  Effect.fnUntraced(function* ({ url }) {
    const summaries = yield* Host.ask(url, (client) => client.sessions.list())
    yield* print(Schema.encodeSync(Schema.Array(SessionSummary))(summaries), text(summaries))
  })
).pipe(
  Command.withDescription(
    "List the Sessions of a host, live and cold, with their active reminders. None becomes live."
  ),
  Command.withShortDescription("List Sessions")
)
