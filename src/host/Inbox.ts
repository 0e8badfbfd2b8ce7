/**
 * A conversation's durable side: what is queued, begun, said and ended goes into the Session's log, and the state that
 * it gives is kept.
 */
import { Clock, Effect, Schema } from "effect"
import type { FollowUp } from "../domain/FollowUp.ts"
import * as Instant from "../domain/Instant.ts"
import type { NewEvent } from "../domain/Session.ts"
import type { TimeZone } from "../domain/TimeZone.ts"
import { FollowUpError } from "../services/AgentQueue.ts"
import type { EventLogError } from "../services/EventLog.ts"
import type { BarrierError } from "../services/PersistenceBarrier.ts"
import * as Conversation from "./Conversation.ts"
import { HostEvent, type Message } from "./HostEvent.ts"

/** What is needed of the Session's log. */
export interface InboxLog {
  append(events: ReadonlyArray<NewEvent>): Effect.Effect<void, EventLogError>
  readonly flush: Effect.Effect<void, BarrierError>
  /** Holds an event back, to be appended in front of whatever is appended next. */
  stage(event: NewEvent): Effect.Effect<void, EventLogError>
  /** Drops what is still held back; whether there was anything. */
  readonly unstage: Effect.Effect<boolean>
}

export interface Inbox {
  state(): Conversation.Conversation
  write(events: ReadonlyArray<HostEvent>): Effect.Effect<void, EventLogError>
  /** Queues what someone said, not yet durably; the number of the message. */
  queuePrompt(text: string, timeZone: TimeZone | undefined): Effect.Effect<number, EventLogError>
  /** Holds a follow-up back until its dispatch is appended; one at a time. */
  stage(message: FollowUp): Effect.Effect<void, FollowUpError>
  /** Queues the follow-up that was held back if its dispatch was appended; else forgets it. */
  readonly settleStaged: Effect.Effect<void>
  /** Closes the turn that was cut off, if there is one. */
  readonly closeInterrupted: Effect.Effect<void, EventLogError>
}

const encode = Schema.encodeSync(HostEvent)

const newEvents = (events: ReadonlyArray<HostEvent>): Effect.Effect<ReadonlyArray<NewEvent>> =>
  Effect.map(Clock.currentTimeMillis, (now) => events.map((event) => ({ at: Instant.clamp(now), ...encode(event) })))

const queued = (message: Message): HostEvent => ({ type: "inbox/queued", data: { message } })

export const make = (log: InboxLog, conversation: Conversation.Conversation): Inbox => {
  let state = conversation
  let lastMessage = conversation.lastMessage
  let staged: HostEvent | undefined

  const evolve = (events: ReadonlyArray<HostEvent>): void => {
    state = events.reduce(Conversation.evolve, state)
    lastMessage = Math.max(lastMessage, state.lastMessage)
  }

  const write: Inbox["write"] = (events) =>
    newEvents(events).pipe(Effect.flatMap(log.append), Effect.andThen(Effect.sync(() => evolve(events))))

  return {
    state: () => state,
    write,
    queuePrompt: (text, timeZone) => {
      const id = ++lastMessage
      const zone = timeZone === undefined ? {} : { timeZone }
      return Effect.as(write([queued({ kind: "prompt", id, text, ...zone })]), id)
    },
    stage: (message) => {
      if (staged !== undefined) return Effect.fail(new FollowUpError({ cause: "one message at a time" }))
      const event = queued({ kind: "follow-up", id: ++lastMessage, ...message, attempt: 1 })
      staged = event
      return newEvents([event]).pipe(
        Effect.flatMap((events) => Effect.forEach(events, log.stage, { discard: true })),
        Effect.mapError((cause) => new FollowUpError({ cause }))
      )
    },
    settleStaged: Effect.map(log.unstage, (dropped) => {
      if (staged !== undefined && !dropped) evolve([staged])
      staged = undefined
    }),
    closeInterrupted: Effect.suspend(() => {
      const events = Conversation.closeInterrupted(state)
      return events.length === 0 ? Effect.void : write(events)
    })
  }
}
