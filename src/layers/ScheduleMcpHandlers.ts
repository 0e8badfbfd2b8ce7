/**
 * The tools of MCP, answered by the reminders of the Session that a call is about.
 */
import { Effect } from "effect"
import { CalledReminders, ScheduleMcpTools } from "../services/ScheduleMcpTools.ts"
import { answer } from "./Answer.ts"
import { idOf } from "./ScheduleToolHandlers.ts"

export const layer = ScheduleMcpTools.toLayer(
  ScheduleMcpTools.of({
    schedule_create: (input) => Effect.flatMap(CalledReminders, (reminders) => reminders.create(input)),
    schedule_list: () =>
      Effect.flatMap(CalledReminders, ({ list }) => Effect.map(list, (reminders) => ({ reminders }))),
    schedule_delete: (input) =>
      Effect.flatMap(CalledReminders, (reminders) => Effect.flatMap(answer(idOf(input)), reminders.delete))
  })
)
