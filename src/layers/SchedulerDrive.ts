/**
 * An owner that exists only while there is something to do: a wake, or the alarm, forks a drive that looks, delivers
 * what is due, sets the alarm to the next target, and ends.
 */
import { Cause, type Context, Deferred, Effect, Exit, Layer, Random } from "effect"
import * as Due from "../domain/Due.ts"
import * as FollowUp from "../domain/FollowUp.ts"
import type { CorruptScheduleLog } from "../domain/ScheduleError.ts"
import { AgentQueue, FollowUpError } from "../services/AgentQueue.ts"
import { Alarm } from "../services/Alarm.ts"
import { RetryDelay, Scheduler, type SchedulerStatus } from "../services/Scheduler.ts"
import { Transactions, type Unconfirmed } from "../services/Transactions.ts"

/** Whether a pass of the drive found nothing more to do, or must be followed by another. */
type Outcome = "settled" | "more"
type DriveError = Unconfirmed | CorruptScheduleLog | FollowUpError

export const make = Effect.gen(function* () {
  const transactions = yield* Transactions
  const agent = yield* AgentQueue
  const alarms = yield* Alarm
  const retryDelay = yield* RetryDelay
  const scope = yield* Effect.scope
  const own = yield* Effect.context<never>()

  let status: SchedulerStatus = "running"
  let driving = false
  let woken = false
  let failures = 0
  let reported = false
  let activity: Deferred.Deferred<void> | undefined

  const wake: Effect.Effect<void> = Effect.suspend(() => {
    if (status === "faulted") return Effect.void
    woken = true
    if (activity !== undefined) Deferred.doneUnsafe(activity, Exit.void)
    if (driving) return Effect.void
    driving = true
    // In the Session's own context: a drive must not run inside the span or the database transaction of who woke it.
    return Effect.asVoid(
      Effect.forkIn(
        Effect.updateContext(drive, (_: Context.Context<never>) => own),
        scope
      )
    )
  })
  const alarm = yield* alarms.make(wake)
  yield* Effect.addFinalizer(() => alarm.set(null))

  const look = Effect.gen(function* () {
    const { due, stuck } = yield* transactions.run((log, now) =>
      Effect.succeed({ changes: [], value: { due: Due.decide(log, now), stuck: reported ? [] : Due.stuck(log) } })
    )
    reported = true
    for (const { id } of stuck) yield* Effect.logWarning(`${id} can't fire: this runtime does not know its time zone`)
    return due
  })

  const queue = (due: Due.Send): Effect.Effect<void, FollowUpError> =>
    Effect.suspend(() => agent.followUp(FollowUp.build(due))).pipe(
      Effect.catchCause((cause) => Effect.fail(new FollowUpError({ cause: Cause.squash(cause) })))
    )

  // Decided again from the start: between the look and the claim anything may have changed.
  const deliver = transactions.run((log, now) => {
    const due = Due.decide(log, now)
    return due.kind === "wait"
      ? Effect.succeed({ changes: [], value: undefined })
      : Effect.as(queue(due), { changes: Due.dispatches(due), value: undefined })
  })

  const settle = ({ until }: Due.Wait): Effect.Effect<Outcome> => {
    failures = 0
    return Effect.as(alarm.set(until), "settled" as const)
  }

  const pass: Effect.Effect<Outcome, DriveError> = Effect.flatMap(look, (due) =>
    due.kind === "wait"
      ? settle(due)
      : agent.awaitIdle.pipe(
          Effect.andThen(agent.maintain(deliver)),
          Effect.catchTag("AgentBusy", () => Effect.yieldNow),
          Effect.as("more" as const)
        )
  ).pipe(Effect.withSpan("Scheduler.pass"))

  const fault = (cause: Cause.Cause<unknown>): Effect.Effect<Outcome> => {
    status = "faulted"
    return Effect.logError("Reminders stopped for this Session; reopen it to go on", cause).pipe(
      Effect.andThen(alarm.set(null)),
      Effect.as("settled" as const)
    )
  }

  const backOff = Effect.fnUntraced(function* (error: DriveError): Effect.fn.Return<Outcome> {
    const longest = Math.min(retryDelay.firstMillis * 2 ** failures++, retryDelay.longestMillis)
    const millis = longest * (0.5 + (yield* Random.next) / 2)
    yield* Effect.logWarning("A reminder could not be delivered yet", error)
    if (woken) return "more"
    const roused = (activity = yield* Deferred.make<void>())
    yield* Effect.timeoutOption(Deferred.await(roused), millis)
    activity = undefined
    return "more"
  })

  /** After a message was queued, an append that may have failed could send it twice; the rest is safe to try again. */
  const recover = (error: DriveError): Effect.Effect<Outcome> =>
    error._tag === "CorruptScheduleLog" || (error._tag === "Unconfirmed" && error.stage === "append")
      ? fault(Cause.fail(error))
      : backOff(error)

  const drive: Effect.Effect<void> = Effect.gen(function* () {
    while (status === "running") {
      woken = false
      const outcome = yield* Effect.catch(pass, recover)
      if (outcome === "settled" && !woken) break
    }
    driving = false
  }).pipe(Effect.catchCause(fault))

  yield* wake
  return Scheduler.of({ wake, status: Effect.sync(() => status) })
})

export const layer: Layer.Layer<Scheduler, never, Transactions | AgentQueue | Alarm> = Layer.effect(Scheduler, make)
