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
import * as OwnContext from "./OwnContext.ts"
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

/** Whoever is at work, or waits for that. */
interface Queue {
  readonly turn: Semaphore.Semaphore
  length: number
}

/** All that a Session keeps: there may be 100,000 of them, so what is done with it is made when it is done. */
interface State {
  readonly eventLog: EventLog["Service"]
  readonly barrier: PersistenceBarrier["Service"]
  readonly session: string | undefined
  /** Only while somebody is in it. */
  queue: Queue | undefined
  readonly folded: FoldedLog.FoldedLog
  /** What was appended before this owner began may wait for a barrier, too. */
  unconfirmed: boolean
}

const flush = (self: State, stage: Unconfirmed["stage"]): Effect.Effect<void, Unconfirmed> =>
  Effect.map(observed(stage, confirm(stage, self.barrier.flush), self.session), () => {
    self.unconfirmed = false
  })

const refold = ({ folded, eventLog }: State) =>
  FoldedLog.refold(folded, (from) => confirm("before", eventLog.read(from)))

/** What the log holds now, and the clock, once. */
const read = Effect.fnUntraced(function* (self: State) {
  const log = yield* refold(self)
  return { log, now: Instant.clamp(yield* Clock.currentTimeMillis) }
})

const commit = Effect.fnUntraced(function* (
  self: State,
  changes: Decision<unknown>["changes"],
  at: Instant.Instant
): Effect.fn.Return<void, Unconfirmed> {
  if (changes.length === 0) return
  self.unconfirmed = true
  FoldedLog.outdate(self.folded)
  yield* Spans.annotate(() => ({ schedule_id: Spans.oneOrAll(changes.map(idOf)) }))
  yield* confirm("append", self.eventLog.append(eventsOf(changes, at)))
  yield* flush(self, "after")
  // What was confirmed stays so, whatever a later read comes to.
  yield* Effect.ignore(refold(self))
})

/** One at a time, in the order in which they came. */
const inTurn = <A, E, R>(self: State, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const queue = (self.queue ??= { turn: Semaphore.makeUnsafe(1), length: 0 })
      queue.length++
      return queue
    }),
    ({ turn }) => turn.withPermit(effect),
    (queue) =>
      Effect.sync(() => {
        if (--queue.length === 0) self.queue = undefined
      })
  )

const run =
  (self: State): Transactions["Service"]["run"] =>
  (decide) =>
    Spans.within(
      inTurn(
        self,
        Effect.gen(function* () {
          yield* flush(self, "before")
          const { log, now } = yield* read(self)
          const decided = Effect.tap(decide(log, now), ({ changes }) => commit(self, changes, now))
          return (yield* Effect.uninterruptible(decided)).value
        })
      ),
      "Transactions.run",
      { session: self.session }
    )

const lookAgain = (self: State) =>
  inTurn(
    self,
    Effect.andThen(
      Effect.suspend(() => (self.unconfirmed ? flush(self, "before") : Effect.void)),
      read(self)
    )
  )

/** Nothing else writes reminders, so where nothing is on its way, the last transaction's state is the log's. */
const look =
  (self: State): Transactions["Service"]["look"] =>
  (see) =>
    Effect.suspend(() => {
      const known = FoldedLog.current(self.folded)
      return known === undefined
        ? Effect.map(lookAgain(self), ({ log, now }) => see(log, now))
        : Effect.map(Clock.currentTimeMillis, (millis) => see(known, Instant.clamp(millis)))
    })

export const make = Effect.gen(function* () {
  const eventLog = yield* EventLog
  const self: State = {
    eventLog,
    barrier: yield* PersistenceBarrier,
    session: yield* SessionLabel,
    queue: undefined,
    folded: FoldedLog.make(eventLog.seedLength),
    unconfirmed: true
  }
  // What a failed barrier left pending can be lost once the Session is closed: a message would be queued again.
  yield* OwnContext.atEnd(yield* OwnContext.make, () =>
    self.unconfirmed ? Effect.ignore(flush(self, "after")) : Effect.void
  )
  return Transactions.of({ run: run(self), look: look(self), peek: () => FoldedLog.last(self.folded) })
})

export const layer: Layer.Layer<Transactions, never, EventLog | PersistenceBarrier> = Layer.effect(Transactions, make)
