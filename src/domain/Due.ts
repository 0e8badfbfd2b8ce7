/**
 * What a Session must do now about its reminders: wait, send one one-shot, or send all due recurring ones together.
 */
import { Option } from "effect"
import type { Instant } from "./Instant.ts"
import * as Recurrence from "./Recurrence.ts"
import type { ScheduleChange } from "./ScheduleChange.ts"
import * as ScheduleLog from "./ScheduleLog.ts"
import { isOneShot, type OneShot, type Recurring, type ScheduleRecord } from "./ScheduleRecord.ts"

/** Nothing is due. `until` is the earliest target, null when nothing waits. */
export interface Wait {
  readonly kind: "wait"
  readonly until: Instant | null
}

/** One one-shot is due, and goes alone. */
export interface SendOneShot {
  readonly kind: "one-shot"
  readonly acceptedAt: Instant
  readonly record: OneShot
}

/** Recurring reminders are due, and share one message, each with its latest occurrence. */
export interface SendBatch {
  readonly kind: "batch"
  readonly acceptedAt: Instant
  readonly reminders: ReadonlyArray<BatchItem>
}

/** One reminder of a batch: `nextScheduledAt` is null when year 9999 leaves it no further occurrence. */
export interface BatchItem {
  readonly record: Recurring
  readonly occurrenceAt: Instant
  readonly nextScheduledAt: Instant | null
}

export type Send = SendOneShot | SendBatch
export type Due = Wait | Send

/** Creation order is the order of the log's list, and sorting is stable. */
const byTarget = (records: ReadonlyArray<ScheduleRecord>): ReadonlyArray<ScheduleRecord> =>
  records.toSorted((a, b) => a.scheduledAt - b.scheduledAt)

const item = (record: Recurring, now: Instant): ReadonlyArray<BatchItem> =>
  Recurrence.turn(record, now).pipe(
    Option.map(({ occurrenceAt, next }) => ({ record, occurrenceAt, nextScheduledAt: Option.getOrNull(next) })),
    Option.toArray
  )

/** Reminders whose zone this runtime does not know: they stay active and cannot fire. */
export const stuck = (log: ScheduleLog.ScheduleLog): ReadonlyArray<ScheduleRecord> =>
  ScheduleLog.active(log).filter((record) => !canFire(record))

const canFire = (record: ScheduleRecord): boolean => isOneShot(record) || Recurrence.isKnown(record)

/** What the Session must do at `now`. */
export const decide = (log: ScheduleLog.ScheduleLog, now: Instant): Due => {
  const due = byTarget(ScheduleLog.overdue(log, now).filter(canFire))
  const oneShot = due.find(isOneShot)
  if (oneShot !== undefined) return { kind: "one-shot", acceptedAt: now, record: oneShot }
  const reminders = due.filter((record) => !isOneShot(record)).flatMap((record) => item(record, now))
  return reminders.length > 0
    ? { kind: "batch", acceptedAt: now, reminders }
    : { kind: "wait", until: ScheduleLog.earliest(log, canFire) }
}

/** A reminder of a message, and the occurrence that it is queued for. */
export interface Occurrence {
  readonly record: ScheduleRecord
  readonly occurrenceAt: Instant
}

/** What a message presents, in its order. */
export const occurrences = (send: Send): ReadonlyArray<Occurrence> =>
  send.kind === "one-shot" ? [{ record: send.record, occurrenceAt: send.record.scheduledAt }] : send.reminders

/** The facts that record a message as queued. */
export const dispatches = (send: Send): ReadonlyArray<ScheduleChange> =>
  send.kind === "one-shot"
    ? [{ version: 1, operation: "dispatch", id: send.record.id }]
    : send.reminders.map(({ record, nextScheduledAt }) => ({
        version: 1,
        operation: "dispatch",
        id: record.id,
        acceptedAt: send.acceptedAt,
        ...(record.kind === "every" ? {} : { nextScheduledAt })
      }))
