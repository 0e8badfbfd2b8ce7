/**
 * What is wrong with a Session's log, event after event: whether its reminders fold, and the host can read its own events.
 */
import { Option, Result } from "effect"
import * as Due from "../domain/Due.ts"
import type { CorruptScheduleLog } from "../domain/ScheduleError.ts"
import * as Quote from "../domain/Quote.ts"
import * as ScheduleLog from "../domain/ScheduleLog.ts"
import type { SessionEvent } from "../domain/Session.ts"
import * as Conversation from "../host/Conversation.ts"

/** `seq` is the place of the event that is wrong, null if it is the header. */
export interface Fault {
  readonly seq: number | null
  readonly message: string
}

export interface Judge {
  take(event: SessionEvent): void
  /** How many events were taken. */
  length(): number
  /** The first fault of each kind, once all events were taken. */
  faults(): ReadonlyArray<Fault>
  /** What is right, and yet worth knowing. */
  notes(): ReadonlyArray<string>
}

type Folded = Result.Result<ScheduleLog.ScheduleLog, CorruptScheduleLog>

/** Text that no store could give back as it was: half a character, or one that ends text in some of them. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0")

const typeFault = ({ seq, type }: SessionEvent): ReadonlyArray<Fault> =>
  isStorable(type) ? [] : [{ seq, message: `The type of event ${seq} holds a character that cannot be stored.` }]

const hostFault = (event: SessionEvent): ReadonlyArray<Fault> =>
  Option.match(Conversation.read(event), {
    onNone: () => [],
    onSome: (read) =>
      Result.isSuccess(read)
        ? []
        : [{ seq: event.seq, message: `The Session cannot be opened: event ${event.seq} (${event.type}) is corrupt.` }]
  })

const foldFault = (folded: Folded): ReadonlyArray<Fault> =>
  Result.match(folded, { onFailure: ({ seq, message }) => [{ seq, message }], onSuccess: () => [] })

const unknownZones = (log: ScheduleLog.ScheduleLog): ReadonlyArray<string> =>
  Due.stuck(log).map((record) => {
    const zone = "timeZone" in record ? record.timeZone : ""
    return `${Quote.line(record.id)} stays active, and cannot fire where its zone ${Quote.line(zone)} is not known.`
  })

/** Judges the log of a Session, of which the first `seedLength` events are a fork's inheritance. */
export const make = (seedLength = 0): Judge => {
  let folded: Folded = ScheduleLog.start(seedLength, Number.MAX_SAFE_INTEGER)
  let own: ReadonlyArray<Fault> = []
  let length = 0
  return {
    take: (event) => {
      length++
      folded = Result.flatMap(folded, (log) => ScheduleLog.evolve(log, event))
      if (own.length === 0) own = [...typeFault(event), ...hostFault(event)]
    },
    length: () => length,
    faults: () => [...foldFault(Result.andThen(folded, ScheduleLog.start(seedLength, length))), ...own],
    notes: () => Result.match(folded, { onFailure: () => [], onSuccess: unknownZones })
  }
}
