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

/** What an event adds, given the messages that were queued before it. */
const messagesOf = (event: HostEvent, queued: ReadonlyMap<number, Message>): ReadonlyArray<Prompt.Message> => {
  switch (event.type) {
    case "turn/started":
      return event.data.messages.flatMap((id) => {
        const message = queued.get(id)
        return message === undefined ? [] : [userMessage(message)]
      })
    case "turn/output":
      return Option.toArray(decodeOutput(event.data.message))
    case "turn/ended":
      return event.data.outcome === "completed" ? [] : [cutShort]
    case "inbox/queued":
      return []
  }
}

/**
 * The messages of a log's turns, in order: what the model was told, and what it answered. Where the events begin in the
 * middle of a turn, the rest of it is left out: providers refuse the result of a call that they can't see.
 */
export const messages = (events: ReadonlyArray<SessionEvent>): ReadonlyArray<Prompt.Message> => {
  const queued = new Map<number, Message>()
  const told = events.flatMap((event) => {
    const read = Option.flatMap(Conversation.read(event), Result.getSuccess)
    if (Option.isNone(read)) return []
    if (read.value.type === "inbox/queued") queued.set(read.value.data.message.id, read.value.data.message)
    return messagesOf(read.value, queued)
  })
  return Array.dropWhile(told, ({ role }) => role !== "user")
}
