/**
 * One look at what a Session's reminders ask for, and the doing of it.
 */
import { Cause, Effect, Exit, Option } from "effect"
import * as Due from "../domain/Due.ts"
import * as FollowUp from "../domain/FollowUp.ts"
import * as Instant from "../domain/Instant.ts"
import type { CorruptScheduleLog } from "../domain/ScheduleError.ts"
import { AgentQueue, FollowUpError } from "../services/AgentQueue.ts"
import { SessionLabel } from "../services/SessionLabel.ts"
import { Transactions, type Unconfirmed } from "../services/Transactions.ts"
import * as LogLabel from "./LogLabel.ts"
import * as ScheduleMetrics from "./ScheduleMetrics.ts"
import * as Spans from "./Spans.ts"

/** Why nothing was delivered, or why that is not sure. */
export type DeliveryError = Unconfirmed | CorruptScheduleLog | FollowUpError

/** What one Session's deliveries need. */
export interface Delivery {
  readonly transactions: Transactions["Service"]
  readonly agent: AgentQueue["Service"]
  readonly session: string | undefined
  /** Whether the reminders that can never fire here were told of. */
  reported: boolean
}

/** What a span tells of a message: which reminders, and for when. */
const told = (send: Due.Send): Spans.Attributes => {
  const occurrences = Due.occurrences(send)
  return {
    schedule_id: Spans.oneOrAll(occurrences.map(({ record }) => record.id)),
    occurrence_at: Spans.oneOrAll(occurrences.map(({ occurrenceAt }) => Instant.format(occurrenceAt))),
    accepted_at: Instant.format(send.acceptedAt)
  }
}

const queued = (send: Due.Send, isDispatched: boolean): Effect.Effect<void> =>
  Effect.andThen(
    Spans.annotate(() => told(send)),
    isDispatched ? ScheduleMetrics.dispatched(send) : Effect.void
  )

/** Whether the dispatch is in the log; where its barrier failed, a later one completes it. */
const isDispatched = (exit: Exit.Exit<unknown, DeliveryError>): boolean =>
  Exit.isSuccess(exit) ||
  Option.exists(Exit.findErrorOption(exit), (error) => error._tag === "Unconfirmed" && error.stage === "after")

export const make: Effect.Effect<Delivery, never, Transactions | AgentQueue> = Effect.gen(function* () {
  return {
    transactions: yield* Transactions,
    agent: yield* AgentQueue,
    session: yield* SessionLabel,
    reported: false
  }
})

const look = Effect.fnUntraced(function* (self: Delivery) {
  const { due, stuck } = yield* self.transactions.look((log, now) => ({
    due: Due.decide(log, now),
    stuck: self.reported ? [] : Due.stuck(log)
  }))
  self.reported = true
  for (const { id } of stuck) {
    const warning = Effect.logWarning(`${id} can't fire: this runtime does not know its time zone`)
    yield* LogLabel.label(warning, self.session, id)
  }
  return due
})

const queue = (agent: AgentQueue["Service"], due: Due.Send): Effect.Effect<void, FollowUpError> =>
  Effect.suspend(() => agent.followUp(FollowUp.build(due))).pipe(
    Effect.catchCause((cause) => Effect.fail(new FollowUpError({ cause: Cause.squash(cause) })))
  )

/** Decided again from the start: between the look and the claim anything may have changed. */
const send = ({ transactions, agent }: Delivery) =>
  Effect.suspend(() => {
    let sent: Due.Send | undefined
    const transaction = transactions.run((log, now) => {
      const due = Due.decide(log, now)
      if (due.kind === "wait") return Effect.succeed({ changes: [], value: undefined })
      return Effect.map(queue(agent, due), () => {
        sent = due
        return { changes: Due.dispatches(due), value: undefined }
      })
    })
    return Effect.onExit(transaction, (exit) => (sent === undefined ? Effect.void : queued(sent, isDispatched(exit))))
  })

const deliver = (self: Delivery) =>
  Spans.within(
    self.agent.awaitIdle.pipe(
      Effect.andThen(self.agent.maintain(send(self))),
      Effect.catchTag("AgentBusy", () => Effect.yieldNow)
    ),
    "Scheduler.delivery",
    { session: self.session, span: { root: true } }
  )

/** Delivers what is due. What there is to wait for; none if something was due, after which one must look again. */
export const attempt = (self: Delivery): Effect.Effect<Due.Wait | undefined, DeliveryError> =>
  Effect.flatMap(look(self), (due) => (due.kind === "wait" ? Effect.succeed(due) : Effect.as(deliver(self), undefined)))
