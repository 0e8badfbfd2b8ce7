/**
 * An owner that exists only while there is something to do: a wake, or the alarm, forks a drive that delivers what is
 * due, sets the alarm to the next target, and ends.
 */
import { Cause, type Context, Effect, Layer } from "effect"
import type { AgentQueue } from "../services/AgentQueue.ts"
import { Alarm } from "../services/Alarm.ts"
import { Scheduler, type SchedulerStatus } from "../services/Scheduler.ts"
import { SessionLabel } from "../services/SessionLabel.ts"
import type { Transactions } from "../services/Transactions.ts"
import * as BackOff from "./BackOff.ts"
import * as Delivery from "./Delivery.ts"
import * as LogLabel from "./LogLabel.ts"
import * as ScheduleMetrics from "./ScheduleMetrics.ts"

const codeOf = (error: Delivery.DeliveryError): ScheduleMetrics.DeliveryCode => {
  switch (error._tag) {
    case "CorruptScheduleLog":
      return "corrupt_schedule_log"
    case "Unconfirmed":
      return "persistence_uncertain"
    case "FollowUpError":
      return "follow_up_failed"
  }
}

export const make = Effect.gen(function* () {
  const delivery = yield* Delivery.make
  const backOff = yield* BackOff.make
  const alarms = yield* Alarm
  const scope = yield* Effect.scope
  const session = yield* SessionLabel
  const own = yield* Effect.context<never>()

  let status: SchedulerStatus = "running"
  let driving = false
  let woken = false

  const wake: Effect.Effect<void> = Effect.suspend(() => {
    if (status === "faulted") return Effect.void
    woken = true
    backOff.rouse()
    if (driving) return Effect.void
    driving = true
    // In the Session's own context: a drive must not run inside the span or the database transaction of who woke it.
    const detached = Effect.updateContext(drive, (_: Context.Context<never>) => own)
    return Effect.asVoid(Effect.forkIn(detached, scope))
  })
  const alarm = yield* alarms.make(wake)
  yield* Effect.addFinalizer(() => alarm.set(null))

  const stop = (message: string, ...cause: ReadonlyArray<Cause.Cause<unknown>>): Effect.Effect<void> => {
    status = "faulted"
    return Effect.andThen(LogLabel.label(Effect.logError(message, ...cause), session), alarm.set(null))
  }
  const fault = (cause: Cause.Cause<unknown>): Effect.Effect<void> =>
    stop("Reminders stopped for this Session; reopen it to go on", cause)

  const tryAgain = (error: Delivery.DeliveryError): Effect.Effect<void> =>
    Effect.andThen(
      LogLabel.label(Effect.logWarning("A reminder could not be delivered yet", error), session),
      backOff.wait(() => woken)
    )

  /** After a message was queued, an append that may have failed could send it twice; the rest is safe to try again. */
  const recover = (error: Delivery.DeliveryError): Effect.Effect<boolean> => {
    if (error._tag === "CorruptScheduleLog") {
      return Effect.as(stop(`Reminders stopped for this Session. ${error.message}`), true)
    }
    return error._tag === "Unconfirmed" && error.stage === "append"
      ? Effect.as(fault(Cause.fail(error)), true)
      : Effect.as(tryAgain(error), false)
  }

  /** Whether there is nothing more to do until the alarm rings, or for ever. */
  const pass: Effect.Effect<boolean> = delivery.pipe(
    Effect.flatMap((wait) => {
      if (wait === undefined) return Effect.succeed(false)
      backOff.reset()
      return Effect.as(alarm.set(wait.until), true)
    }),
    Effect.tapError((error) => ScheduleMetrics.undelivered(codeOf(error))),
    Effect.catch((error) => recover(error))
  )

  const drive: Effect.Effect<void> = Effect.gen(function* () {
    let settled = false
    while (!settled) {
      woken = false
      settled = (yield* pass) && (!woken || status === "faulted")
    }
    driving = false
  }).pipe(Effect.catchCause(fault))

  yield* wake
  return Scheduler.of({ wake, status: Effect.sync(() => status), peek: () => status })
})

export const layer: Layer.Layer<Scheduler, never, Transactions | AgentQueue | Alarm> = Layer.effect(Scheduler, make)
