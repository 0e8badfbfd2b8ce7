/**
 * Calls that are done once each, however often they arrive.
 */
import { Deferred, Effect } from "effect"

export interface OnceCalls {
  /** Does it, or answers as it was answered before under that name. */
  once<A, E>(name: string, call: Effect.Effect<A, E>): Effect.Effect<A, E>
}

/** How many answers are kept; a call that arrives again does so within a moment. */
const KEPT = 256

export const make = (): OnceCalls => {
  const answers = new Map<string, Deferred.Deferred<any, any>>()

  const first = <A, E>(name: string, call: Effect.Effect<A, E>): Effect.Effect<A, E> => {
    const answer = Deferred.makeUnsafe<A, E>()
    answers.set(name, answer)
    for (const oldest of answers.keys()) {
      if (answers.size <= KEPT) break
      answers.delete(oldest)
    }
    return Effect.onExit(call, (exit) => Deferred.done(answer, exit))
  }

  return {
    once: (name, call) =>
      Effect.suspend(() => {
        const answer = answers.get(name)
        return answer === undefined ? first(name, call) : Deferred.await(answer)
      })
  }
}
