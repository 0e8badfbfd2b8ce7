/**
 * One writer for all Sessions of the process: what they commit at the same time shares one transaction, and so one wait
 * for the disk.
 */
import { Cause, Context, Deferred, Effect, Exit, Layer, Queue, Schema } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import * as EventInsert from "./EventInsert.ts"

/** The Session was opened again since, here or in another process: this owner's events are refused from now on. */
export class StaleOwner extends Schema.TaggedError<StaleOwner>()("StaleOwner", { epoch: Schema.Int }) {
  override get message() {
    return "The Session has a newer owner"
  }
}

/** Whether the events are stored is unknown; committing the same ones again is safe. */
export class CommitError extends Schema.TaggedError<CommitError>()("CommitError", { cause: Schema.Defect() }) {}

export class GroupCommit extends Context.Service<
  GroupCommit,
  {
    /**
     * Succeeds once the entry is durable. One refused or broken entry leaves the others of its transaction alone. Events
     * that are stored already, with the same content, count as committed. An entry that is interrupted while it waits
     * for its turn is dropped; from then on its outcome is awaited.
     */
    commit(entry: EventInsert.Entry): Effect.Effect<void, StaleOwner | CommitError>
  }
>()("effect-session-schedule/GroupCommit") {}

type Entry = EventInsert.Entry

interface Waiting {
  readonly entry: Entry
  readonly done: Deferred.Deferred<void, StaleOwner | CommitError>
  state: "queued" | "started" | "dropped"
}

type Write = (entries: ReadonlyArray<Entry>) => Effect.Effect<(entry: Entry) => boolean, SqlError.SqlError>

const isLocked = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  return SqlError.isSqlError(error) && error.reason._tag === "LockTimeoutError"
}

const finish = (waiting: ReadonlyArray<Waiting>, exit: (entry: Entry) => Exit.Exit<void, StaleOwner | CommitError>) => {
  for (const { entry, done } of waiting) Deferred.doneUnsafe(done, exit(entry))
}

/** A failed transaction is halved until the entries that fail are alone; a locked file is nobody's fault. */
const settle = (write: Write, waiting: ReadonlyArray<Waiting>): Effect.Effect<void> =>
  Effect.matchCauseEffect(write(waiting.map(({ entry }) => entry)), {
    onSuccess: (isAccepted) =>
      Effect.sync(() =>
        finish(waiting, (entry) => (isAccepted(entry) ? Exit.void : Exit.fail(new StaleOwner({ epoch: entry.epoch }))))
      ),
    onFailure: (cause) => {
      if (waiting.length === 1 || isLocked(cause)) {
        return Effect.sync(() => finish(waiting, () => Exit.fail(new CommitError({ cause: Cause.squash(cause) }))))
      }
      const half = waiting.length >> 1
      return Effect.andThen(settle(write, waiting.slice(0, half)), settle(write, waiting.slice(half)))
    }
  })

/** Splits what waits into transactions, so that none keeps the process busy for long. */
const rounds = (waiting: ReadonlyArray<Waiting>): ReadonlyArray<ReadonlyArray<Waiting>> => {
  const all: Array<Array<Waiting>> = []
  let events = Number.POSITIVE_INFINITY
  for (const one of waiting) {
    events += one.entry.events.length
    if (events > EventInsert.LARGEST) {
      all.push([])
      events = one.entry.events.length
    }
    all.at(-1)?.push(one)
  }
  return all
}

export const make = Effect.gen(function* () {
  const write = EventInsert.make(yield* SqlClient.SqlClient)
  const queue = yield* Queue.unbounded<Waiting>()
  let closed = false

  const commitRound = (round: ReadonlyArray<Waiting>) =>
    Effect.suspend(() => {
      const started = round.filter(({ state }) => state === "queued")
      for (const one of started) one.state = "started"
      return started.length === 0 ? Effect.void : settle(write, started)
    })

  const commitQueued = Effect.flatMap(Queue.clear(queue), (waiting) =>
    Effect.forEach(rounds(waiting), commitRound, { discard: true })
  )

  // While the writer is busy others queue up, and the yield lets whoever is ready do so: batches without a timer.
  const loop = Effect.andThen(Queue.peek(queue), Effect.uninterruptible(Effect.andThen(Effect.yieldNow, commitQueued)))

  // Finalizers run backwards: the writer ends first, then what is queued is committed, then the database closes.
  yield* Effect.addFinalizer(() => {
    closed = true
    return commitQueued
  })
  yield* Effect.forkScoped(Effect.forever(loop))

  const drop = (waiting: Waiting) =>
    Effect.suspend(() => {
      if (waiting.state === "started") return Effect.exit(Deferred.await(waiting.done))
      waiting.state = "dropped"
      return Effect.void
    })

  const commit = (entry: Entry) =>
    Effect.uninterruptibleMask((restore) => {
      if (entry.events.length === 0) return Effect.void
      if (closed) return Effect.fail(new CommitError({ cause: "The store is closed" }))
      const waiting: Waiting = { entry, done: Deferred.makeUnsafe(), state: "queued" }
      Queue.offerUnsafe(queue, waiting)
      return Effect.onInterrupt(restore(Deferred.await(waiting.done)), () => drop(waiting))
    })

  return GroupCommit.of({ commit })
})

export const layer: Layer.Layer<GroupCommit, never, SqlClient.SqlClient> = Layer.effect(GroupCommit, make)
