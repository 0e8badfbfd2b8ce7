/**
 * One Session's reminders, folded from its log: which are active, and every id ever used.
 */
import { Array, HashMap, Option, Order, Result } from "effect"
import * as FixedRate from "./FixedRate.ts"
import type * as Instant from "./Instant.ts"
import * as Quote from "./Quote.ts"
import * as ScheduleChange from "./ScheduleChange.ts"
import { CorruptScheduleLog } from "./ScheduleError.ts"
import { isOneShot, type ScheduleId, type ScheduleRecord } from "./ScheduleRecord.ts"
import type { SessionEvent } from "./Session.ts"
import * as TargetHeap from "./TargetHeap.ts"

/** The folded state. Persistent: evolving it leaves the old one as it was. */
export interface ScheduleLog {
  /** How many events at the log's start belong to the parent of a fork, whose reminders are not ours. */
  readonly seedLength: number
  /** The highest N of an id `schedule-N` in the log, inherited ones included. */
  readonly lastNumber: number
  /** Every id used, with its place in the order of creation. */
  readonly ids: HashMap.HashMap<ScheduleId, number>
  readonly active: HashMap.HashMap<ScheduleId, Entry>
  /** The targets of the active reminders, among some that are no more; the earliest is always a current one. */
  readonly targets: TargetHeap.TargetHeap
}

/** An active reminder, with its place in the order of creation. */
interface Entry {
  readonly place: number
  readonly record: ScheduleRecord
}

type Evolved = Result.Result<ScheduleLog, CorruptScheduleLog>
type Applied = Result.Result<ScheduleLog, string>

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

const givenId = /^schedule-([1-9]\d{0,14})$/u

const numberOf = (id: unknown): number => (typeof id === "string" ? Number(givenId.exec(id)?.[1] ?? 0) : 0)

/** Only the ids of inherited events matter, and their shape may be any: they are history, not ours to judge. */
const inherit = (log: ScheduleLog, data: unknown): ScheduleLog => {
  const { schedule } = Object(data) as { readonly schedule?: unknown }
  const { id } = Object(schedule) as { readonly id?: unknown }
  return { ...log, lastNumber: Math.max(log.lastNumber, numberOf(id)) }
}

const create = (log: ScheduleLog, record: ScheduleRecord): Applied =>
  HashMap.has(log.ids, record.id)
    ? Result.fail(`id: ${Quote.line(record.id)} was used before`)
    : Result.succeed({
        ...log,
        lastNumber: Math.max(log.lastNumber, numberOf(record.id)),
        ids: HashMap.set(log.ids, record.id, HashMap.size(log.ids)),
        active: HashMap.set(log.active, record.id, { place: HashMap.size(log.ids), record }),
        targets: TargetHeap.add(log.targets, targetOf(record))
      })

const targetOf = ({ id, scheduledAt }: ScheduleRecord): TargetHeap.Target => ({ id, at: scheduledAt })

const isCurrent = (active: ScheduleLog["active"], { id, at }: TargetHeap.Target): boolean =>
  Option.exists(HashMap.get(active, id), ({ record }) => record.scheduledAt === at)

/** How many targets are kept of reminders that ended or moved on, for each that is current. */
const SLACK = 2

/** Without what is no more, as far as it is in the way. */
const tidy = (log: ScheduleLog): ScheduleLog["targets"] => {
  const { active, targets } = log
  if (targets.size <= SLACK * HashMap.size(active) + 16) {
    return TargetHeap.dropWhile(targets, (target) => !isCurrent(active, target))
  }
  let current = TargetHeap.empty
  for (const { record } of HashMap.values(active)) current = TargetHeap.add(current, targetOf(record))
  return current
}

const end = (log: ScheduleLog, id: ScheduleId): ScheduleLog => {
  const ended = { ...log, active: HashMap.remove(log.active, id) }
  return { ...ended, targets: tidy(ended) }
}

