/**
 * One Session's reminders as they are folded so far. It evolves by what is new in the log, so that no step costs more
 * as the log grows.
 */
import { Effect, Result } from "effect"
import type { CorruptScheduleLog } from "../domain/ScheduleError.ts"
import * as ScheduleLog from "../domain/ScheduleLog.ts"
import type { LogSlice } from "../services/EventLog.ts"

export interface FoldedLog<E> {
  /** Folds what is new in the log. */
  readonly refold: Effect.Effect<ScheduleLog.ScheduleLog, E | CorruptScheduleLog>
  /** What was folded last; undefined before the first time. */
  last(): ScheduleLog.ScheduleLog | undefined
  /** The same, only while nothing that is known of was appended since. */
  current(): ScheduleLog.ScheduleLog | undefined
  /** Something is appended now. */
  outdate(): void
}

/** The fold of a log that begins with `seedLength` inherited events, and is read from a place on. */
export const make = <E>(seedLength: number, read: (from: number) => Effect.Effect<LogSlice, E>): FoldedLog<E> => {
  let folded: { readonly log: ScheduleLog.ScheduleLog; readonly end: number } | undefined
  let isCurrent = false

  const refold = Effect.gen(function* () {
    const slice = yield* read(folded?.end ?? 0)
    const begun = folded === undefined ? ScheduleLog.start(seedLength, slice.end) : Result.succeed(folded.log)
    const log = yield* Effect.fromResult(Result.flatMap(begun, (log) => ScheduleLog.evolveAll(log, slice.events)))
    folded = { log, end: slice.end }
    isCurrent = true
    return log
  })

  return {
    refold,
    last: () => folded?.log,
    current: () => (isCurrent ? folded?.log : undefined),
    outdate: () => {
      isCurrent = false
    }
  }
}
