/**
 * What runs one Session's turns, one at a time, over a durable inbox. Like the scheduler's drive, its turn loop exists
 * only while there is work.
 */
import { Clock, Effect, Schedule, Schema } from "effect"
import type { TimeZone } from "../domain/TimeZone.ts"
import * as OwnContext from "../layers/OwnContext.ts"
import * as Spans from "../layers/Spans.ts"
import { AgentBusy, type AgentQueue, FollowUpError } from "../services/AgentQueue.ts"
import type { EventLogError } from "../services/EventLog.ts"
import type { BarrierError } from "../services/PersistenceBarrier.ts"
import { RetryDelay } from "../services/Scheduler.ts"
import { SessionLabel } from "../services/SessionLabel.ts"
import * as Conversation from "./Conversation.ts"
import type { Message } from "./HostEvent.ts"
import * as Inbox from "./Inbox.ts"
import * as HostMetrics from "./HostMetrics.ts"
import * as Phase from "./Phase.ts"
import { ReminderTurns } from "./ReminderTurns.ts"
import * as TurnOrigin from "./TurnOrigin.ts"

/** A turn to be run. `record` keeps what it says, each a message of `effect/ai` as JSON. */
export interface Turn {
  readonly turn: number
  readonly messages: ReadonlyArray<Message>
  record(outputs: ReadonlyArray<unknown>): Effect.Effect<void, EventLogError>
}

/** Why a turn failed, as the transcript says it. */
export class TurnFailed extends Schema.TaggedError<TurnFailed>()("TurnFailed", { message: Schema.String }) {}

export interface Options {
  readonly log: Inbox.InboxLog
  readonly conversation: Conversation.Conversation
  readonly run: (turn: Turn) => Effect.Effect<void, TurnFailed | EventLogError>
}

export interface Agent {
  readonly queue: AgentQueue["Service"]
  /** Queues what someone said; succeeds, with the message's number, once it is durable. */
  prompt(text: string, timeZone: TimeZone | undefined): Effect.Effect<number, EventLogError | BarrierError>
  /** The messages that wait for a turn, and whether none will come any more; at once, for statistics. */
  peek(): { readonly queued: ReadonlyArray<Message>; readonly isFaulted: boolean }
  /** Whether a turn runs, or its idle time is somebody's; at once. */
  isBusy(): boolean
  /** Goes on with the messages that the log left waiting. */
  readonly start: Effect.Effect<void>
  /** Starts no further turn, and waits for the end of the one that runs. */
  readonly drain: Effect.Effect<void>
}

/** Jitter lengthens a delay by a fifth at the most, and must not lengthen the longest. */
const retrying = Effect.map(RetryDelay, ({ firstMillis, longestMillis }) =>
  Schedule.jittered(Schedule.min([Schedule.exponential(firstMillis), Schedule.spaced(longestMillis / 1.2)]))
)

/** Why a turn failed, as the transcript says it. A log's failure is told in words of ours, as every backend's is. */
const reasonOf = (error: TurnFailed | EventLogError): string =>
  error._tag === "TurnFailed" ? error.message : "The store did not take what was said in this turn."

/** A model that dies, or interrupts itself, fails its turn and no more. */
const outcomeOf = (run: Effect.Effect<void, TurnFailed | EventLogError>) =>
  run.pipe(
    Effect.as({ outcome: "completed" } as const),
    Effect.catch((error) => Effect.succeed({ outcome: "failed", error: reasonOf(error) } as const)),
    Effect.catchCause((cause) =>
      Effect.as(Effect.logError("A turn failed unexpectedly", cause), {
        outcome: "failed",
        error: "Something unexpected went wrong."
      } as const)
    )
  )

/** All that a Session keeps of its Agent while it is idle: there may be 100,000 of them. */
interface State {
  readonly inbox: Inbox.Inbox
  readonly phase: Phase.PhaseCell
  readonly origin: TurnOrigin.TurnOrigin
  readonly run: Options["run"]
  readonly own: OwnContext.OwnContext
  draining: boolean
}

const hasWork = ({ inbox, draining }: State): boolean => !draining && inbox.state.queued.length > 0

const isIdle = ({ inbox, phase }: State): boolean => phase.current === "idle" && inbox.state.queued.length === 0

/** The barrier, for as long as it takes. */
const untilDurable = Effect.fnUntraced(function* (log: Inbox.InboxLog) {
  const schedule = yield* retrying
  yield* log.flush.pipe(
    Effect.tapError((error) => Effect.logWarning("A turn waits until its messages are durable", error)),
    Effect.retry(schedule),
    Effect.orDie
  )
})

/** What a span tells of a turn: its number, and what it answers. */
const told = (turn: number, messages: ReadonlyArray<Message>): Spans.Attributes => {
  const ids = messages.flatMap((message) => (message.kind === "follow-up" ? message.source.ids : []))
  return {
    turn,
    messages: messages.map(({ id }) => id),
    kind: messages[0]?.kind,
    ...(ids.length === 0 ? {} : { schedule_id: Spans.oneOrAll(ids) })
  }
}

