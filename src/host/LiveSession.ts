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
import { SessionStore } from "../layers/SessionStore.ts"
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

const glimpse = (agent: Agent.Agent, context: Context.Context<Scheduler | Transactions>): Glimpse => {
  const { queued, isFaulted } = agent.peek()
  return {
    reminders: Context.get(context, Transactions).peek(),
    queued,
    isFaulted: isFaulted || Context.get(context, Scheduler).peek() === "faulted"
  }
}

const hasWork = (agent: Agent.Agent, { reminders, queued }: Glimpse): boolean =>
  agent.isBusy() || queued.length > 0 || reminders === undefined || HashMap.size(reminders.active) > 0

/** What a call appends that may be stored though it failed. */
const isOfCall = ({ type }: SessionEvent): boolean => EventRow.isChange({ type }) || type === "inbox/queued"

/** Makes a Session live for as long as the scope is open: its reminders are delivered, its messages answered. */
export const make = Effect.fnUntraced(function* (id: SessionId, hooks: Hooks) {
  const store = yield* SessionStore
  const model = yield* LanguageModel.LanguageModel
  const owner = yield* store.open(id)
  let durable = owner.length
  const onDurable = (end: number) => {
    durable = end
    hooks.onDurable?.(end)
  }
  let isStale = false
  const onStale = () => {
    isStale = true
    hooks.onStale?.()
  }
  const log = yield* SessionLogSql.make(owner, { onDurable, onStale })
  const conversation = yield* readConversation(log, owner.header.seedLength ?? 0)

  const run: Agent.Options["run"] = (turn) =>
    Effect.gen(function* () {
      const events = yield* readFrom(log, Math.max(0, durable - REMEMBERED))
      const history = History.upTo(turn, events, owner.header.seedLength)
      const toolkit = yield* Effect.provideContext(ScheduleTools, yield* ScheduleTools.toHandlers(tools))
      yield* TurnRunner.run(turn, history, toolkit)
    }).pipe(Effect.provideService(LanguageModel.LanguageModel, model))

  const agent = yield* Agent.make({
    log: { ...log, append: log.eventLog.append, flush: log.barrier.flush },
    conversation,
    run
  })
  const services = Context.make(EventLog, log.eventLog).pipe(
    Context.add(PersistenceBarrier, log.barrier),
    Context.add(AgentQueue, agent.queue)
  )
  const context = yield* Effect.provideContext(SessionReminders.make, services)
  const reminders = Context.get(context, Reminders)
  const tools = Effect.provideService(ScheduleToolHandlers.make, Reminders, reminders)
  yield* agent.start

  /** A barrier that fails for another reason says nothing of who owns the Session. */
  const confirm = Effect.catch(log.barrier.flush, (error) => (isStale ? Effect.fail(error) : Effect.void))

  const rest = Effect.andThen(agent.drain, Effect.ignore(reminders.list))
  const live: LiveSession = {
    header: owner.header,
    epoch: owner.epoch,
    reminders,
    prompt: (text, timeZone) => Effect.andThen(confirm, agent.prompt(text, timeZone)),
    confirm,
    peek: () => glimpse(agent, context),
    hasWork: () => hasWork(agent, glimpse(agent, context)),
    isLost: Effect.map(log.pending, (pending) => isStale && !pending.some(isOfCall)),
    rest
  }
  return live
})
