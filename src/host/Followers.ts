/**
 * Who follows a Session's transcript: each is told that there is more to read, and reads it from the store.
 */
import { Effect, Queue, type Scope } from "effect"
import type { SessionId } from "../domain/Session.ts"

export interface Followers {
  /** A signal that coalesces: it holds when there may be something new since it was last taken. */
  follow(id: SessionId): Effect.Effect<Queue.Dequeue<void>, never, Scope.Scope>
  /** Tells those who follow that Session. */
  tell(id: SessionId): void
}

export const make = (): Followers => {
  const signals = new Map<SessionId, Set<Queue.Queue<void>>>()

  const add = (id: SessionId, signal: Queue.Queue<void>) => {
    const followers = signals.get(id)
    if (followers === undefined) signals.set(id, new Set([signal]))
    else followers.add(signal)
  }
  const remove = (id: SessionId, signal: Queue.Queue<void>) => {
    const followers = signals.get(id)
    followers?.delete(signal)
    if (followers?.size === 0) signals.delete(id)
  }

  return {
    follow: (id) =>
      Effect.acquireRelease(
        Effect.tap(Queue.sliding<void>(1), (signal) => Effect.sync(() => add(id, signal))),
        (signal) => Effect.sync(() => remove(id, signal))
      ),
    tell: (id) => {
      for (const signal of signals.get(id) ?? []) Queue.offerUnsafe(signal, undefined)
    }
  }
}
