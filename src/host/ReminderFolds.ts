/**
 * The reminders of any Session, live or cold, folded from what is durable. What was folded once is kept, and only what is
 * new is read; a long log is folded in slices, so that nobody waits for it but who asks.
 */
import { Effect, HashMap, Result } from "effect"
import type { CorruptScheduleLog } from "../domain/ScheduleError.ts"
import * as ScheduleLog from "../domain/ScheduleLog.ts"
import type { SessionId } from "../domain/Session.ts"
import type { SessionNotFound, SessionStore, SessionStoreError, StoredSession } from "../layers/SessionStore.ts"

export type Folded = Result.Result<ScheduleLog.ScheduleLog, CorruptScheduleLog>

export interface ReminderFolds {
  /** The reminders after the events that the Session has. */
  of(session: StoredSession): Effect.Effect<Folded, SessionNotFound | SessionStoreError>
}

/** How many events are read and folded in one go: some ten milliseconds of work. */
const SLICE = 1_000

/** The most ids, over all Sessions, of which folds are kept: some thirty megabytes. */
const KEPT = 200_000

/** The fold of a Session's first `length` events. */
interface Fold {
  readonly length: number
  readonly folded: Folded
}

const weight = ({ folded }: Fold): number => 1 + (Result.isSuccess(folded) ? HashMap.size(folded.success.ids) : 0)

/** Folds, those used last behind the others; the newest is kept, whatever it weighs. */
const makeKept = (most: number) => {
  const folds = new Map<SessionId, Fold>()
  let weighed = 0
  const drop = (id: SessionId): void => {
    const fold = folds.get(id)
    if (fold !== undefined) weighed -= weight(fold)
    folds.delete(id)
  }
  return {
    get: (id: SessionId) => folds.get(id),
    put: (id: SessionId, fold: Fold): void => {
      drop(id)
      folds.set(id, fold)
      weighed += weight(fold)
      for (const oldest of folds.keys()) {
        if (weighed <= most || oldest === id) return
        drop(oldest)
      }
    }
  }
}

/** Folds the Sessions of a store; `most` is how many ids, over all of them, are kept. */
export const make = (store: Pick<SessionStore["Service"], "changesOf">, most = KEPT): ReminderFolds => {
  const kept = makeKept(most)

  const goOn = Effect.fnUntraced(function* ({ header: { id }, length }: StoredSession, from: Fold) {
    let fold = from
    while (fold.length < length && Result.isSuccess(fold.folded)) {
      const end = Math.min(fold.length + SLICE, length)
      const { changes } = yield* store.changesOf(id, fold.length, end)
      fold = { length: end, folded: ScheduleLog.evolveAll(fold.folded.success, changes) }
      yield* Effect.yieldNow
    }
    return { ...fold, length }
  })

  return {
    of: Effect.fnUntraced(function* (session) {
      const { header, length } = session
      const known = kept.get(header.id)
      const start = (): Fold => ({ length: 0, folded: ScheduleLog.start(header.seedLength ?? 0, length) })
      const fold = known !== undefined && known.length >= length ? known : yield* goOn(session, known ?? start())
      kept.put(header.id, fold)
      return fold.folded
    })
  }
}
