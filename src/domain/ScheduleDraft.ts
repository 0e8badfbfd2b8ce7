/**
 * A log's reminders while changes are applied to them. A draft is mutable and never outlives the function that began it:
 * it folds a long log several times quicker than a persistent state for each event would.
 */
import { HashMap, Option, Result } from "effect"
import * as FixedRate from "./FixedRate.ts"
import type { Instant } from "./Instant.ts"
import * as Quote from "./Quote.ts"
import * as ScheduleChange from "./ScheduleChange.ts"
import { isOneShot, type ScheduleId, type ScheduleRecord } from "./ScheduleRecord.ts"
import type { SessionEvent } from "./Session.ts"

/** An active reminder, with its place in the order of creation. */
export interface Entry {
  readonly place: number
  readonly record: ScheduleRecord
}

/** What is known before the changes. */
export interface Base {
  /** How many events at the log's start belong to the parent of a fork, whose reminders are not ours. */
  readonly seedLength: number
  /** The highest N of an id `schedule-N` in the log, inherited ones included. */
  readonly lastNumber: number
  /** Every id used, with its place in the order of creation. */
  readonly ids: HashMap.HashMap<ScheduleId, number>
  readonly active: HashMap.HashMap<ScheduleId, Entry>
}

/** A reminder that a change was about: its record, null once it ended. */
interface Touched {
  readonly place: number
  record: ScheduleRecord | null
}

export interface Draft {
  readonly base: Base
  /** The reminders that the changes were about, the new ones in the order of their creation. */
  readonly touched: Map<ScheduleId, Touched>
  lastNumber: number
  /** How many ids are used. */
  used: number
}

/** The draft before the first change. */
export const begin = (base: Base): Draft => ({
  base,
  touched: new Map(),
  lastNumber: base.lastNumber,
  used: HashMap.size(base.ids)
})

type Applied = Result.Result<void, string>

const givenId = /^schedule-([1-9]\d{0,14})$/u

const numberOf = (id: unknown): number => (typeof id === "string" ? Number(givenId.exec(id)?.[1] ?? 0) : 0)

const passOver = (draft: Draft, id: unknown): void => {
  draft.lastNumber = Math.max(draft.lastNumber, numberOf(id))
}

/** Only the ids of inherited events matter, and their shape may be any: they are history, not ours to judge. */
const inherit = (draft: Draft, data: unknown): void => {
  const { schedule } = Object(data) as { readonly schedule?: unknown }
  const { id } = Object(schedule) as { readonly id?: unknown }
  passOver(draft, id)
}

const create = (draft: Draft, record: ScheduleRecord): Applied => {
  const { id } = record
  if (draft.touched.has(id) || HashMap.has(draft.base.ids, id)) {
    return Result.fail(`id: ${Quote.line(id)} was used before`)
  }
  draft.touched.set(id, { place: draft.used++, record })
  passOver(draft, id)
  return Result.void
}

const touch = ({ base, touched }: Draft, id: ScheduleId): Touched | undefined => {
  const known = touched.get(id)
  if (known !== undefined) return known
  const entry = HashMap.get(base.active, id)
  if (Option.isNone(entry)) return undefined
  const reminder = { ...entry.value }
  touched.set(id, reminder)
  return reminder
}

type Dispatch = Extract<ScheduleChange.ScheduleChange, { readonly operation: "dispatch" }>

const nextOf = (record: ScheduleRecord, change: Dispatch): Result.Result<Instant | null, string> => {
  const acceptedAt = "acceptedAt" in change ? change.acceptedAt : undefined
  const next = "nextScheduledAt" in change ? change.nextScheduledAt : undefined
  if (isOneShot(record)) {
    return acceptedAt === undefined ? Result.succeed(null) : Result.fail(`acceptedAt: not expected of a one-shot`)
  }
  if (acceptedAt === undefined) return Result.fail(`acceptedAt: missing for kind ${record.kind}`)
  if (acceptedAt < record.scheduledAt) return Result.fail("acceptedAt: before the reminder's target")
  if (record.kind === "every") {
    return next === undefined
      ? Result.succeed(Option.getOrNull(FixedRate.next(record.scheduledAt, record.everySeconds, acceptedAt)))
      : Result.fail("nextScheduledAt: not expected of kind every")
  }
  if (next === undefined) return Result.fail(`nextScheduledAt: missing for kind ${record.kind}`)
  return next !== null && next <= acceptedAt
    ? Result.fail("nextScheduledAt: not after acceptedAt")
    : Result.succeed(next)
}

const apply = (draft: Draft, change: ScheduleChange.ScheduleChange): Applied => {
  if (change.operation === "create") return create(draft, change.schedule)
  const reminder = touch(draft, change.id)
  const record = reminder?.record ?? null
  if (reminder === undefined || record === null) return Result.fail(`id: ${Quote.line(change.id)} is not active`)
  const next = change.operation === "delete" ? Result.succeed(null) : nextOf(record, change)
  if (Result.isFailure(next)) return Result.fail(next.failure)
  reminder.record = next.success === null ? null : { ...record, scheduledAt: next.success }
  return Result.void
}

/** Applies an event, or says what is wrong with it. After that, the draft is of no use. */
export const take = (draft: Draft, { data, seq, type }: SessionEvent): Applied => {
  if (type !== ScheduleChange.EVENT_TYPE) return Result.void
  if (seq < draft.base.seedLength) return Result.succeed(inherit(draft, data))
  const change = ScheduleChange.decode(data)
  return Result.isSuccess(change) ? apply(draft, change.success) : Result.fail(change.failure)
}

/** Every id used by then, with its place in the order of creation. */
export const ids = ({ base, touched }: Draft): Base["ids"] =>
  HashMap.mutate(base.ids, (ids) => {
    for (const [id, { place }] of touched) if (place >= HashMap.size(base.ids)) HashMap.set(ids, id, place)
  })

/** The reminders that are active by then. */
export const active = ({ base, touched }: Draft): Base["active"] =>
  HashMap.mutate(base.active, (active) => {
    for (const [id, { place, record }] of touched) {
      if (record !== null) HashMap.set(active, id, { place, record })
      else if (place < HashMap.size(base.ids)) HashMap.remove(active, id)
    }
  })
