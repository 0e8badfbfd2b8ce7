/**
 * One writer for all Sessions of the process: what they commit at the same time shares one transaction, and so one wait
 * for the disk.
 */
import { Cause, Context, Effect, Layer, Queue, Schema } from "effect"
import { SqlError } from "effect/sql"
import * as EventWriter from "./EventWriter.ts"

/** The Session was opened again since, here or in another process: nothing of this owner is stored any more. */
export class StaleOwner extends Schema.TaggedError<StaleOwner>()("StaleOwner", { epoch: Schema.Int }) {
  override get message() {
    return "The Session has a newer owner"
  }
}

/** Whether the events are stored is unknown; to commit the same ones again is safe. */
export class CommitError extends Schema.TaggedError<CommitError>()("CommitError", { cause: Schema.Defect() }) {}

/** Hears, once, the outcome of a commit: null when it is durable. It must not throw. */
export type Settle = (failure: StaleOwner | CommitError | null) => void

/** Events of one Session, to be stored all or none, and only while its epoch is still this one. */
export interface Entry extends EventWriter.Entry {
  readonly settle: Settle
}

export class GroupCommit extends Context.Service<
  GroupCommit,
  {
    /**
     * Queues an entry for the next transaction, and returns at once. A refused or broken entry leaves the others of its
     * transaction alone. Events that are stored already, with the same content, count as committed.
     */
    submit(entry: Entry): void
  }
>()("effect-session-schedule/GroupCommit") {}

/** A locked file, a server that is away: no entry's fault. */
const mayPass = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  return SqlError.isSqlError(error) && error.isRetryable
}

/** A listener that throws nevertheless is its own Session's fault, not the others'. */
const settleAll = (
  entries: ReadonlyArray<Entry>,
  failure: (entry: Entry) => StaleOwner | CommitError | null
): Effect.Effect<void> =>
  Effect.forEach(
    entries,
    (entry) =>
      Effect.catchDefect(
        Effect.sync(() => entry.settle(failure(entry))),
        (defect) => Effect.logError("A commit's outcome could not be handed over", defect)
      ),
    { discard: true }
  )

/** The most events of one transaction, so that it keeps nobody waiting for long. */
const LARGEST = 1_024

/** Splits what is queued into transactions. */
const transactions = (entries: ReadonlyArray<Entry>): ReadonlyArray<ReadonlyArray<Entry>> => {
  const all: Array<Array<Entry>> = []
  let room = 0
  for (const entry of entries) {
    if (room < entry.events.length) {
      all.push([])
      room = LARGEST
    }
    all.at(-1)?.push(entry)
    room -= entry.events.length
  }
  return all
}

export const make = Effect.gen(function* () {
  const writer = yield* EventWriter.EventWriter
  const queue = yield* Queue.unbounded<Entry>()
  let closed = false

  /** A failed transaction is halved until the entries that fail are alone, unless none of them is at fault. */
  const commit = (entries: ReadonlyArray<Entry>): Effect.Effect<void> =>
    Effect.matchCauseEffect(writer.write(entries), {
      onSuccess: (isAccepted) =>
        settleAll(entries, (entry) => (isAccepted(entry) ? null : new StaleOwner({ epoch: entry.epoch }))),
      onFailure: (cause) => {
        const half = entries.length >> 1
        return half === 0 || mayPass(cause)
          ? settleAll(entries, () => new CommitError({ cause: Cause.squash(cause) }))
          : Effect.andThen(commit(entries.slice(0, half)), commit(entries.slice(half)))
      }
    })

  const commitQueued = Effect.flatMap(Queue.clear(queue), (entries) =>
    Effect.forEach(transactions(entries), commit, { discard: true })
  )

  // The writer's turn comes after that of all who are ready, and who are woken by a commit: batches without a timer.
  const round = Effect.andThen(Queue.peek(queue), Effect.uninterruptible(commitQueued))

  // Finalizers run backwards: the writer ends first, then what is queued is committed, then the database closes.
  yield* Effect.addFinalizer(() => {
    closed = true
    return commitQueued
  })
  yield* Effect.forkScoped(Effect.forever(round))

  return GroupCommit.of({
    submit: (entry) => {
      if (closed) entry.settle(new CommitError({ cause: "The store is closed" }))
      else Queue.offerUnsafe(queue, entry)
    }
  })
})

export const layer: Layer.Layer<GroupCommit, never, EventWriter.EventWriter> = Layer.effect(GroupCommit, make)
