/**
 * An Agent that does as a test says: it can be kept busy, its turns can be held open, and all that it hears is kept. Its
 * queue is outside the Session's log, and outlives a crash.
 */
import { Effect, Latch, Option, Queue } from "effect"
import type { FollowUp } from "../domain/FollowUp.ts"
import * as ReminderFrame from "../host/localModel/ReminderFrame.ts"
import { AgentBusy, type AgentQueue, FollowUpError } from "../services/AgentQueue.ts"
import * as Crashes from "./Crashes.ts"

/** A message as it was queued, and the reminders that it presents; none if it is no message of reminders. */
export interface Heard extends FollowUp {
  readonly reminders: ReadonlyArray<ReminderFrame.DueReminder>
  /** What the reminders say, in order. */
  readonly prompts: ReadonlyArray<string>
}

export interface ScriptedAgent {
  readonly queue: AgentQueue["Service"]
  /** Every message that opened a turn, in order. */
  readonly heard: ReadonlyArray<Heard>
  /** The next message that opens a turn; waits for it. */
  readonly hears: Effect.Effect<Heard>
  /** Someone says something: waits until the Agent is free, and begins a turn of theirs, which `endTurn` ends. */
  readonly beginTurn: Effect.Effect<void>
  /** Ends the turn that runs, and begins the next if a message waits. */
  readonly endTurn: Effect.Effect<void>
  /** Whether turns that a message opens stay open until `endTurn`, too; at first they end at once. */
  holdTurns(held: boolean): Effect.Effect<void>
  /** Whether messages are refused. */
  refuse(refused: boolean): Effect.Effect<void>
  /** The process that used it is gone: a claim and the turn that ran end, and what was queued opens turns. */
  readonly crash: Effect.Effect<void>
}

const listen = (message: FollowUp): Heard => {
  const reminders = Option.getOrElse(ReminderFrame.read(message.text), () => [])
  return { ...message, reminders, prompts: reminders.map(({ prompt }) => prompt) }
}

/** An idle Agent that has heard nothing. */
export const make: Effect.Effect<ScriptedAgent> = Effect.gen(function* () {
  const heard: Array<Heard> = []
  const waiting: Array<FollowUp | Latch.Latch> = []
  const inbox = yield* Queue.unbounded<Heard>()
  const idle = yield* Latch.make(true)
  const crashes = Crashes.make()
  let state: "idle" | "turn" | "held" = "idle"
  let [turnsHeld, refusing] = [false, false]

  const enter = (next: typeof state): void => {
    state = next
    if (next === "idle") idle.openUnsafe()
    else idle.closeUnsafe()
  }

  /** At once: a process that is killed must not leave the Agent, which is not its own, between two messages. */
  const next: Effect.Effect<void> = Effect.sync(() => {
    for (let input = waiting.shift(); input !== undefined; input = waiting.shift()) {
      enter("turn")
      if ("isOpen" in input) return input.openUnsafe()
      const listened = listen(input)
      heard.push(listened)
      Queue.offerUnsafe(inbox, listened)
      if (turnsHeld) return
    }
    enter("idle")
  })

  const queue: AgentQueue["Service"] = {
    awaitIdle: Effect.suspend(() => {
      const alive = crashes.survived()
      const idles = Effect.whileLoop({ while: () => state !== "idle", body: () => idle.await, step: () => {} })
      return Effect.andThen(idles, alive)
    }),
    maintain: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.uninterruptibleMask((restore): Effect.Effect<A, E | AgentBusy, R> => {
        if (state !== "idle") return Effect.fail(new AgentBusy())
        const release = Effect.andThen(crashes.survived(), next)
        enter("held")
        return Effect.ensuring(restore(effect), release)
      }),
    followUp: Effect.fnUntraced(function* (message) {
      const alive = Effect.andThen(Effect.yieldNow, crashes.survived())
      yield* alive
      if (refusing) return yield* new FollowUpError({ cause: "refused by the test" })
      waiting.push(message)
      yield* alive
    })
  }

  return {
    queue,
    heard,
    hears: Queue.take(inbox),
    beginTurn: Effect.suspend(() => {
      const begun = Latch.makeUnsafe()
      waiting.push(begun)
      return Effect.andThen(state === "idle" ? next : Effect.void, begun.await)
    }),
    endTurn: Effect.suspend(() => (state === "turn" ? next : Effect.void)),
    holdTurns: (held) => Effect.sync(() => void (turnsHeld = held)),
    refuse: (refused) => Effect.sync(() => void (refusing = refused)),
    crash: Effect.andThen(crashes.crash, next)
  }
})
