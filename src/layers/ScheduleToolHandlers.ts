/**
 * The three tools, answered by one Session's reminders.
 */
import { Effect } from "effect"
import { Reminders } from "../services/Reminders.ts"
import { ScheduleTools } from "../services/ScheduleTools.ts"
import { answer } from "./Answer.ts"

/** The id in arguments of `schedule_delete`, whatever shape they have. */
export const idOf = (input: unknown): unknown => (Object(input) as { readonly id?: unknown }).id

export const make = Effect.map(Reminders, (reminders) =>
  ScheduleTools.of({
    schedule_create: (input) => answer(reminders.create(input)),
    schedule_list: () => answer(reminders.list),
    schedule_delete: (input) => answer(reminders.delete(idOf(input)))
  })
)

export const layer = ScheduleTools.toLayer(make)
