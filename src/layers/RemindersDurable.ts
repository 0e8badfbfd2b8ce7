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

/** What is known of a call's reminder, for the caller who can't be told more. */
interface Call {
  readonly operation: Operation
  id?: ScheduleId
}

const uncertain = ({ operation, id }: Call, { stage, cause }: Unconfirmed) =>
  Effect.andThen(
    Effect.logWarning(`A ${operation} could not be confirmed (${stage})`, cause),
    new PersistenceUncertain({ operation, ...(id === undefined ? {} : { id }) })
  )

export const make = Effect.gen(function* () {
  const transactions = yield* Transactions
  const scheduler = yield* Scheduler

  /** Whatever became of the call, the owner looks again: a barrier was passed, or something may have changed. */
  const settled = <A, E>(call: Call, run: Effect.Effect<A, E | Unconfirmed>) =>
    run.pipe(
      Effect.catchTag("Unconfirmed", (unconfirmed) => uncertain(call, unconfirmed as Unconfirmed)),
      Effect.ensuring(scheduler.wake)
    )

  const create = Effect.fn("Reminders.create")(function* (input: unknown) {
    const request = yield* Effect.fromResult(ScheduleRequest.decode(input))
    const call: Call = { operation: "create" }
    const plan = transactions.run((log, now) =>
      Effect.map(Effect.fromResult(ScheduleRequest.plan(request, ScheduleLog.nextId(log), now)), (schedule) => {
        call.id = schedule.id
        return { changes: [{ version: 1, operation: "create", schedule }], value: view(schedule, now) }
      })
    )
    return yield* settled(call, plan)
  })

  const list = settled(
    { operation: "list" },
    transactions.run((log, now) =>
      Effect.succeed({ changes: [], value: ScheduleLog.active(log).map((record) => view(record, now)) })
    )
  ).pipe(Effect.withSpan("Reminders.list"))

  const remove = Effect.fn("Reminders.delete")(function* (input: unknown) {
    const id = yield* decodeId(input)
    const end = transactions.run<DeleteResult, never, never>((log) =>
      Effect.succeed(
        Option.isSome(ScheduleLog.get(log, id))
          ? { changes: [{ version: 1, operation: "delete", id }], value: { id, deleted: true } }
          : { changes: [], value: { id, deleted: false, code: "schedule_not_found" } }
      )
    )
    return yield* settled({ operation: "delete", id }, end)
  })

  return Reminders.of({ create, list, delete: remove })
})

export const layer: Layer.Layer<Reminders, never, Transactions | Scheduler> = Layer.effect(Reminders, make)
