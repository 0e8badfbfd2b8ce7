/**
 * What runs one Session's turns, one at a time, over a durable inbox. Like the scheduler's drive, its turn loop exists
 * only while there is work.
 */
import { Clock, type Context, Deferred, Effect, Exit, Schedule, Schema } from "effect"
import * as Instant from "../domain/Instant.ts"
import type { NewEvent } from "../domain/Session.ts"
import type { TimeZone } from "../domain/TimeZone.ts"
import { AgentBusy, type AgentQueue, FollowUpError } from "../services/AgentQueue.ts"
import type { EventLogError } from "../services/EventLog.ts"
import type { BarrierError } from "../services/PersistenceBarrier.ts"
import { RetryDelay } from "../services/Scheduler.ts"
import * as Conversation from "./Conversation.ts"
import { HostEvent, type Message } from "./HostEvent.ts"

/** What the Agent needs of the Session's log. */
export interface AgentLog {
  append(events: ReadonlyArray<NewEvent>): Effect.Effect<void, EventLogError>
  readonly flush: Effect.Effect<void, BarrierError>
  /** Holds an event back, to be appended in front of whatever is appended next. */
  stage(event: NewEvent): Effect.Effect<void, EventLogError>
  /** Drops what is still held back; whether there was anything. */
  readonly unstage: Effect.Effect<boolean>
}

/** A turn to be run. `record` keeps what it says, each a message of `effect/ai` as JSON. */
export interface Turn {
  readonly turn: number
  readonly messages: ReadonlyArray<Message>
  record(outputs: ReadonlyArray<unknown>): Effect.Effect<void, EventLogError>
}

/** Why a turn failed, as the transcript says it. */
export class TurnFailed extends Schema.TaggedError<TurnFailed>()("TurnFailed", { message: Schema.String }) {}

export interface Options {
  readonly log: AgentLog
  readonly conversation: Conversation.Conversation
  readonly run: (turn: Turn) => Effect.Effect<void, TurnFailed | EventLogError>
}

export interface Agent {
  readonly queue: AgentQueue["Service"]
  /** Queues what someone said; succeeds, with the message's number, once it is durable. */
  prompt(text: string, timeZone: TimeZone | undefined): Effect.Effect<number, EventLogError | BarrierError>
  /** Goes on with the messages that the log left waiting. */
  readonly start: Effect.Effect<void>
  /** Starts no further turn, and waits for the end of the one that runs. */
  readonly drain: Effect.Effect<void>
}

const encode = Schema.encodeSync(HostEvent)

const newEvents = (events: ReadonlyArray<HostEvent>): Effect.Effect<ReadonlyArray<NewEvent>> =>
  Effect.map(Clock.currentTimeMillis, (now) => events.map((event) => ({ at: Instant.clamp(now), ...encode(event) })))

const retrying = Effect.map(RetryDelay, ({ firstMillis, longestMillis }) =>
  Schedule.jittered(Schedule.min([Schedule.exponential(firstMillis), Schedule.spaced(longestMillis)]))
)

const unexpected = (defect: unknown): Effect.Effect<never, TurnFailed> =>
  Effect.andThen(
    Effect.logError("A turn failed unexpectedly", defect),
    Effect.fail(new TurnFailed({ message: "Something unexpected went wrong." }))
  )

