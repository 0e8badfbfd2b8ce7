/**
 * The RPC of the three tools, answered by the reminders of the Session that a call names.
 */
import { Effect } from "effect"
import type { ScheduleError } from "../domain/ScheduleError.ts"
import type { Reminders } from "../services/Reminders.ts"
import { RemindersBySession, ScheduleRpc } from "../services/ScheduleRpc.ts"
import { answer } from "./Answer.ts"
import * as LogLabel from "./LogLabel.ts"

export const make = Effect.map(RemindersBySession, (sessions) => {
  const call = <A>(session: unknown, use: (reminders: Reminders["Service"]) => Effect.Effect<A, ScheduleError>) =>
    Effect.flatMap(sessions.get(session), (reminders) =>
      LogLabel.label(answer(use(reminders)), typeof session === "string" ? session : undefined)
    )

  return ScheduleRpc.of({
    schedule_create: ({ session, input }) => call(session, (reminders) => reminders.create(input)),
    schedule_list: ({ session }) => call(session, (reminders) => reminders.list),
    schedule_delete: ({ session, id }) => call(session, (reminders) => reminders.delete(id))
  })
})

export const layer = ScheduleRpc.toLayer(make)
