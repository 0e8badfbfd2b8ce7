/**
 * One look at what a Session's reminders ask for, and the doing of it.
 */
import { Cause, Effect } from "effect"
import * as Due from "../domain/Due.ts"
import * as FollowUp from "../domain/FollowUp.ts"
import type { CorruptScheduleLog } from "../domain/ScheduleError.ts"
import { AgentQueue, FollowUpError } from "../services/AgentQueue.ts"
import { Transactions, type Unconfirmed } from "../services/Transactions.ts"

/** Why nothing was delivered, or why that is not sure. */
export type DeliveryError = Unconfirmed | CorruptScheduleLog | FollowUpError

/** What there is to wait for; none if something was due, after which one must look again. */
export type Delivery = Effect.Effect<Due.Wait | undefined, DeliveryError>

export const make: Effect.Effect<Delivery, never, Transactions | AgentQueue> = Effect.gen(function* () {
  const transactions = yield* Transactions
  const agent = yield* AgentQueue
  let reported = false

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
  const send = transactions.run((log, now) => {
    const due = Due.decide(log, now)
    return due.kind === "wait"
      ? Effect.succeed({ changes: [], value: undefined })
      : Effect.as(queue(due), { changes: Due.dispatches(due), value: undefined })
  })

  const deliver = agent.awaitIdle.pipe(
    Effect.andThen(agent.maintain(send)),
    Effect.catchTag("AgentBusy", () => Effect.yieldNow)
  )

  return Effect.flatMap(look, (due) =>
    due.kind === "wait" ? Effect.succeed(due) : Effect.as(deliver, undefined)
  ).pipe(Effect.withSpan("Scheduler.delivery"))
})
