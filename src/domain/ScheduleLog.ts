/**
 * One Session's reminders, folded from its log: which are active, and every id ever used.
 */
import { Array, HashMap, Option, Order, Result } from "effect"
import type * as Instant from "./Instant.ts"
import * as ScheduleDraft from "./ScheduleDraft.ts"
import { CorruptScheduleLog } from "./ScheduleError.ts"
import type { ScheduleId, ScheduleRecord } from "./ScheduleRecord.ts"
import type { SessionEvent } from "./Session.ts"
import * as TargetHeap from "./TargetHeap.ts"

/** The folded state. Persistent: evolving it leaves the old one as it was. */
export interface ScheduleLog extends ScheduleDraft.Base {
  /** The targets of the active reminders, among some that are no more; the earliest is always a current one. */
  readonly targets: TargetHeap.TargetHeap
}

type Evolved = Result.Result<ScheduleLog, CorruptScheduleLog>

/** The state before the first event; corrupt if a log of that length can't begin with such a seed. */
export const start = (seedLength: number, length: number): Evolved =>
  Number.isInteger(seedLength) && seedLength >= 0 && seedLength <= length
    ? Result.succeed({
        seedLength,
        lastNumber: 0,
        ids: HashMap.empty(),
        active: HashMap.empty(),
        targets: TargetHeap.empty
      })
    : Result.fail(new CorruptScheduleLog({ seq: null, reason: `expected a whole number from 0 to ${length}` }))

const targetOf = ({ id, scheduledAt }: ScheduleRecord): TargetHeap.Target => ({ id, at: scheduledAt })

const isCurrent = (active: ScheduleLog["active"], { id, at }: TargetHeap.Target): boolean =>
  Option.exists(HashMap.get(active, id), ({ record }) => record.scheduledAt === at)

/** How many targets are kept of reminders that ended or moved on, for each that is current. */
const SLACK = 2

/** Without what is no more, as far as it is in the way. */
const tidy = (targets: TargetHeap.TargetHeap, active: ScheduleLog["active"]): TargetHeap.TargetHeap => {
  if (targets.size <= SLACK * HashMap.size(active) + 16) {
    return TargetHeap.dropWhile(targets, (target) => !isCurrent(active, target))
  }
  let current = TargetHeap.empty
  for (const { record } of HashMap.values(active)) current = TargetHeap.add(current, targetOf(record))
  return current
}

const finish = (log: ScheduleLog, draft: ScheduleDraft.Draft): ScheduleLog => {
  const { lastNumber, touched } = draft
  if (touched.size === 0) return lastNumber === log.lastNumber ? log : { ...log, lastNumber }
  const active = ScheduleDraft.active(draft)
  let { targets } = log
  for (const { record } of touched.values()) {
    if (record !== null) targets = TargetHeap.add(targets, targetOf(record))
  }
  return { ...log, lastNumber, ids: ScheduleDraft.ids(draft), active, targets: tidy(targets, active) }
}

/** The state after more events, in their order; corrupt at the first event that must be refused. */
export const evolveAll = (log: ScheduleLog, events: Iterable<SessionEvent>): Evolved => {
  const draft = ScheduleDraft.begin(log)
  for (const event of events) {
    const applied = ScheduleDraft.take(draft, event)
    if (Result.isFailure(applied)) {
      return Result.fail(new CorruptScheduleLog({ seq: event.seq, reason: applied.failure }))
    }
  }
  return Result.succeed(finish(log, draft))
}

/** The state after one more event. Events of other types, and those of a fork's parent, change no reminder. */
export const evolve = (log: ScheduleLog, event: SessionEvent): Evolved => evolveAll(log, [event])

/** The state of a whole log. */
export const fold = (events: ReadonlyArray<SessionEvent>, seedLength = 0): Evolved =>
  Result.flatMap(start(seedLength, events.length), (log) => evolveAll(log, events))

/** The active reminder of that id. */
export const get = (log: ScheduleLog, id: ScheduleId): Option.Option<ScheduleRecord> =>
  Option.map(HashMap.get(log.active, id), ({ record }) => record)

const inOrder = (entries: Array<ScheduleDraft.Entry>): ReadonlyArray<ScheduleRecord> =>
  entries.sort((a, b) => a.place - b.place).map(({ record }) => record)

/** The active reminders, in the order of their creation. */
export const active = (log: ScheduleLog): ReadonlyArray<ScheduleRecord> =>
  inOrder(Array.fromIterable(HashMap.values(log.active)))

/** The active reminders whose target is at or before `now`, in the order of their creation. */
export const overdue = (log: ScheduleLog, now: Instant.Instant): ReadonlyArray<ScheduleRecord> =>
  inOrder(
    TargetHeap.upTo(log.targets, now)
      .filter((target) => isCurrent(log.active, target))
      .flatMap(({ id }) => Option.toArray(HashMap.get(log.active, id)))
  )

/** The earliest target of the active reminders that a condition holds for; null without any. */
export const earliest = (log: ScheduleLog, holds: (record: ScheduleRecord) => boolean): Instant.Instant | null =>
  TargetHeap.find(log.targets, ({ id, at }) =>
    Option.exists(HashMap.get(log.active, id), ({ record }) => record.scheduledAt === at && holds(record))
  )

/** Every id ever used in this Session, in the order of creation. */
export const seenIds = (log: ScheduleLog): ReadonlyArray<ScheduleId> =>
  Array.sortWith(log.ids, ([, place]) => place, Order.Number).map(([id]) => id)

/** An id that nothing in the log has, its inherited part included. */
export const nextId = (log: ScheduleLog): ScheduleId => {
  let number = log.lastNumber + 1
  while (HashMap.has(log.ids, idOf(number))) number++
  return idOf(number)
}

const idOf = (number: number): ScheduleId => `schedule-${number}` as ScheduleId
