/**
 * Reminders that are acknowledged only once they are durable.
 */
import { Effect, Layer, Option, Schema } from "effect"
import { invalid, type Operation, PersistenceUncertain } from "../domain/ScheduleError.ts"
import * as ScheduleLog from "../domain/ScheduleLog.ts"
import { ScheduleId } from "../domain/ScheduleRecord.ts"
import * as ScheduleRequest from "../domain/ScheduleRequest.ts"
import { type DeleteResult, view } from "../domain/ScheduleView.ts"
import { Reminders } from "../services/Reminders.ts"
import { Scheduler } from "../services/Scheduler.ts"
import { Transactions, type Unconfirmed } from "../services/Transactions.ts"

const decodeId = (id: unknown) =>
  Effect.mapError(Schema.decodeUnknownEffect(ScheduleId)(id), () =>
    invalid("invalid_rule", 'id: write the id of a reminder as schedule_list shows it, such as "schedule-1"')
  )

const uncertain =
  (operation: Operation, id: () => ScheduleId | undefined) =>
  ({ stage, cause }: Unconfirmed): Effect.Effect<never, PersistenceUncertain> => {
    const known = id()
    const error = new PersistenceUncertain({ operation, ...(known === undefined ? {} : { id: known }) })
    return Effect.andThen(Effect.logWarning(`A ${operation} could not be confirmed (${stage})`, cause), error)
  }

export const make = Effect.gen(function* () {
  const transactions = yield* Transactions
  const scheduler = yield* Scheduler

  const create = Effect.fn("Reminders.create")(function* (input: unknown) {
    const request = yield* Effect.fromResult(ScheduleRequest.decode(input))
    let id: ScheduleId | undefined
    return yield* transactions
      .run((log, now) =>
        Effect.map(Effect.fromResult(ScheduleRequest.plan(request, ScheduleLog.nextId(log), now)), (schedule) => {
          id = schedule.id
          return { changes: [{ version: 1, operation: "create", schedule }], value: view(schedule, now) }
        })
      )
      .pipe(
        Effect.catchTag(
          "Unconfirmed",
          uncertain("create", () => id)
        ),
        Effect.ensuring(scheduler.wake)
      )
  })

  const list = transactions
    .run((log, now) =>
      Effect.succeed({ changes: [], value: ScheduleLog.active(log).map((record) => view(record, now)) })
    )
    .pipe(
      Effect.catchTag(
        "Unconfirmed",
        uncertain("list", () => undefined)
      ),
      Effect.ensuring(scheduler.wake),
      Effect.withSpan("Reminders.list")
    )

  const remove = Effect.fn("Reminders.delete")(function* (input: unknown) {
    const id = yield* decodeId(input)
    return yield* transactions
      .run<DeleteResult, never, never>((log) =>
        Effect.succeed(
          Option.isSome(ScheduleLog.get(log, id))
            ? { changes: [{ version: 1, operation: "delete", id }], value: { id, deleted: true } }
            : { changes: [], value: { id, deleted: false, code: "schedule_not_found" } }
        )
      )
      .pipe(
        Effect.catchTag(
          "Unconfirmed",
          uncertain("delete", () => id)
        ),
        Effect.ensuring(scheduler.wake)
      )
  })

  return Reminders.of({ create, list, delete: remove })
})

export const layer: Layer.Layer<Reminders, never, Transactions | Scheduler> = Layer.effect(Reminders, make)
