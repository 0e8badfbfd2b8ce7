/**
 * Transactions of one Session, one at a time, over a folded state that evolves by what is new in the log.
 */
import { Cause, Clock, Effect, Layer, Result, Semaphore } from "effect"
import * as Instant from "../domain/Instant.ts"
import * as ScheduleChange from "../domain/ScheduleChange.ts"
import * as ScheduleLog from "../domain/ScheduleLog.ts"
import { EventLog } from "../services/EventLog.ts"
import { PersistenceBarrier } from "../services/PersistenceBarrier.ts"
import { type Decision, Transactions, Unconfirmed } from "../services/Transactions.ts"

/** A host's log or barrier that dies, or interrupts itself, is no more certain than one that fails. */
const confirm = <A, E>(stage: Unconfirmed["stage"], step: Effect.Effect<A, E>): Effect.Effect<A, Unconfirmed> =>
  Effect.catchCause(step, (cause) => Effect.fail(new Unconfirmed({ stage, cause: Cause.squash(cause) })))

export const make = Effect.gen(function* () {
  const eventLog = yield* EventLog
  const barrier = yield* PersistenceBarrier
  const queue = yield* Semaphore.make(1)
  let unconfirmed = false
  let folded: { readonly log: ScheduleLog.ScheduleLog; readonly end: number } | undefined

  const flush = (stage: Unconfirmed["stage"]) =>
    Effect.map(confirm(stage, barrier.flush), () => {
      unconfirmed = false
    })

  // What a failed barrier left pending can be lost once the Session is closed: a message would be queued again.
  yield* Effect.addFinalizer(() => (unconfirmed ? Effect.ignore(flush("after")) : Effect.void))

  const refold = Effect.gen(function* () {
    const slice = yield* confirm("before", eventLog.read(folded?.end ?? 0))
    const begun = folded === undefined ? ScheduleLog.start(eventLog.seedLength, slice.end) : Result.succeed(folded.log)
    const log = yield* Effect.fromResult(Result.flatMap(begun, (log) => ScheduleLog.evolveAll(log, slice.events)))
    folded = { log, end: slice.end }
    return log
  })

  const commit = Effect.fnUntraced(function* (changes: Decision<unknown>["changes"], at: Instant.Instant) {
    if (changes.length === 0) return
    const events = changes.map((change) => ({
      at,
      type: ScheduleChange.EVENT_TYPE,
      data: ScheduleChange.encode(change)
    }))
    unconfirmed = true
    yield* confirm("append", eventLog.append(events))
    yield* flush("after")
  })

  const run: Transactions["Service"]["run"] = (decide) =>
    queue.withPermit(
      Effect.gen(function* () {
        yield* flush("before")
        const log = yield* refold
        const now = Instant.clamp(yield* Clock.currentTimeMillis)
        const decided = Effect.tap(decide(log, now), ({ changes }) => commit(changes, now))
        return (yield* Effect.uninterruptible(decided)).value
      })
    )

  return Transactions.of({ run })
})

export const layer: Layer.Layer<Transactions, never, EventLog | PersistenceBarrier> = Layer.effect(Transactions, make)
