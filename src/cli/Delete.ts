/**
 * `delete`: ends a reminder of a Session of a running host.
 */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import * as Host from "./Host.ts"
import { print } from "./Output.ts"
import * as Table from "./Table.ts"

export const remove = Command.make(
  "delete",
  {
    id: Argument.String("id").pipe(Argument.withDescription("The reminder, as list shows it")),
    session: Host.sessionFlag,
    ...Host.flags
  },
  Effect.fnUntraced(function* ({ id, session, ...host }) {
    const params = { id: session, scheduleId: id }
    const result = yield* Host.ask(host, (client) => client.reminders.delete({ params }))
    const shown = Table.printable(result.id)
    yield* print(result, result.deleted ? `Deleted ${shown}.` : `There is no active reminder ${shown}.`)
  })
).pipe(
  Command.withDescription("Delete a reminder of a Session, which becomes live. One that has ended is no failure."),
  Command.withShortDescription("Delete a reminder")
)
