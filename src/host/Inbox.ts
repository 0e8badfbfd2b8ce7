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
  readonly log: InboxLog
  state: Conversation.Conversation
  /** The highest number that was given to a message, also to one that is not in the log yet. */
  lastMessage: number
  /** The follow-up that is held back until its dispatch is appended. */
  staged: HostEvent | undefined
}

const encode = Schema.encodeSync(HostEvent)

const newEvents = (events: ReadonlyArray<HostEvent>): Effect.Effect<ReadonlyArray<NewEvent>> =>
  Effect.map(Clock.currentTimeMillis, (now) => events.map((event) => ({ at: Instant.clamp(now), ...encode(event) })))

const queued = (message: Message): HostEvent => ({ type: "inbox/queued", data: { message } })

export const make = (log: InboxLog, conversation: Conversation.Conversation): Inbox => ({
  log,
  state: conversation,
  lastMessage: conversation.lastMessage,
  staged: undefined
})

const evolve = (self: Inbox, events: ReadonlyArray<HostEvent>): void => {
  self.state = events.reduce(Conversation.evolve, self.state)
  self.lastMessage = Math.max(self.lastMessage, self.state.lastMessage)
}

export const write = (self: Inbox, events: ReadonlyArray<HostEvent>): Effect.Effect<void, EventLogError> =>
  newEvents(events).pipe(Effect.flatMap(self.log.append), Effect.andThen(Effect.sync(() => evolve(self, events))))

/** Queues what someone said, not yet durably; the number of the message. */
export const queuePrompt = (
  self: Inbox,
  text: string,
  timeZone: TimeZone | undefined
): Effect.Effect<number, EventLogError> => {
  const id = ++self.lastMessage
  const zone = timeZone === undefined ? {} : { timeZone }
  return Effect.as(write(self, [queued({ kind: "prompt", id, text, ...zone })]), id)
}

/** Holds a follow-up back until its dispatch is appended; one at a time. */
export const stage = (self: Inbox, message: FollowUp): Effect.Effect<void, FollowUpError> => {
  if (self.staged !== undefined) return Effect.fail(new FollowUpError({ cause: "one message at a time" }))
  const event = queued({ kind: "follow-up", id: ++self.lastMessage, ...message, attempt: 1 })
  self.staged = event
  return newEvents([event]).pipe(
    Effect.flatMap((events) => Effect.forEach(events, self.log.stage, { discard: true })),
    Effect.mapError((cause) => new FollowUpError({ cause }))
  )
}

/** Queues the follow-up that was held back if its dispatch was appended; else forgets it. */
export const settleStaged = (self: Inbox): Effect.Effect<void> =>
  Effect.map(self.log.unstage, (dropped) => {
    const { staged } = self
    if (staged !== undefined && !dropped) evolve(self, [staged])
    self.staged = undefined
  })

/** Closes the turn that was cut off, if there is one. */
export const closeInterrupted = (self: Inbox): Effect.Effect<void, EventLogError> =>
  Effect.suspend(() => {
    const events = Conversation.closeInterrupted(self.state)
    return events.length === 0 ? Effect.void : write(self, events)
  })
