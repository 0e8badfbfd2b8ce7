/**
 * What the model has seen of a conversation so far, rebuilt from the Session's log.
 */
import { Array, Option, Result, Schema } from "effect"
import { Prompt } from "effect/ai"
import type { SessionEvent } from "../domain/Session.ts"
import * as Conversation from "./Conversation.ts"
import type { HostEvent, Message } from "./HostEvent.ts"

const userMessage = ({ text }: Message): Prompt.Message =>
  Prompt.userMessage({ content: [Prompt.makePart("text", { text })] })

/** Without it a later turn would answer what this one left unanswered, and do again what it may have done. */
const cutShort = Prompt.assistantMessage({
  content: [Prompt.makePart("text", { text: "(This turn ended before it was finished.)" })]
})

const decodeOutput = Schema.decodeUnknownOption(Prompt.Message)

type Told = ReadonlyArray<Prompt.Message>

const isCall = (message: Prompt.Message): boolean =>
  message.role === "assistant" && message.content.some((part) => part.type === "tool-call" && !part.providerExecuted)

/** A call that a crash left without its result goes, since providers refuse to see one. */
const closeOff = (told: Told): Told => {
  const last = told.at(-1)
  return [...(last !== undefined && isCall(last) ? told.slice(0, -1) : told), cutShort]
}

interface State {
  readonly told: Told
  readonly isOpen: boolean
  readonly queued: ReadonlyMap<number, Message>
}

const begin = ({ told, queued }: State, ids: ReadonlyArray<number>): State => {
  const messages = ids.flatMap((id) => queued.get(id) ?? [])
  return { told: [...told, ...messages.map(userMessage)], isOpen: true, queued }
}

const evolve = (state: State, event: HostEvent): State => {
  switch (event.type) {
    case "inbox/queued":
      return { ...state, queued: new Map(state.queued).set(event.data.message.id, event.data.message) }
    case "turn/started":
      return begin(state, event.data.messages)
    case "turn/output":
      return { ...state, told: [...state.told, ...Option.toArray(decodeOutput(event.data.message))] }
    case "turn/ended":
      return { ...state, told: event.data.outcome === "completed" ? state.told : closeOff(state.told), isOpen: false }
  }
}

/** What the parent's turn goes on to say is not in a fork, where it counts as cut short. */
const fork = (state: State): State => (state.isOpen ? { ...state, told: closeOff(state.told), isOpen: false } : state)

/**
 * The messages of a log's turns, in order: what the model was told, and what it answered. Where the events begin in the
 * middle of a turn, the rest of it is left out: providers refuse the result of a call that they can't see.
 */
export const messages = (events: ReadonlyArray<SessionEvent>, seedLength = 0): Told => {
  let state: State = { told: [], isOpen: false, queued: new Map() }
  for (const event of events) {
    if (event.seq === seedLength) state = fork(state)
    const read = Option.flatMap(Conversation.read(event), Result.getSuccess)
    if (Option.isSome(read)) state = evolve(state, read.value)
  }
  return Array.dropWhile(state.told, ({ role }) => role !== "user")
}

/** The later half of what was told, from a message of the user on; it is always less. */
export const halve = (told: Told): Told =>
  Array.dropWhile(told.slice(Math.ceil(told.length / 2)), ({ role }) => role !== "user")

/** The same before a turn that is open now, and then what that turn is to answer, however long ago it was queued. */
export const upTo = (
  { turn, messages: open }: { readonly turn: number; readonly messages: ReadonlyArray<Message> },
  events: ReadonlyArray<SessionEvent>,
  seedLength = 0
): Told => {
  const started = events.findIndex(({ type, data }) => type === "turn/started" && Object(data).turn === turn)
  return [...messages(started < 0 ? events : events.slice(0, started), seedLength), ...open.map(userMessage)]
}
