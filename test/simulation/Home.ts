/**
 * How a Session is composed: over an Agent whose queue is outside the log, or over the host's own.
 */
import { Context, Deferred, Effect, Exit, Option, Result, type Scope } from "effect"
import type { FollowUp } from "../../src/domain/FollowUp.ts"
import * as Agent from "../../src/host/Agent.ts"
import * as Conversation from "../../src/host/Conversation.ts"
import * as EventRow from "../../src/layers/EventRow.ts"
import type { SessionLog } from "../../src/layers/SessionLog.ts"
import * as SessionReminders from "../../src/layers/SessionReminders.ts"
import { AgentQueue } from "../../src/services/AgentQueue.ts"
import type { Alarm } from "../../src/services/Alarm.ts"
import { EventLog } from "../../src/services/EventLog.ts"
import { PersistenceBarrier } from "../../src/services/PersistenceBarrier.ts"
import { Reminders } from "../../src/services/Reminders.ts"
import type { Scheduler } from "../../src/services/Scheduler.ts"
import type { FaultyStore } from "../../src/testing/FaultyStore.ts"
import * as ScriptedAgent from "../../src/testing/ScriptedAgent.ts"
import { type Process, result } from "./Machine.ts"

/** A Session that is live. */
export interface Opened {
  readonly services: Context.Context<Reminders | Scheduler>
  /** Comes to rest before it is closed. */
  readonly rest: Effect.Effect<void>
  /** What someone says, if that is a call with an answer. */
  readonly say?: (text: string) => Effect.Effect<unknown, unknown>
}

/** Hears each message that opens a turn of an Agent outside. */
export type Hear = (message: FollowUp) => void

/** What a Session is opened over. */
interface Ground {
  readonly log: SessionLog
  readonly store: FaultyStore
  readonly rows: ReadonlyArray<EventRow.EventRow>
  readonly ears: Ears
}

/** What the world hears of one owner of the Session. */
export interface Ears {
  watch(queue: AgentQueue["Service"]): AgentQueue["Service"]
  /** A turn begins, of these messages; what it answers is to be told once it said something. */
  turn(messages: Agent.Turn["messages"]): () => void
  turnOver(): void
  /** What a turn does with its tools. */
  useTools(reminders: Reminders["Service"]): Effect.Effect<void>
}

/** One Session's Agent, over all of its owners. */
export interface Home {
  open(ground: Ground): Effect.Effect<Opened, never, Scope.Scope | Alarm>
  /** Someone says something to the Agent outside. */
  say(): void
  endTurn(): void
  holdTurns(held: boolean): void
  readonly isBusy: boolean
  /** Whether a turn is cut off when its Session is closed. */
  readonly losesTurns: boolean
  /** The process is killed. */
  crash(): void
}

const compose = ({ store, ears }: Ground, queue: AgentQueue["Service"]) =>
  SessionReminders.make.pipe(
    Effect.provideService(EventLog, store.eventLog),
    Effect.provideService(PersistenceBarrier, store.barrier),
    Effect.provideService(AgentQueue, ears.watch(queue))
  )

/** The Agent is in a process of its own, `outside`, which is never killed. */
export const foreign = (outside: Process, hear: Hear): Home => {
  const agent = result(outside, ScriptedAgent.make)
  let [held, turn] = [false, false]
  const endTurn = () => {
    turn = false
    outside.run(agent.endTurn)
  }
  const begun = Effect.sync(() => {
    turn = true
    if (!held) endTurn()
  })
  outside.run(Effect.forever(Effect.map(agent.hears, hear)))
  return {
    open: (ground) => Effect.map(compose(ground, agent.queue), (services) => ({ services, rest: Effect.void })),
    say: () => void outside.run(Effect.andThen(agent.beginTurn, begun)),
    endTurn,
    holdTurns: (hold) => {
      held = hold
      outside.run(agent.holdTurns(hold))
      if (!held) endTurn()
    },
    get isBusy() {
      return held || turn
    },
    losesTurns: false,
    crash: () => {
      turn = false
      outside.run(agent.crash)
    }
  }
}

const conversationOf = (rows: ReadonlyArray<EventRow.EventRow>, start: Conversation.Conversation) =>
  rows
    .flatMap((row) => Option.toArray(Option.flatMap(Conversation.read(EventRow.decode(row)), Result.getSuccess)))
    .reduce(Conversation.evolve, start)

/** The host's Agent, composed as the host composes it. */
export const own = (seedLength: number): Home => {
  let held = false
  let turns: Array<Deferred.Deferred<void>> = []

  const untilEnded = Effect.suspend(() => {
    if (!held) return Effect.void
    const over = Deferred.makeUnsafe<void>()
    turns.push(over)
    return Deferred.await(over)
  })
  const endTurns = () => {
    for (const over of turns.splice(0)) Deferred.doneUnsafe(over, Exit.void)
  }

  const open = Effect.fnUntraced(function* (ground: Ground) {
    const { log, store, rows, ears } = ground
    const inherited = Conversation.inherit(conversationOf(rows.slice(0, seedLength), Conversation.empty))
    let reminders: Reminders["Service"] | undefined
    const agent = yield* Agent.make({
      log: { ...log, append: store.eventLog.append, flush: store.barrier.flush },
      conversation: conversationOf(rows.slice(seedLength), inherited),
      run: (turn) =>
        Effect.gen(function* () {
          const said = ears.turn(turn.messages)
          if (reminders !== undefined) yield* ears.useTools(reminders)
          if (turn.turn % 2 === 0) {
            said()
            yield* turn.record([{ role: "assistant", content: "heard" }])
          }
          yield* untilEnded
          said()
        }).pipe(Effect.ensuring(Effect.sync(ears.turnOver)))
    })
    const services = yield* compose(ground, agent.queue)
    reminders = Context.get(services, Reminders)
    yield* agent.start
    return {
      services,
      rest: Effect.asVoid(Effect.timeoutOption(agent.drain, 5_000)),
      say: (text: string) => agent.prompt(text, undefined)
    }
  }, Effect.orDie)

  return {
    open,
    say: () => {},
    endTurn: endTurns,
    holdTurns: (hold) => {
      held = hold
      if (!held) endTurns()
    },
    get isBusy() {
      return held || turns.length > 0
    },
    losesTurns: true,
    crash: () => {
      turns = []
    }
  }
}
