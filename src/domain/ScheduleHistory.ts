/**
 * What became of each reminder of a Session, told by its log alone: neither a clock nor zone data is asked.
 */
import { Option, Result, Schema } from "effect"
import { Instant } from "./Instant.ts"
import * as ScheduleChange from "./ScheduleChange.ts"
import type { CorruptScheduleLog } from "./ScheduleError.ts"
import * as ScheduleLog from "./ScheduleLog.ts"
import { isOneShot, ScheduleId, ScheduleRecord } from "./ScheduleRecord.ts"
import type { SessionEvent } from "./Session.ts"

/** A message of a reminder that was queued for a turn. */
export const Occurrence = Schema.Struct({
  /** When the reminder was due. */
  target: Instant,
  /** When it was decided to queue the message; of a one-shot, whose dispatch does not say, when that was stored. */
  acceptedAt: Instant,
  /** Whole seconds from the target to the decision; below 0 only if the clock of a foreign log went astray. */
  lateSeconds: Schema.Int,
  /** How many due occurrences the message left out for a later one; null if only zone data could tell. */
  coalesced: Schema.NullOr(Schema.Int)
})
export type Occurrence = typeof Occurrence.Type

/** A reminder from its creation to its end. */
export const ScheduleHistory = Schema.Struct({
  id: ScheduleId,
  kind: Schema.Literals(ScheduleRecord.members.map((member) => member.fields.kind.literal)),
  prompt: Schema.String,
  createdAt: Instant,
  occurrences: Schema.Array(Occurrence),
  /** `dispatched`: its last message was queued. */
  state: Schema.Literals(["active", "dispatched", "deleted"]),
  /** The next target; null once it has ended. */
  target: Schema.NullOr(Instant),
  /** Null while it is active. */
  endedAt: Schema.NullOr(Instant)
})
export type ScheduleHistory = typeof ScheduleHistory.Type

/** A history that grows with the log. */
interface Draft {
  readonly record: ScheduleRecord
  readonly createdAt: Instant
  readonly occurrences: Array<Occurrence>
  readonly state: ScheduleHistory["state"]
  readonly endedAt: Instant | null
}

const begin = (record: ScheduleRecord, createdAt: Instant): Draft => ({
  record,
  createdAt,
  occurrences: [],
  state: "active",
  endedAt: null
})

const leftOut = (record: ScheduleRecord, acceptedAt: Instant): number | null => {
  if (isOneShot(record)) return 0
  return record.kind === "every" ? Math.floor((acceptedAt - record.scheduledAt) / (record.everySeconds * 1_000)) : null
}

const occurrence = (record: ScheduleRecord, acceptedAt: Instant): Occurrence => ({
  target: record.scheduledAt,
  acceptedAt,
  lateSeconds: Math.floor((acceptedAt - record.scheduledAt) / 1_000),
  coalesced: leftOut(record, acceptedAt)
})

type Later = Exclude<ScheduleChange.ScheduleChange, { readonly operation: "create" }>

/** Adds to the occurrences in place: a reminder may have had a hundred thousand. */
const move = (draft: Draft, change: Later, { at }: SessionEvent, after: ScheduleLog.ScheduleLog): Draft => {
  if (change.operation === "dispatch") {
    draft.occurrences.push(occurrence(draft.record, "acceptedAt" in change ? change.acceptedAt : at))
  }
  return Option.match(ScheduleLog.get(after, change.id), {
    onNone: () => ({ ...draft, state: change.operation === "delete" ? "deleted" : "dispatched", endedAt: at }),
    onSome: (record) => ({ ...draft, record })
  })
}

const close = ({ record, ...draft }: Draft): ScheduleHistory => ({
  id: record.id,
  kind: record.kind,
  prompt: record.prompt,
  ...draft,
  target: draft.state === "active" ? record.scheduledAt : null
})

/** The change that an event of the Session's own reminders holds; none for any other event. */
const changeOf = (event: SessionEvent, seedLength: number) =>
  event.type === ScheduleChange.EVENT_TYPE && event.seq >= seedLength
    ? Result.getSuccess(ScheduleChange.decode(event.data))
    : Option.none<ScheduleChange.ScheduleChange>()

/**
 * The reminders of a log in the order of their creation. `events` may leave out those of other types; `length` is how
 * many the log has with them. Reminders of the parent of a fork are not told.
 */
export const of = (
  events: Iterable<SessionEvent>,
  length: number,
  seedLength = 0
): Result.Result<ReadonlyArray<ScheduleHistory>, CorruptScheduleLog> =>
  Result.gen(function* () {
    const drafts = new Map<ScheduleId, Draft>()
    let log = yield* ScheduleLog.start(seedLength, length)
    for (const event of events) {
      log = yield* ScheduleLog.evolve(log, event)
      for (const change of Option.toArray(changeOf(event, seedLength))) tell(drafts, change, event, log)
    }
    return Array.from(drafts.values(), close)
  })

const tell = (
  drafts: Map<ScheduleId, Draft>,
  change: ScheduleChange.ScheduleChange,
  event: SessionEvent,
  after: ScheduleLog.ScheduleLog
): void => {
  if (change.operation === "create") return void drafts.set(change.schedule.id, begin(change.schedule, event.at))
  for (const draft of Option.toArray(Option.fromUndefinedOr(drafts.get(change.id)))) {
    drafts.set(change.id, move(draft, change, event, after))
  }
}
