/**
 * One live Session of the host, in reading order: its log, its Agent, and its reminders.
 */
import { Context, Effect, HashMap, Option, Result } from "effect"
import { LanguageModel } from "effect/ai"
import type { SqlClient } from "effect/sql"
import type { SessionEvent, SessionHeader, SessionId } from "../domain/Session.ts"
import type { TimeZone } from "../domain/TimeZone.ts"
import * as EventRow from "../layers/EventRow.ts"
import type { GroupCommit } from "../layers/GroupCommit.ts"
import * as ScheduleToolHandlers from "../layers/ScheduleToolHandlers.ts"
import type { Hooks, SessionLog } from "../layers/SessionLog.ts"
import * as SessionLogSql from "../layers/SessionLogSql.ts"
import * as SessionReminders from "../layers/SessionReminders.ts"
import { type SessionOwner, SessionStore } from "../layers/SessionStore.ts"
import { AgentQueue } from "../services/AgentQueue.ts"
import type { Alarm } from "../services/Alarm.ts"
import { EventLog, type EventLogError } from "../services/EventLog.ts"
import { type BarrierError, PersistenceBarrier } from "../services/PersistenceBarrier.ts"
import { Reminders } from "../services/Reminders.ts"
import { Scheduler } from "../services/Scheduler.ts"
import { ScheduleTools } from "../services/ScheduleTools.ts"
import { Transactions } from "../services/Transactions.ts"
import * as Agent from "./Agent.ts"
import type { Glimpse } from "./Census.ts"
import * as Conversation from "./Conversation.ts"
import * as History from "./History.ts"
import { HostError } from "./HostError.ts"
import * as TurnRunner from "./TurnRunner.ts"

/** What all live Sessions of the host share. */
export type Requirements = SessionStore | SqlClient.SqlClient | GroupCommit | Alarm | LanguageModel.LanguageModel

export interface LiveSession {
  readonly header: SessionHeader
  /** Which of its owners this is: each that opens it has the next. */
  readonly epoch: number
  readonly reminders: Reminders["Service"]
  prompt(text: string, timeZone: TimeZone | undefined): Effect.Effect<number, EventLogError | BarrierError>
  /** Fails if another server has opened the Session since. */
  readonly confirm: Effect.Effect<void, BarrierError>
  /**
   * Whether another server has opened the Session since, and nothing of a call waits here of which nobody knows whether
   * it is stored: what failed then was not even begun.
   */
  readonly isLost: Effect.Effect<boolean>
  /** What it holds now, at once, for whoever counts many. */
  peek(): Glimpse
  /** Whether it has active reminders, messages that wait, or a turn that runs; also before its log was looked at. */
  hasWork(): boolean
  /** Starts no further turn, and waits for the end of the one that runs and of the calls that are under way. */
  readonly rest: Effect.Effect<void>
}

/** What hears of all Sessions, at once: it must be quick, and must not throw. */
export interface Listener {
  /** More of a Session is durable. */
  onDurable(id: SessionId): void
  /** A Session has a newer owner; which one it was, none if that is not known yet. */
  onStale(id: SessionId, session: () => LiveSession | undefined): void
}

/** How many events back the model is told of; a conversation that goes on for ever must not grow its prompt for ever. */
const REMEMBERED = 500

/** Events from a place up to the end of the log, a page at a time. */
const readFrom = Effect.fnUntraced(function* (log: SessionLog, from: number) {
  const events: Array<SessionEvent> = []
  let page = yield* log.readAll(from)
  while (page.events.length > 0) {
    events.push(...page.events)
    page = yield* log.readAll(page.end)
  }
  return events
})

const fold = Effect.fnUntraced(function* (
  start: Conversation.Conversation,
  events: ReadonlyArray<SessionEvent>
): Effect.fn.Return<Conversation.Conversation, HostError> {
  let state = start
  for (const event of events) {
    const read = Option.getOrUndefined(Conversation.read(event))
    if (read === undefined) continue
    if (Result.isFailure(read)) {
      const message = `The Session cannot be opened: event ${event.seq} (${event.type}) is corrupt.`
      return yield* new HostError({ code: "session_corrupt", message })
    }
    state = Conversation.evolve(state, read.success)
  }
  return state
})

/** Where the conversation stands; what waits in the part that a fork took over is for its parent to go on with. */
const readConversation = Effect.fnUntraced(function* (log: SessionLog, seedLength: number) {
  const events = yield* readFrom(log, 0)
  const inherited = yield* fold(Conversation.empty, events.slice(0, seedLength))
  return yield* fold(Conversation.inherit(inherited), events.slice(seedLength))
})

