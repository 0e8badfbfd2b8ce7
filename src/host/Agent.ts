/**
 * What runs one Session's turns, one at a time, over a durable inbox. Like the scheduler's drive, its turn loop exists
 * only while there is work.
 */
import { Clock, type Context, Effect, Schedule, Schema } from "effect"
import type { TimeZone } from "../domain/TimeZone.ts"
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

/** The barrier, for as long as it takes. */
const untilDurable = (log: Inbox.InboxLog, schedule: Schedule.Schedule<unknown>): Effect.Effect<void> =>
  log.flush.pipe(
    Effect.tapError((error) => Effect.logWarning("A turn waits until its messages are durable", error)),
    Effect.retry(schedule),
    Effect.orDie
  )

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
const oneTurn = Effect.fnUntraced(function* (
  inbox: Inbox.Inbox,
  durable: Effect.Effect<void>,
  run: Options["run"]
): Effect.fn.Return<void, EventLogError> {
  yield* durable
  const messages = Conversation.nextTurn(inbox.state())
  const [first, ...rest] = messages.map(({ id }) => id)
  if (first === undefined) return
  const turn = inbox.state().lastTurn + 1
  yield* inbox.write([{ type: "turn/started", data: { turn, messages: [first, ...rest] } }])
  yield* durable
  const begun = yield* Clock.monotonicTimeNanos
  yield* Spans.annotate(() => told(turn, messages))
  const record: Turn["record"] = (outputs) =>
    inbox.write(outputs.map((message) => ({ type: "turn/output", data: { turn, message } })))
  const outcome = yield* outcomeOf(run({ turn, messages, record }))
  yield* inbox.write([{ type: "turn/ended", data: { turn, ...outcome } }])
  yield* durable
  yield* Spans.annotate(() => ({ outcome: outcome.outcome }))
  yield* HostMetrics.ended(outcome.outcome, (yield* Clock.monotonicTimeNanos) - begun)
})

interface Claim {
  readonly phase: Phase.PhaseCell
  readonly inbox: Inbox.Inbox
  readonly origin: TurnOrigin.TurnOrigin
  isIdle(): boolean
  isFree(): boolean
  readonly release: Effect.Effect<void>
}

/** What reminders need of the Agent. */
const queueOf = ({ phase, inbox, origin, isIdle, isFree, release }: Claim): AgentQueue["Service"] => ({
  awaitIdle: phase.until(isIdle),
  maintain: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.uninterruptibleMask((restore): Effect.Effect<A, E | AgentBusy, R> => {
      if (!isFree()) return Effect.fail(new AgentBusy())
      phase.enter("held")
      return TurnOrigin.ofDelivery(origin).pipe(Effect.andThen(restore(effect)), Effect.ensuring(release))
    }),
  followUp: (message) =>
    Effect.suspend(() =>
      phase.current() === "held"
        ? inbox.stage(message)
        : Effect.fail(new FollowUpError({ cause: "only while the Agent is held" }))
    )
})

interface Work {
  readonly inbox: Inbox.Inbox
  readonly next: Effect.Effect<void, EventLogError>
  readonly hasWork: () => boolean
  readonly origin: TurnOrigin.TurnOrigin
}

/** One turn after the other, while there is something to answer. */
const allTurns = Effect.fnUntraced(function* ({ inbox, next, hasWork, origin }: Work) {
  const session = yield* SessionLabel
  const reminderTurns = yield* ReminderTurns
  while (hasWork()) {
    const kind = inbox.state().queued[0]?.kind
    const turn = Spans.within(next, "Agent.turn", { session, span: TurnOrigin.take(origin, kind) })
    yield* kind === "follow-up" ? reminderTurns.pass(Effect.suspend(() => (hasWork() ? turn : Effect.void))) : turn
  }
})

/** An Agent that has closed what a crash cut off, and has not yet begun a turn. */
export const make = Effect.fnUntraced(function* ({ log, conversation, run }: Options) {
  const scope = yield* Effect.scope
  const own = yield* Effect.context<never>()
  const inbox = Inbox.make(log, conversation)
  const phase = Phase.make()
  const origin = TurnOrigin.make()
  let draining = false

  const hasWork = () => !draining && inbox.state().queued.length > 0
  const isIdle = () => phase.current() === "idle" && inbox.state().queued.length === 0

  const durable = untilDurable(log, yield* retrying)

  const next = oneTurn(inbox, durable, run)
  const turns = allTurns({ inbox, next, hasWork, origin }).pipe(
    Effect.andThen(Effect.sync(() => phase.enter(draining ? "drained" : "idle"))),
    Effect.catchCause((cause) => {
      phase.enter("drained")
      return Effect.logError("The Agent stopped; reopen the Session to go on", cause)
    })
  )

  const kick = Effect.suspend(() => {
    if (phase.current() !== "idle" || !hasWork()) return Effect.void
    phase.enter("turn")
    const detached = Effect.updateContext(turns, (_: Context.Context<never>) => own)
    return Effect.asVoid(Effect.forkIn(detached, scope))
  })

  const release = inbox.settleStaged.pipe(Effect.andThen(Effect.sync(() => phase.enter("idle"))), Effect.andThen(kick))

  const isFree = () => isIdle() && !draining
  const queue = queueOf({ phase, inbox, origin, isIdle, isFree, release })

  const prompt: Agent["prompt"] = Effect.fnUntraced(function* (text, timeZone) {
    yield* TurnOrigin.ofPrompt(origin)
    yield* phase.until(() => phase.current() !== "held")
    const enqueue = Effect.tap(inbox.queuePrompt(text, timeZone), () => Effect.andThen(kick, log.flush))
    return yield* Effect.uninterruptible(enqueue)
  })

  const closeInterrupted = Effect.suspend(() =>
    inbox.state().open === null ? Effect.void : Effect.andThen(inbox.closeInterrupted, HostMetrics.interrupted)
  )

  yield* closeInterrupted
  yield* Effect.addFinalizer(() => Effect.ignore(Effect.andThen(closeInterrupted, log.flush)))

  const agent: Agent = {
    queue,
    prompt,
    peek: () => ({ queued: inbox.state().queued, isFaulted: phase.current() === "drained" && !draining }),
    isBusy: () => phase.current() === "turn" || phase.current() === "held",
    start: kick,
    drain: Effect.suspend(() => {
      draining = true
      return phase.until(() => phase.current() !== "turn")
    })
  }
  return agent
})
