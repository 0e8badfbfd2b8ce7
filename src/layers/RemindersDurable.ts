/**
 * Reminders that are acknowledged only once they are durable.
 */
import { Effect, Layer, Option, Schema } from "effect"
import * as Instant from "../domain/Instant.ts"
import { invalid, type Operation, PersistenceUncertain, type ScheduleError } from "../domain/ScheduleError.ts"
import * as ScheduleLog from "../domain/ScheduleLog.ts"
import { ScheduleId } from "../domain/ScheduleRecord.ts"
import * as ScheduleRequest from "../domain/ScheduleRequest.ts"
import { type DeleteResult, view } from "../domain/ScheduleView.ts"
import { Reminders } from "../services/Reminders.ts"
import { Scheduler } from "../services/Scheduler.ts"
import { SessionLabel } from "../services/SessionLabel.ts"
import { Transactions, type Unconfirmed } from "../services/Transactions.ts"
import * as LogLabel from "./LogLabel.ts"
import * as ScheduleMetrics from "./ScheduleMetrics.ts"
import * as Spans from "./Spans.ts"

const decodeId = (id: unknown) =>
  Effect.mapError(Schema.decodeUnknownEffect(ScheduleId)(id), () =>
    invalid("invalid_rule", 'id: write the id of a reminder as schedule_list shows it, such as "schedule-1"')
  )

/** What is known of a call's reminder, for the caller who can't be told more. */
interface Call {
  readonly operation: Operation
  id?: ScheduleId
  /** Whether there is such a reminder; else the id may be any text, and is none for the log output. */
  isKnown?: boolean
}

const uncertain = ({ operation, id, isKnown }: Call, { stage, cause }: Unconfirmed, session: string | undefined) =>
  Effect.andThen(
    LogLabel.label(
      Effect.logWarning(`A ${operation} could not be confirmed (${stage})`, cause),
      session,
      isKnown === true ? id : undefined
    ),
    new PersistenceUncertain({ operation, ...(id === undefined ? {} : { id }) })
  )

/** What the calls of one Session need. */
interface State {
  readonly transactions: Transactions["Service"]
  readonly scheduler: Scheduler["Service"]
  readonly session: string | undefined
}

const observed = <A, E extends ScheduleError>({ session }: State, operation: Operation, call: Effect.Effect<A, E>) =>
  Spans.within(ScheduleMetrics.counted(operation, call), `Reminders.${operation}`, { session })

/** Whatever became of the call, the owner looks again: a barrier was passed, or something may have changed. */
const settled = <A, E>({ scheduler, session }: State, call: Call, run: Effect.Effect<A, E | Unconfirmed>) =>
  run.pipe(
    Effect.catchTag("Unconfirmed", (unconfirmed) => uncertain(call, unconfirmed as Unconfirmed, session)),
    Effect.ensuring(scheduler.wake)
  )

const create = Effect.fnUntraced(function* (self: State, input: unknown) {
  const request = yield* Effect.fromResult(ScheduleRequest.decode(input))
  const call: Call = { operation: "create" }
  const plan = self.transactions.run((log, now) =>
    Effect.map(Effect.fromResult(ScheduleRequest.plan(request, ScheduleLog.nextId(log), now)), (schedule) => {
      call.id = schedule.id
      call.isKnown = true
      return { changes: [{ version: 1, operation: "create", schedule }], value: view(schedule, now) }
    })
  )
  const created = yield* settled(self, call, plan)
  yield* Spans.annotate(() => ({
    schedule_id: created.id,
    kind: created.kind,
    scheduled_at: Instant.format(created.scheduledAt)
  }))
  return created
})

const list = (self: State) =>
  settled(
    self,
    { operation: "list" },
    self.transactions.run((log, now) =>
      Effect.succeed({ changes: [], value: ScheduleLog.active(log).map((record) => view(record, now)) })
    )
  )

const remove = Effect.fnUntraced(function* (self: State, input: unknown) {
  const id = yield* decodeId(input)
  const call: Call = { operation: "delete", id }
  const end = self.transactions.run<DeleteResult, never, never>((log) => {
    call.isKnown = Option.isSome(ScheduleLog.get(log, id))
    return Effect.succeed(
      call.isKnown
        ? { changes: [{ version: 1, operation: "delete", id }], value: { id, deleted: true } }
        : { changes: [], value: { id, deleted: false, code: "schedule_not_found" } }
    )
  })
  const ended = yield* settled(self, call, end)
  if (ended.deleted) yield* Spans.annotate(() => ({ schedule_id: id }))
  return ended
})

export const make = Effect.gen(function* () {
  const self: State = {
    transactions: yield* Transactions,
    scheduler: yield* Scheduler,
    session: yield* SessionLabel
  }
  return Reminders.of({
    create: (input) => observed(self, "create", create(self, input)),
    list: Effect.suspend(() => observed(self, "list", list(self))),
    delete: (id) => observed(self, "delete", remove(self, id))
  })
})

export const layer: Layer.Layer<Reminders, never, Transactions | Scheduler> = Layer.effect(Reminders, make)
