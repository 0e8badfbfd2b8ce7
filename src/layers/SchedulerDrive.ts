/**
 * An owner that exists only while there is something to do: a wake, or the alarm, forks a drive that delivers what is
 * due, sets the alarm to the next target, and ends.
 */
import { Cause, Effect, Layer } from "effect"
import type { Instant } from "../domain/Instant.ts"
import type { AgentQueue } from "../services/AgentQueue.ts"
import { Alarm, type AlarmHandle } from "../services/Alarm.ts"
import { Scheduler, type SchedulerStatus } from "../services/Scheduler.ts"
import { SessionLabel } from "../services/SessionLabel.ts"
import type { Transactions } from "../services/Transactions.ts"
import * as BackOff from "./BackOff.ts"
import * as Delivery from "./Delivery.ts"
import * as LogLabel from "./LogLabel.ts"
import * as OwnContext from "./OwnContext.ts"
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

/** All that a Session keeps while nothing is due: there may be 100,000 of them. */
interface State {
  readonly delivery: Delivery.Delivery
  readonly own: OwnContext.OwnContext
  readonly session: string | undefined
  alarm: AlarmHandle | undefined
  /** Made at the first failure. */
  backOff: BackOff.BackOff | undefined
  status: SchedulerStatus
  driving: boolean
  woken: boolean
}

const setAlarm = ({ alarm }: State, at: Instant | null): Effect.Effect<void> => alarm?.set(at) ?? Effect.void

const stop = (self: State, message: string, ...cause: ReadonlyArray<Cause.Cause<unknown>>): Effect.Effect<void> => {
  self.status = "faulted"
  return Effect.andThen(LogLabel.label(Effect.logError(message, ...cause), self.session), setAlarm(self, null))
}

const fault = (self: State, cause: Cause.Cause<unknown>): Effect.Effect<void> =>
  stop(self, "Reminders stopped for this Session; reopen it to go on", cause)

const wait = Effect.fnUntraced(function* (self: State) {
  const backOff = (self.backOff ??= yield* BackOff.make)
  yield* backOff.wait(() => self.woken)
})

const tryAgain = (self: State, error: Delivery.DeliveryError): Effect.Effect<void> =>
  Effect.andThen(
    LogLabel.label(Effect.logWarning("A reminder could not be delivered yet", error), self.session),
    wait(self)
  )

/** After a message was queued, an append that may have failed could send it twice; the rest is safe to try again. */
const recover = (self: State, error: Delivery.DeliveryError): Effect.Effect<boolean> => {
  if (error._tag === "CorruptScheduleLog") {
    return Effect.as(stop(self, `Reminders stopped for this Session. ${error.message}`), true)
  }
  return error._tag === "Unconfirmed" && error.stage === "append"
    ? Effect.as(fault(self, Cause.fail(error)), true)
    : Effect.as(tryAgain(self, error), false)
}

/** Whether there is nothing more to do until the alarm rings, or for ever. */
const pass = (self: State): Effect.Effect<boolean> =>
  Delivery.attempt(self.delivery).pipe(
    Effect.flatMap((wait) => {
      if (wait === undefined) return Effect.succeed(false)
      self.backOff?.reset()
      return Effect.as(setAlarm(self, wait.until), true)
    }),
    Effect.tapError((error) => ScheduleMetrics.undelivered(codeOf(error))),
    Effect.catch((error) => recover(self, error))
  )

const drive = (self: State): Effect.Effect<void> =>
  Effect.gen(function* () {
    let settled = false
    while (!settled) {
      self.woken = false
      settled = (yield* pass(self)) && (!self.woken || self.status === "faulted")
    }
    self.driving = false
  }).pipe(Effect.catchCause((cause) => fault(self, cause)))

const wake = (self: State): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (self.status === "faulted") return Effect.void
    self.woken = true
    self.backOff?.rouse()
    if (self.driving) return Effect.void
    self.driving = true
    return OwnContext.fork(self.own, drive(self))
  })

export const make = Effect.gen(function* () {
  const self: State = {
    delivery: yield* Delivery.make,
    own: yield* OwnContext.make,
    session: yield* SessionLabel,
    alarm: undefined,
    backOff: undefined,
    status: "running",
    driving: false,
    woken: false
  }
  const woken = wake(self)
  self.alarm = yield* Effect.flatMap(Alarm, (alarms) => alarms.make(woken))
  yield* OwnContext.atEnd(self.own, () => setAlarm(self, null))
  yield* woken
  return Scheduler.of({ wake: woken, status: Effect.sync(() => self.status), peek: () => self.status })
})

export const layer: Layer.Layer<Scheduler, never, Transactions | AgentQueue | Alarm> = Layer.effect(Scheduler, make)