const move = (log: ScheduleLog, { place, record }: Entry, scheduledAt: Instant.Instant): ScheduleLog => {
  const moved = { ...record, scheduledAt }
  const active = HashMap.set(log.active, record.id, { place, record: moved })
  const targets = TargetHeap.add(log.targets, targetOf(moved))
  return { ...log, active, targets: tidy({ ...log, active, targets }) }
}

const advance = (log: ScheduleLog, entry: Entry, next: Option.Option<Instant.Instant>): ScheduleLog =>
  Option.match(next, {
    onNone: () => end(log, entry.record.id),
    onSome: (scheduledAt) => move(log, entry, scheduledAt)
  })

type Dispatch = Extract<ScheduleChange.ScheduleChange, { readonly operation: "dispatch" }>

const dispatch = (log: ScheduleLog, entry: Entry, change: Dispatch): Applied => {
  const { record } = entry
  const acceptedAt = "acceptedAt" in change ? change.acceptedAt : undefined
  const next = "nextScheduledAt" in change ? change.nextScheduledAt : undefined
  if (isOneShot(record)) {
    return acceptedAt === undefined
      ? Result.succeed(end(log, record.id))
      : Result.fail(`acceptedAt: not expected of a one-shot`)
  }
  if (acceptedAt === undefined) return Result.fail(`acceptedAt: missing for kind ${record.kind}`)
  if (acceptedAt < record.scheduledAt) return Result.fail("acceptedAt: before the reminder's target")
  if (record.kind === "every") {
    return next === undefined
      ? Result.succeed(advance(log, entry, FixedRate.next(record.scheduledAt, record.everySeconds, acceptedAt)))
      : Result.fail("nextScheduledAt: not expected of kind every")
  }
  if (next === undefined) return Result.fail(`nextScheduledAt: missing for kind ${record.kind}`)
  return next !== null && next <= acceptedAt
    ? Result.fail("nextScheduledAt: not after acceptedAt")
    : Result.succeed(advance(log, entry, Option.fromNullOr(next)))
}

const apply = (log: ScheduleLog, change: ScheduleChange.ScheduleChange): Applied => {
  if (change.operation === "create") return create(log, change.schedule)
  const entry = HashMap.get(log.active, change.id)
  if (Option.isNone(entry)) return Result.fail(`id: ${Quote.line(change.id)} is not active`)
  return change.operation === "delete" ? Result.succeed(end(log, change.id)) : dispatch(log, entry.value, change)
}

/** The state after one more event. Events of other types, and those of a fork's parent, change no reminder. */
export const evolve = (log: ScheduleLog, event: SessionEvent): Evolved => {
  if (event.type !== ScheduleChange.EVENT_TYPE) return Result.succeed(log)
  if (event.seq < log.seedLength) return Result.succeed(inherit(log, event.data))
  return ScheduleChange.decode(event.data).pipe(
    Result.flatMap((change) => apply(log, change)),
    Result.mapError((reason) => new CorruptScheduleLog({ seq: event.seq, reason }))
  )
}

/** The state after more events, in their order; corrupt at the first event that must be refused. */
export const evolveAll = (log: ScheduleLog, events: Iterable<SessionEvent>): Evolved => {
  let state = log
  for (const event of events) {
    const evolved = evolve(state, event)
    if (Result.isFailure(evolved)) return evolved
    state = evolved.success
  }
  return Result.succeed(state)
}

/** The state of a whole log. */
export const fold = (events: ReadonlyArray<SessionEvent>, seedLength = 0): Evolved =>
  Result.flatMap(start(seedLength, events.length), (log) => evolveAll(log, events))

/** The active reminder of that id. */
export const get = (log: ScheduleLog, id: ScheduleId): Option.Option<ScheduleRecord> =>
  Option.map(HashMap.get(log.active, id), ({ record }) => record)

const inOrder = (entries: Array<Entry>): ReadonlyArray<ScheduleRecord> =>
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
