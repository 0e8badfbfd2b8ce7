/**
 * The three tools, answered by one Session's reminders.
 */
import { Effect, Predicate } from "effect"
import * as Quote from "../domain/Quote.ts"
import { invalid, type InvalidRequest } from "../domain/ScheduleError.ts"
import { Reminders } from "../services/Reminders.ts"
import { ScheduleTools } from "../services/ScheduleTools.ts"
import { answer } from "./Answer.ts"

/**
 * The id in arguments of `schedule_delete`, whatever shape they have. What else they hold is refused, since it may ask for
 * what would not be done; a list changes nothing, and so takes whatever some clients send where there is nothing to say.
 */
export const idOf = (input: unknown): Effect.Effect<unknown, InvalidRequest> => {
  const { id, ...others }: { readonly id?: unknown } = Predicate.isObject(input) ? input : {}
  const [other] = Object.keys(others)
  return other === undefined
    ? Effect.succeed(id)
    : Effect.fail(
        invalid("invalid_rule", `${Quote.quote(other)}: leave it out; schedule_delete takes nothing but the id`)
      )
}

export const make = Effect.map(Reminders, (reminders) =>
  ScheduleTools.of({
    schedule_create: (input) => answer(reminders.create(input)),
    schedule_list: () => answer(reminders.list),
    schedule_delete: (input) => answer(Effect.flatMap(idOf(input), reminders.delete))
  })
)

export const layer = ScheduleTools.toLayer(make)
