/**
 * One Session's reminders as they are folded so far. It evolves by what is new in the log, so that no step costs more
 * as the log grows.
 */
import { Effect, Result } from "effect"
import type { CorruptScheduleLog } from "../domain/ScheduleError.ts"
import * as ScheduleLog from "../domain/ScheduleLog.ts"
import type { LogSlice } from "../services/EventLog.ts"

export interface FoldedLog {
  readonly seedLength: number
  folded: { readonly log: ScheduleLog.ScheduleLog; readonly end: number } | undefined
  isCurrent: boolean
}

/** The fold of a log that begins with `seedLength` inherited events. */
export const make = (seedLength: number): FoldedLog => ({ seedLength, folded: undefined, isCurrent: false })

/** Folds what is new in the log, which is read from a place on. */
export const refold = <E>(
  self: FoldedLog,
  read: (from: number) => Effect.Effect<LogSlice, E>
): Effect.Effect<ScheduleLog.ScheduleLog, E | CorruptScheduleLog> =>
  Effect.gen(function* () {
    const slice = yield* read(self.folded?.end ?? 0)
    const known = self.folded?.log
    const begun = known === undefined ? ScheduleLog.start(self.seedLength, slice.end) : Result.succeed(known)
    const log = yield* Effect.fromResult(Result.flatMap(begun, (log) => ScheduleLog.evolveAll(log, slice.events)))
    self.folded = { log, end: slice.end }
    self.isCurrent = true
    return log
  })

/** What was folded last; undefined before the first time. */
export const last = ({ folded }: FoldedLog): ScheduleLog.ScheduleLog | undefined => folded?.log

/** The same, only while nothing that is known of was appended since. */
export const current = ({ folded, isCurrent }: FoldedLog): ScheduleLog.ScheduleLog | undefined =>
  isCurrent ? folded?.log : undefined

/** Something is appended now. */
export const outdate = (self: FoldedLog): void => {
  self.isCurrent = false
}
