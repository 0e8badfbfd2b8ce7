/**
 * An Agent that does as a test says: it can be kept busy, its turns can be held open, and all that it hears is kept.
 */
import { Deferred, Effect, Exit, Queue } from "effect"
import type { FollowUp } from "../domain/FollowUp.ts"
import { AgentBusy, type AgentQueue, FollowUpError } from "../services/AgentQueue.ts"

export interface ScriptedAgent {
  readonly queue: AgentQueue["Service"]
  /** Every message that opened a turn, in order. */
  readonly heard: ReadonlyArray<FollowUp>
  /** The next message that opens a turn; waits for it. */
  readonly hears: Effect.Effect<FollowUp>
  /** Begins a turn of the user's, unless one runs. */
  readonly beginTurn: Effect.Effect<void>
  /** Ends the turn that runs, and begins the next if a message waits. */
  readonly endTurn: Effect.Effect<void>
  /** Whether turns stay open until `endTurn`; at first they end at once. */
  holdTurns(held: boolean): Effect.Effect<void>
  /** Whether messages are refused. */
  refuse(refused: boolean): Effect.Effect<void>
}

export const make: Effect.Effect<ScriptedAgent> = Effect.gen(function* () {
  const heard: Array<FollowUp> = []
  const waiting: Array<FollowUp> = []
  const inbox = yield* Queue.unbounded<FollowUp>()
  let state: "idle" | "turn" | "held" = "idle"
  let [turnsHeld, refusing] = [false, false]
  let changed = Deferred.makeUnsafe<void>()

  const enter = (next: typeof state) => {
    state = next
    const before = changed
    changed = Deferred.makeUnsafe()
    Deferred.doneUnsafe(before, Exit.void)
  }
  const isIdle = () => state === "idle" && waiting.length === 0

  const next: Effect.Effect<void> = Effect.suspend(() => {
    const message = waiting.shift()
    if (message === undefined) return Effect.sync(() => enter("idle"))
    enter("turn")
    heard.push(message)
    return Effect.andThen(Queue.offer(inbox, message), turnsHeld ? Effect.void : next)
  })

  const queue: AgentQueue["Service"] = {
    awaitIdle: Effect.whileLoop({ while: () => !isIdle(), body: () => Deferred.await(changed), step: () => {} }),
    maintain: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.uninterruptibleMask((restore): Effect.Effect<A, E | AgentBusy, R> => {
        if (!isIdle()) return Effect.fail(new AgentBusy())
        enter("held")
        return Effect.ensuring(restore(effect), next)
      }),
    followUp: (message) =>
      Effect.yieldNow.pipe(
        Effect.andThen(
          Effect.suspend(() => (refusing ? Effect.fail(new FollowUpError({ cause: "refused" })) : Effect.void))
        ),
        Effect.andThen(Effect.sync(() => void waiting.push(message))),
        Effect.andThen(Effect.yieldNow)
      )
  }

  return {
    queue,
    heard,
    hears: Queue.take(inbox),
    beginTurn: Effect.suspend(() => (state === "idle" ? Effect.sync(() => enter("turn")) : Effect.void)),
    endTurn: Effect.suspend(() => (state === "turn" ? next : Effect.void)),
    holdTurns: (held) => Effect.sync(() => void (turnsHeld = held)),
    refuse: (refused) => Effect.sync(() => void (refusing = refused))
  }
})
