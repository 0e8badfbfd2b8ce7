/**
 * The front door: create, list and delete the reminders of one live Session.
 */
import { Context, type Effect } from "effect"
import type { CorruptScheduleLog, PersistenceUncertain, ScheduleError } from "../domain/ScheduleError.ts"
import type { DeleteResult, ScheduleView } from "../domain/ScheduleView.ts"

export class Reminders extends Context.Service<
  Reminders,
  {
    /** Creates a reminder from `schedule_create` arguments of any shape; a refused input changes nothing. */
    create(input: unknown): Effect.Effect<ScheduleView, ScheduleError>
    /** All active reminders, in the order of their creation. */
    readonly list: Effect.Effect<ReadonlyArray<ScheduleView>, CorruptScheduleLog | PersistenceUncertain>
    /** Ends a reminder unsent. An unknown or ended id is an answer; an empty or padded one is `invalid_rule`. */
    delete(id: unknown): Effect.Effect<DeleteResult, ScheduleError>
  }
>()("effect-session-schedule/Reminders") {}