/** What a call appends that may be stored though it failed. */
const isOfCall = ({ type }: SessionEvent): boolean => EventRow.isChange({ type }) || type === "inbox/queued"

/** How far its log is durable, and whether another server has opened it since. */
class Progress implements Hooks {
  readonly id: SessionId
  readonly listener: Listener
  durable: number
  isStale = false
  session: LiveSession | undefined

  constructor(id: SessionId, listener: Listener, durable: number) {
    this.id = id
    this.listener = listener
    this.durable = durable
  }

  onDurable(end: number) {
    this.durable = end
    this.listener.onDurable(this.id)
  }

  onStale() {
    this.isStale = true
    this.listener.onStale(this.id, () => this.session)
  }
}

interface Parts {
  readonly owner: SessionOwner
  readonly progress: Progress
  readonly log: SessionLog
  readonly agent: Agent.Agent
  readonly reminders: Reminders["Service"]
  readonly scheduler: Scheduler["Service"]
  readonly transactions: Transactions["Service"]
}

/** A class, since there may be 100,000 of them: they share what they can do, and keep only their parts. */
class Composed implements LiveSession {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get header() {
    return this.#parts.owner.header
  }

  get epoch() {
    return this.#parts.owner.epoch
  }

  get reminders() {
    return this.#parts.reminders
  }

  prompt(text: string, timeZone: TimeZone | undefined) {
    return Effect.andThen(this.confirm, this.#parts.agent.prompt(text, timeZone))
  }

  /** A barrier that fails for another reason says nothing of who owns the Session. */
  get confirm() {
    const { log, progress } = this.#parts
    return Effect.catch(log.barrier.flush, (error) => (progress.isStale ? Effect.fail(error) : Effect.void))
  }

  get isLost() {
    const { log, progress } = this.#parts
    return Effect.map(log.pending, (pending) => progress.isStale && !pending.some(isOfCall))
  }

  peek(): Glimpse {
    const { agent, transactions, scheduler } = this.#parts
    const { queued, isFaulted } = agent.peek()
    return { reminders: transactions.peek(), queued, isFaulted: isFaulted || scheduler.peek() === "faulted" }
  }

  hasWork() {
    const { reminders, queued } = this.peek()
    return (
      this.#parts.agent.isBusy() || queued.length > 0 || reminders === undefined || HashMap.size(reminders.active) > 0
    )
  }

  get rest() {
    return Effect.andThen(this.#parts.agent.drain, Effect.ignore(this.reminders.list))
  }
}

interface Ground extends Pick<Parts, "owner" | "progress" | "log"> {
  readonly model: LanguageModel.LanguageModel
}

/** A turn of that Session, which calls its reminders. */
const runTurn = Effect.fnUntraced(function* (
  { owner, progress, log, model }: Ground,
  reminders: () => Reminders["Service"],
  turn: Agent.Turn
) {
  const events = yield* readFrom(log, Math.max(0, progress.durable - REMEMBERED))
  const history = History.upTo(turn, events, owner.header.seedLength)
  const tools = Effect.provideService(ScheduleToolHandlers.make, Reminders, reminders())
  const toolkit = yield* Effect.provideContext(ScheduleTools, yield* ScheduleTools.toHandlers(tools))
  yield* Effect.provideService(TurnRunner.run(turn, history, toolkit), LanguageModel.LanguageModel, model)
})

/** Makes a Session live for as long as the scope is open: its reminders are delivered, its messages answered. */
export const make = Effect.fnUntraced(function* (id: SessionId, listener: Listener) {
  const owner = yield* Effect.flatMap(SessionStore, (store) => store.open(id))
  const progress = new Progress(id, listener, owner.length)
  const log = yield* SessionLogSql.make(owner, progress)
  const run: Agent.Options["run"] = (turn) => runTurn(ground, () => reminders, turn)
  const ground: Ground = { owner, progress, log, model: yield* LanguageModel.LanguageModel }

  const agent = yield* Agent.make({
    log: {
      append: log.eventLog.append,
      flush: log.barrier.flush,
      stage: log.stage,
      unstage: log.unstage
    },
    conversation: yield* readConversation(log, owner.header.seedLength ?? 0),
    run
  })
  const context = yield* SessionReminders.make.pipe(
    Effect.provideService(EventLog, log.eventLog),
    Effect.provideService(PersistenceBarrier, log.barrier),
    Effect.provideService(AgentQueue, agent.queue)
  )
  const reminders = Context.get(context, Reminders)
  const scheduler = Context.get(context, Scheduler)
  const transactions = Context.get(context, Transactions)
  yield* agent.start
  const live: LiveSession = new Composed({ owner, progress, log, agent, reminders, scheduler, transactions })
  progress.session = live
  return live
})
