/**
 * Where a Session's conversation stands, folded from the host's events: the inbox, and the turn that is open.
 */
import { Option, Result, Schema } from "effect"
import type { SessionEvent } from "../domain/Session.ts"
import { HostEvent, isHostType, type Message } from "./HostEvent.ts"

/** How often reminders are given to a turn that a crash cuts off before it said anything. */
const MAX_ATTEMPTS = 3

/** A turn that has not ended. `outputs` counts what it said so far. */
interface OpenTurn {
  readonly turn: number
  readonly messages: ReadonlyArray<Message>
  readonly outputs: number
}

export interface Conversation {
  /** Messages that wait for a turn, in the order in which they were queued. */
  readonly queued: ReadonlyArray<Message>
  readonly open: OpenTurn | null
  /** The highest number that a message had. */
  readonly lastMessage: number
  /** The highest number that a turn had. */
  readonly lastTurn: number
}

export const empty: Conversation = { queued: [], open: null, lastMessage: 0, lastTurn: 0 }

const decode = Schema.decodeUnknownResult(HostEvent)

/** The host's event in an event of the log; none if it is not one of the host's. */
export const read = (event: SessionEvent): Option.Option<Result.Result<HostEvent, Schema.SchemaError>> =>
  isHostType(event.type) ? Option.some(decode({ type: event.type, data: event.data })) : Option.none()

/** The state after one more event of the host. */
export const evolve = (state: Conversation, event: HostEvent): Conversation => {
  switch (event.type) {
    case "inbox/queued":
      return {
        ...state,
        lastMessage: Math.max(state.lastMessage, event.data.message.id),
        queued: [...state.queued, event.data.message]
      }
    case "turn/started": {
      const taken = new Set(event.data.messages)
      return {
        ...state,
        lastTurn: event.data.turn,
        queued: state.queued.filter(({ id }) => !taken.has(id)),
        open: { turn: event.data.turn, messages: state.queued.filter(({ id }) => taken.has(id)), outputs: 0 }
      }
    }
    case "turn/output":
      return state.open === null ? state : { ...state, open: { ...state.open, outputs: state.open.outputs + 1 } }
    case "turn/ended":
      return { ...state, open: null }
  }
}

/** What a fork takes over: the numbers that are used, and nothing that waits or is open; that is its parent's to do. */
export const inherit = (state: Conversation): Conversation => ({ ...state, queued: [], open: null })

/** The messages of the next turn: prompts that wait together share one, a follow-up is alone in its own. */
export const nextTurn = ({ queued }: Conversation): ReadonlyArray<Message> => {
  const followUp = queued.findIndex(({ kind }) => kind === "follow-up")
  return followUp === 0 ? queued.slice(0, 1) : queued.slice(0, followUp < 0 ? undefined : followUp)
}

const again = (message: Message, state: Conversation): ReadonlyArray<HostEvent> =>
  message.kind === "follow-up" && message.attempt < MAX_ATTEMPTS
    ? [
        {
          type: "inbox/queued",
          data: { message: { ...message, id: state.lastMessage + 1, attempt: message.attempt + 1 } }
        }
      ]
    : []

/**
 * What closes a turn that was cut off. Reminders that nobody can have seen are queued again; a prompt is not, since what
 * its turn did may already be done.
 */
export const closeInterrupted = (state: Conversation): ReadonlyArray<HostEvent> => {
  if (state.open === null) return []
  const { turn, messages, outputs } = state.open
  const unseen = outputs === 0 ? messages.flatMap((message) => again(message, state)) : []
  return [{ type: "turn/ended", data: { turn, outcome: "interrupted" } }, ...unseen]
}