/** An Agent that has closed what a crash cut off, and has not yet begun a turn. */
export const make = Effect.fnUntraced(function* ({ log, conversation, run }: Options) {
  const scope = yield* Effect.scope
  const own = yield* Effect.context<never>()
  const schedule = yield* retrying

  let state = conversation
  let lastMessage = conversation.lastMessage
  let phase: "idle" | "turn" | "maintenance" | "drained" = "idle"
  let draining = false
  let staged: HostEvent | undefined
  let changed = Deferred.makeUnsafe<void>()

  /** Whoever waits for another phase looks again. */
  const enter = (next: typeof phase): void => {
    phase = next
    const before = changed
    changed = Deferred.makeUnsafe()
    Deferred.doneUnsafe(before, Exit.void)
  }
  const until = (reached: () => boolean): Effect.Effect<void> =>
    Effect.whileLoop({ while: () => !reached(), body: () => Deferred.await(changed), step: () => {} })

  const write = (events: ReadonlyArray<HostEvent>) =>
    newEvents(events).pipe(
      Effect.flatMap(log.append),
      Effect.andThen(
        Effect.sync(() => {
          state = events.reduce(Conversation.evolve, state)
        })
      )
    )

  const durable = log.flush.pipe(
    Effect.tapError((error) => Effect.logWarning("A turn waits until its messages are durable", error)),
    Effect.retry(schedule),
    Effect.orDie
  )

  const oneTurn = Effect.gen(function* () {
    yield* durable
    const messages = Conversation.nextTurn(state)
    const [first, ...rest] = messages.map(({ id }) => id)
    if (first === undefined) return
    const turn = state.lastTurn + 1
    yield* write([{ type: "turn/started", data: { turn, messages: [first, ...rest] } }])
    yield* durable
    const record: Turn["record"] = (outputs) =>
      write(outputs.map((message) => ({ type: "turn/output", data: { turn, message } })))
    const ended = yield* Effect.match(Effect.catchDefect(run({ turn, messages, record }), unexpected), {
      onSuccess: () => ({ turn, outcome: "completed" as const }),
      onFailure: ({ message }) => ({ turn, outcome: "failed" as const, error: message })
    })
    yield* write([{ type: "turn/ended", data: ended }])
    yield* durable
  }).pipe(Effect.withSpan("Agent.turn"))

  const turns = Effect.gen(function* () {
    while (!draining && state.queued.length > 0) yield* oneTurn
    enter(draining ? "drained" : "idle")
  }).pipe(Effect.catchCause((cause) => Effect.logError("The Agent stopped; reopen the Session to go on", cause)))

  const kick = Effect.suspend(() => {
    if (phase !== "idle" || draining || state.queued.length === 0) return Effect.void
    enter("turn")
    return Effect.asVoid(
      Effect.forkIn(
        Effect.updateContext(turns, (_: Context.Context<never>) => own),
        scope
      )
    )
  })

  const isIdle = () => phase === "idle" && state.queued.length === 0

  const release = Effect.gen(function* () {
    const dropped = yield* log.unstage
    if (staged !== undefined && !dropped) state = Conversation.evolve(state, staged)
    staged = undefined
    enter("idle")
    yield* kick
  })

  const queue: AgentQueue["Service"] = {
    awaitIdle: until(isIdle),
    maintain: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.uninterruptibleMask((restore): Effect.Effect<A, E | AgentBusy, R> => {
        if (!isIdle() || draining) return Effect.fail(new AgentBusy())
        enter("maintenance")
        return Effect.ensuring(restore(effect), release)
      }),
    followUp: (message) =>
      Effect.suspend(() => {
        if (phase !== "maintenance" || staged !== undefined) {
          return Effect.fail(new FollowUpError({ cause: "one message, and only while the Agent is held" }))
        }
        const event: HostEvent = {
          type: "inbox/queued",
          data: { message: { kind: "follow-up", id: ++lastMessage, ...message, attempt: 1 } }
        }
        staged = event
        return Effect.flatMap(newEvents([event]), ([staging]) => (staging ? log.stage(staging) : Effect.void)).pipe(
          Effect.mapError((cause) => new FollowUpError({ cause }))
        )
      })
  }

  const prompt: Agent["prompt"] = (text, timeZone) =>
    Effect.gen(function* () {
      yield* until(() => phase !== "maintenance")
      const id = ++lastMessage
      const message: Message = { kind: "prompt", id, text, ...(timeZone === undefined ? {} : { timeZone }) }
      const enqueue = write([{ type: "inbox/queued", data: { message } }])
      yield* Effect.uninterruptible(enqueue.pipe(Effect.andThen(kick), Effect.andThen(log.flush)))
      return id
    })

  const closeInterrupted = Effect.suspend(() => {
    const events = Conversation.closeInterrupted(state)
    for (const event of events) if (event.type === "inbox/queued") lastMessage = event.data.message.id
    return events.length === 0 ? Effect.void : write(events)
  })
  yield* closeInterrupted
  yield* Effect.addFinalizer(() => Effect.ignore(Effect.andThen(closeInterrupted, log.flush)))

  const agent: Agent = {
    queue,
    prompt,
    start: kick,
    drain: Effect.suspend(() => {
      draining = true
      return until(() => phase !== "turn")
    })
  }
  return agent
})
