/**
 * What can be heard at one owner of a Session: what it sends to the Agent, and what the Agent's turns hear.
 */
import { Effect, Option } from "effect"
import * as ReminderFrame from "../../src/host/localModel/ReminderFrame.ts"
import { FollowUpError } from "../../src/services/AgentQueue.ts"
import type * as Home from "./Home.ts"
import type { Oracle } from "./Oracle.ts"

export interface Options {
  readonly name: string
  readonly oracle: Oracle
  readonly isOwner: () => boolean
  /** Whether the Agent refuses messages. */
  readonly isRefusing: () => boolean
  /** What a turn does with its tools. */
  readonly useTools: Home.Ears["useTools"]
}

/** The reminders that a message presents. */
export const remindersIn = (text: string): ReadonlyArray<ReminderFrame.DueReminder> =>
  Option.getOrElse(ReminderFrame.read(text), () => [])

export const make = ({ name, oracle, isOwner, isRefusing, useTools }: Options): Home.Ears => {
  const { known, messages } = oracle
  let [held, turns] = [false, 0]

  const holding = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      if (turns > 0) known.complain(`${name}: the Agent is held during a turn`)
      held = true
      return Effect.ensuring(
        effect,
        Effect.sync(() => void (held = false))
      )
    })

  return {
    watch: (queue) => ({
      awaitIdle: queue.awaitIdle,
      maintain: (effect) => queue.maintain(holding(effect)),
      followUp: (message) =>
        Effect.suspend(() => {
          if (isRefusing()) return Effect.fail(new FollowUpError({ cause: "refused by the simulation" }))
          if (!held) known.complain(`${name}: a message is sent while the Agent is not held`)
          messages.send(name, remindersIn(message.text), isOwner())
          return queue.followUp(message)
        })
    }),
    turn: (heard) => {
      turns++
      const over = heard.map((message) => {
        if (message.kind === "prompt") return messages.hearSaid(name, message.text)
        if (heard.length > 1) known.complain(`${name}: a message shares its turn`)
        return messages.hear(name, remindersIn(message.text), message.attempt)
      })
      return () => {
        for (const tell of over) tell?.()
      }
    },
    turnOver: () => void turns--,
    useTools: (reminders) => (isOwner() ? useTools(reminders) : Effect.ignore(reminders.list))
  }
}
