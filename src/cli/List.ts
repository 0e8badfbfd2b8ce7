/**
 * `list`: the active reminders of a Session of a running host.
 */
import { Effect, Schema } from "effect"
import { Command } from "effect/cli"
import { ScheduleView } from "../domain/ScheduleView.ts"
import * as Host from "./Host.ts"
import { print } from "./Output.ts"
import * as ReminderTable from "./ReminderTable.ts"

export const list = Command.make(
  "list",
  { session: Host.sessionFlag, ...Host.flags },
  Effect.fnUntraced(function* ({ session, ...host }) {
    const views = yield* Host.ask(host, (client) => client.reminders.list({ params: { id: session } }))
    yield* print(Schema.encodeSync(Schema.Array(ScheduleView))(views), ReminderTable.render(views))
  })
).pipe(
  Command.withDescription(
    "List the active reminders of a Session, which becomes live, in the order of their creation."
  ),
  Command.withShortDescription("List reminders")
)