/** The next turn, from its durable messages to its durable end. */
const oneTurn = Effect.fnUntraced(function* ({ inbox, run }: State): Effect.fn.Return<void, EventLogError> {
  const durable = untilDurable(inbox.log)
  yield* durable
  const messages = Conversation.nextTurn(inbox.state)
  const [first, ...rest] = messages.map(({ id }) => id)
  if (first === undefined) return
  const turn = inbox.state.lastTurn + 1
  yield* Inbox.write(inbox, [{ type: "turn/started", data: { turn, messages: [first, ...rest] } }])
  yield* durable
  const begun = yield* Clock.monotonicTimeNanos
  yield* Spans.annotate(() => told(turn, messages))
  const record: Turn["record"] = (outputs) =>
    Inbox.write(
      inbox,
      outputs.map((message) => ({ type: "turn/output", data: { turn, message } }))
    )
  const outcome = yield* outcomeOf(run({ turn, messages, record }))
  yield* Inbox.write(inbox, [{ type: "turn/ended", data: { turn, ...outcome } }])
  yield* durable
  yield* Spans.annotate(() => ({ outcome: outcome.outcome }))
  yield* HostMetrics.ended(outcome.outcome, (yield* Clock.monotonicTimeNanos) - begun)
})

/** One turn after the other, while there is something to answer. */
const allTurns = Effect.fnUntraced(function* (self: State) {
  const session = yield* SessionLabel
  const reminderTurns = yield* ReminderTurns
  while (hasWork(self)) {
    const kind = self.inbox.state.queued[0]?.kind
    const turn = Spans.within(oneTurn(self), "Agent.turn", { session, span: TurnOrigin.take(self.origin, kind) })
    yield* kind === "follow-up" ? reminderTurns.pass(Effect.suspend(() => (hasWork(self) ? turn : Effect.void))) : turn
  }
})

const turns = (self: State): Effect.Effect<void> =>
  allTurns(self).pipe(
    Effect.andThen(Effect.sync(() => Phase.enter(self.phase, self.draining ? "drained" : "idle"))),
    Effect.catchCause((cause) => {
      Phase.enter(self.phase, "drained")
      return Effect.logError("The Agent stopped; reopen the Session to go on", cause)
    })
  )

const kick = (self: State): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (self.phase.current !== "idle" || !hasWork(self)) return Effect.void
    Phase.enter(self.phase, "turn")
    return OwnContext.fork(self.own, turns(self))
  })

const release = (self: State): Effect.Effect<void> =>
  Inbox.settleStaged(self.inbox).pipe(
    Effect.andThen(Effect.sync(() => Phase.enter(self.phase, "idle"))),
    Effect.andThen(kick(self))
  )

const maintain = <A, E, R>(self: State, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | AgentBusy, R> =>
  Effect.uninterruptibleMask((restore): Effect.Effect<A, E | AgentBusy, R> => {
    const { phase, origin, draining } = self
    if (draining || !isIdle(self)) return Effect.fail(new AgentBusy())
    Phase.enter(phase, "held")
    return TurnOrigin.ofDelivery(origin).pipe(Effect.andThen(restore(effect)), Effect.ensuring(release(self)))
  })

/** What reminders need of the Agent. */
const queueOf = (self: State): AgentQueue["Service"] => ({
  awaitIdle: Effect.suspend(() => Phase.until(self.phase, () => isIdle(self))),
  maintain: (effect) => maintain(self, effect),
  followUp: (message) =>
    Effect.suspend(() =>
      self.phase.current === "held"
        ? Inbox.stage(self.inbox, message)
        : Effect.fail(new FollowUpError({ cause: "only while the Agent is held" }))
    )
})

const prompt = Effect.fnUntraced(function* (self: State, text: string, timeZone: TimeZone | undefined) {
  const { inbox, phase, origin } = self
  yield* TurnOrigin.ofPrompt(origin)
  yield* Phase.until(phase, () => phase.current !== "held")
  const enqueue = Effect.tap(Inbox.queuePrompt(inbox, text, timeZone), () =>
    Effect.andThen(kick(self), inbox.log.flush)
  )
  return yield* Effect.uninterruptible(enqueue)
})

const closeInterrupted = ({ inbox }: State): Effect.Effect<void, EventLogError> =>
  Effect.suspend(() =>
    inbox.state.open === null ? Effect.void : Effect.andThen(Inbox.closeInterrupted(inbox), HostMetrics.interrupted)
  )

const drain = (self: State): Effect.Effect<void> =>
  Effect.suspend(() => {
    self.draining = true
    return Phase.until(self.phase, () => self.phase.current !== "turn")
  })

/** A class, so that 100,000 of them share their methods. */
class Composed implements Agent {
  readonly #state: State
  readonly queue: AgentQueue["Service"]

  constructor(state: State) {
    this.#state = state
    this.queue = queueOf(state)
  }

  prompt(text: string, timeZone: TimeZone | undefined) {
    return prompt(this.#state, text, timeZone)
  }

  peek() {
    const { inbox, phase, draining } = this.#state
    return { queued: inbox.state.queued, isFaulted: phase.current === "drained" && !draining }
  }

  isBusy() {
    const { current } = this.#state.phase
    return current === "turn" || current === "held"
  }

  get start() {
    return kick(this.#state)
  }

  get drain() {
    return drain(this.#state)
  }
}

/** An Agent that has closed what a crash cut off, and has not yet begun a turn. */
export const make = Effect.fnUntraced(function* ({ log, conversation, run }: Options) {
  const self: State = {
    inbox: Inbox.make(log, conversation),
    phase: Phase.make(),
    origin: TurnOrigin.make(),
    run,
    own: yield* OwnContext.make,
    draining: false
  }
  yield* closeInterrupted(self)
  yield* OwnContext.atEnd(self.own, () => Effect.ignore(Effect.andThen(closeInterrupted(self), log.flush)))

  const agent: Agent = new Composed(self)
  return agent
})
