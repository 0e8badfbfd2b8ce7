/**
 * What is counted and timed of all Sessions' reminders together. No label holds an id or a text: the series are as many
 * as are made by `register`, however many Sessions there are.
 */
import { Clock, Effect, Metric } from "effect"
import * as Due from "../domain/Due.ts"
import { InputCode, Operation, type ScheduleError, toFailure } from "../domain/ScheduleError.ts"
import type { ScheduleRecord } from "../domain/ScheduleRecord.ts"

type Kind = ScheduleRecord["kind"]

const kinds = ["after", "at", "every", "daily", "weekly", "cron"] as const satisfies ReadonlyArray<Kind>
const codes = [...InputCode.literals, "corrupt_schedule_log", "persistence_uncertain"] as const

/** How an attempt to deliver failed. */
export type DeliveryCode = "corrupt_schedule_log" | "persistence_uncertain" | "follow_up_failed"
const deliveryCodes: ReadonlyArray<DeliveryCode> = ["corrupt_schedule_log", "persistence_uncertain", "follow_up_failed"]

/** Seconds, from a commit on a fast disk to one that waits for a lock. */
const BARRIER_SECONDS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]
/** Seconds, from at once to a week of a machine that was off. */
const LAG_SECONDS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600, 21_600, 86_400, 604_800]

const barrier = Metric.histogram("session_schedule_barrier_duration_seconds", {
  description: "How long a barrier took to confirm that all so far is durable, failed ones included.",
  boundaries: BARRIER_SECONDS
})

const lag = Metric.histogram("session_schedule_dispatch_lag_seconds", {
  description: "How late a reminder was queued for the Agent, from the occurrence that it was queued for.",
  boundaries: LAG_SECONDS
})

const dispatches = (kind: Kind) =>
  Metric.counter("session_schedule_dispatches_total", {
    description: "Reminders that were queued for the Agent, by kind.",
    attributes: { kind },
    incremental: true
  })

const failures = (operation: Operation | "delivery", code: string) =>
  Metric.counter("session_schedule_failures_total", {
    description: "Calls that were refused or failed, and deliveries that did, by code.",
    attributes: { operation, code },
    incremental: true
  })

const dispatchesOf = Object.fromEntries(kinds.map((kind) => [kind, dispatches(kind)])) as Record<
  Kind,
  Metric.Counter<number>
>

const failuresOf = new Map<string, Metric.Counter<number>>([
  ...Operation.literals.flatMap((operation) =>
    codes.map((code) => [`${operation} ${code}`, failures(operation, code)] as const)
  ),
  ...deliveryCodes.map((code) => [`delivery ${code}`, failures("delivery", code)] as const)
])

const SECOND_IN_NANOS = 1e9

/** The barrier, timed. */
export const timed = <A, E, R>(flush: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const clock = fiber.getRef(Clock.Clock)
    const begun = clock.monotonicTimeNanosUnsafe()
    const done = <B>(outcome: B): B => {
      barrier.updateUnsafe(Number(clock.monotonicTimeNanosUnsafe() - begun) / SECOND_IN_NANOS, fiber.context)
      return outcome
    }
    return Effect.mapBoth(flush, { onSuccess: done, onFailure: done })
  })

/** Counts reminders that were queued for the Agent. */
export const dispatched = (send: Due.Send): Effect.Effect<void> =>
  Effect.withFiberSucceed(({ context }) => {
    for (const { record, occurrenceAt } of Due.occurrences(send)) {
      dispatchesOf[record.kind].updateUnsafe(1, context)
      lag.updateUnsafe(Math.max(0, send.acceptedAt - occurrenceAt) / 1_000, context)
    }
  })

const count = (operation: Operation | "delivery", code: string): Effect.Effect<void> =>
  Effect.withFiberSucceed(({ context }) => failuresOf.get(`${operation} ${code}`)?.updateUnsafe(1, context))

/** The operation; its failures are counted. */
export const counted = <A, E extends ScheduleError>(
  operation: Operation,
  self: Effect.Effect<A, E>
): Effect.Effect<A, E> => Effect.tapError(self, (error) => count(operation, toFailure(error).code))

/** Counts an attempt to deliver that failed. */
export const undelivered = (code: DeliveryCode): Effect.Effect<void> => count("delivery", code)

/** Shows all series from the beginning, as zeros: a rate needs a value to rise from. */
export const register: Effect.Effect<void> = Effect.asVoid(
  Effect.all([
    ...[barrier, lag].map((metric) => Metric.value(metric)),
    ...[...Object.values(dispatchesOf), ...failuresOf.values()].map((metric) => Metric.value(metric))
  ])
)
