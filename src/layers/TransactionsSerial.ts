/**
 * Transactions of one Session, one at a time, over a folded state that evolves by what is new in the log.
 */
import { Cause, Clock, Effect, Layer, Semaphore } from "effect"
import * as Instant from "../domain/Instant.ts"
import * as ScheduleChange from "../domain/ScheduleChange.ts"
import type { NewEvent } from "../domain/Session.ts"
import { EventLog } from "../services/EventLog.ts"
import { PersistenceBarrier } from "../services/PersistenceBarrier.ts"
import { SessionLabel } from "../services/SessionLabel.ts"
import { type Decision, Transactions, Unconfirmed } from "../services/Transactions.ts"
import * as FoldedLog from "./FoldedLog.ts"
import * as ScheduleMetrics from "./ScheduleMetrics.ts"
import * as Spans from "./Spans.ts"

/** A host's log or barrier that dies, or interrupts itself, is no more certain than one that fails. */
const confirm = <A, E>(stage: Unconfirmed["stage"], step: Effect.Effect<A, E>): Effect.Effect<A, Unconfirmed> =>
  Effect.catchCause(step, (cause) => Effect.fail(new Unconfirmed({ stage, cause: Cause.squash(cause) })))

const idOf = (change: ScheduleChange.ScheduleChange): string =>
  change.operation === "create" ? change.schedule.id : change.id

const eventsOf = (changes: Decision<unknown>["changes"], at: Instant.Instant): ReadonlyArray<NewEvent> =>
  changes.map((change) => ({ at, type: ScheduleChange.EVENT_TYPE, data: ScheduleChange.encode(change) }))

/** The barrier, timed and traced. */
const observed = <A, E>(stage: Unconfirmed["stage"], flush: Effect.Effect<A, E>, session: string | undefined) =>
  Spans.within(ScheduleMetrics.timed(flush), "PersistenceBarrier.flush", { session, attributes: () => ({ stage }) })

export const make = Effect.gen(function* () {
  const eventLog = yield* EventLog
  const barrier = yield* PersistenceBarrier
  const session = yield* SessionLabel
  const queue = yield* Semaphore.make(1)
  const folded = FoldedLog.make(eventLog.seedLength, (from) => confirm("before", eventLog.read(from)))
  // What was appended before this owner began may wait for a barrier, too.
  let unconfirmed = true

  const flush = (stage: Unconfirmed["stage"]) =>
    Effect.map(observed(stage, confirm(stage, barrier.flush), session), () => {
      unconfirmed = false
    })

  // What a failed barrier left pending can be lost once the Session is closed: a message would be queued again.
  yield* Effect.addFinalizer(() => (unconfirmed ? Effect.ignore(flush("after")) : Effect.void))

  /** What the log holds now, and the clock, once. */
  const read = Effect.gen(function* () {
    const log = yield* folded.refold
    return { log, now: Instant.clamp(yield* Clock.currentTimeMillis) }
  })

  const commit = Effect.fnUntraced(function* (changes: Decision<unknown>["changes"], at: Instant.Instant) {
    if (changes.length === 0) return
    unconfirmed = true
    folded.outdate()
    yield* Spans.annotate(() => ({ schedule_id: Spans.oneOrAll(changes.map(idOf)) }))
    yield* confirm("append", eventLog.append(eventsOf(changes, at)))
    yield* flush("after")
    // What was confirmed stays so, whatever a later read comes to.
    yield* Effect.ignore(folded.refold)
  })

  const run: Transactions["Service"]["run"] = (decide) =>
    Spans.within(
      queue.withPermit(
        Effect.gen(function* () {
          yield* flush("before")
          const { log, now } = yield* read
          const decided = Effect.tap(decide(log, now), ({ changes }) => commit(changes, now))
          return (yield* Effect.uninterruptible(decided)).value
        })
      ),
      "Transactions.run",
      { session }
    )

  const lookAgain = queue.withPermit(
    Effect.andThen(
      Effect.suspend(() => (unconfirmed ? flush("before") : Effect.void)),
      read
    )
  )

  /** Nothing else writes reminders, so where nothing is on its way, the last transaction's state is the log's. */
  const look: Transactions["Service"]["look"] = (see) =>
    Effect.suspend(() => {
      const known = folded.current()
      return known === undefined
        ? Effect.map(lookAgain, ({ log, now }) => see(log, now))
        : Effect.map(Clock.currentTimeMillis, (millis) => see(known, Instant.clamp(millis)))
    })

  return Transactions.of({ run, look, peek: folded.last })
})

export const layer: Layer.Layer<Transactions, never, EventLog | PersistenceBarrier> = Layer.effect(Transactions, make)
