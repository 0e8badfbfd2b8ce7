/**
 * `create`: a reminder in a Session of a running host.
 */
import { Effect, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { ScheduleView } from "../domain/ScheduleView.ts"
import * as Host from "./Host.ts"
import * as Input from "./Input.ts"
import { print } from "./Output.ts"
import * as ReminderTable from "./ReminderTable.ts"

export const create = Command.make(
  "create",
  {
    request: Argument.String("json").pipe(
      Argument.withDescription("The arguments of schedule_create, or - to read them from standard input")
    ),
    session: Host.sessionFlag,
    ...Host.flags
  },
  Effect.fnUntraced(function* ({ request, session, ...host }) {
    const payload = yield* Input.json(request)
    const view = yield* Host.ask(host, (client) => client.reminders.create({ params: { id: session }, payload }))
    yield* print(Schema.encodeSync(ScheduleView)(view), ReminderTable.render([view]))
  })
).pipe(
  Command.withDescription("Create a reminder in a Session, which becomes live."),
  Command.withShortDescription("Create a reminder"),
  Command.withExamples([
    { command: `session-schedule create --session demo '{"prompt":"Tea","after_seconds":300}'` },
    {
      command: `session-schedule create --session demo '{"prompt":"Stand up","daily":{"time":"09:00:00","time_zone":"Europe/Paris"}}'`
    }
  ])
)
