/**
 * A prompt, as the local model sees it: the turns that are over, and the one that it is to go on with.
 */
import type { Prompt } from "effect/ai"
import type { Exchange } from "./Dialogue.ts"
import * as Question from "./Question.ts"
import type { Result } from "./Reply.ts"

/** The result of a call, and the tool that gave it. */
interface NamedResult extends Result {
  readonly name: string
}

export interface Transcript {
  /** The text of all system messages. */
  readonly system: string
  readonly history: ReadonlyArray<Exchange>
  /** The ids of the calls that were made in them. */
  readonly called: ReadonlyArray<string>
  /** The messages to answer: all that came after the last answer, however many wait together. */
  readonly told: ReadonlyArray<string>
  /** The results of the calls that were made for them, by the id of the call. */
  readonly results: ReadonlyMap<string, NamedResult>
  /** Whether they were answered already. */
  readonly isAnswered: boolean
}

/** A turn while it is read. `last` is the role of its last message. */
interface Open extends Exchange {
  readonly results: ReadonlyMap<string, NamedResult>
  readonly last: "user" | "assistant" | "tool"
}

const textOf = (message: Prompt.UserMessage | Prompt.AssistantMessage): string =>
  message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")

const resultsOf = (message: Prompt.ToolMessage): ReadonlyArray<readonly [string, NamedResult]> =>
  message.content.flatMap((part) => (part.type === "tool-result" ? [[part.id, part] as const] : []))

const join = (...texts: ReadonlyArray<string>): string => texts.filter((text) => text !== "").join(Question.PARAGRAPH)

const begin = (...told: ReadonlyArray<string>): Open => ({ told, answer: "", results: new Map(), last: "user" })

const goOn = (open: Open, message: Exclude<Prompt.Message, Prompt.SystemMessage>): Open => {
  switch (message.role) {
    case "user":
      return { ...open, told: [...open.told, textOf(message)] }
    case "assistant":
      return { ...open, last: "assistant", answer: join(open.answer, textOf(message)) }
    case "tool":
      return { ...open, last: "tool", results: new Map([...open.results, ...resultsOf(message)]) }
  }
}

/** Reads a prompt. */
export const read = ({ content }: Prompt.Prompt): Transcript => {
  const system: Array<string> = []
  const history: Array<Exchange> = []
  const called: Array<string> = []
  let open = begin()
  for (const message of content) {
    if (message.role === "system") system.push(message.content)
    else if (message.role === "user" && open.last !== "user") {
      history.push({ told: open.told, answer: open.answer })
      called.push(...open.results.keys())
      open = begin(textOf(message))
    } else open = goOn(open, message)
  }
  const { told, results, last } = open
  return { system: system.join("\n\n"), history, called, told, results, isAnswered: last === "assistant" }
}
