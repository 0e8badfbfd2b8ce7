/**
 * A prompt, as the local model sees it: the turns that are over, and the one that it is to go on with.
 */
import type { Prompt } from "effect/ai"
import type { Exchange } from "./Dialogue.ts"
import * as Question from "./Question.ts"
import type { Result } from "./Reply.ts"

/** The result of a call, and the tool that gave it. */
export interface NamedResult extends Result {
  readonly name: string
}

export interface Transcript {
  /** The text of all system messages. */
  readonly system: string
  readonly history: ReadonlyArray<Exchange>
  /** The messages to answer: all that came after the last answer, however many wait together. */
  readonly told: ReadonlyArray<string>
  /** The results of the calls that were made for them, by the id of the call. */
  readonly results: ReadonlyMap<string, NamedResult>
  /** Whether they were answered already. */
  readonly isAnswered: boolean
}

interface Open extends Exchange {
  readonly results: ReadonlyMap<string, NamedResult>
  /** The role of the last message. */
  readonly last: Prompt.Message["role"]
}

interface State {
  readonly system: ReadonlyArray<string>
  readonly history: ReadonlyArray<Exchange>
  readonly open: Open
}

const NOTHING: Open = { told: [], answer: "", results: new Map(), last: "user" }

const textOf = (message: Prompt.UserMessage | Prompt.AssistantMessage): string =>
  message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")

const resultsOf = (message: Prompt.ToolMessage): ReadonlyArray<readonly [string, NamedResult]> =>
  message.content.flatMap((part) => (part.type === "tool-result" ? [[part.id, part] as const] : []))

const join = (...texts: ReadonlyArray<string>): string => texts.filter((text) => text !== "").join(Question.PARAGRAPH)

const tell = ({ open, history, ...state }: State, text: string): State =>
  open.last === "user"
    ? { ...state, history, open: { ...open, told: [...open.told, text] } }
    : {
        ...state,
        history: [...history, { told: open.told, answer: open.answer }],
        open: { ...NOTHING, told: [text] }
      }

const add = (state: State, message: Prompt.Message): State => {
  const { open, system } = state
  switch (message.role) {
    case "system":
      return { ...state, system: [...system, message.content] }
    case "user":
      return tell(state, textOf(message))
    case "assistant":
      return { ...state, open: { ...open, last: "assistant", answer: join(open.answer, textOf(message)) } }
    case "tool":
      return { ...state, open: { ...open, last: "tool", results: new Map([...open.results, ...resultsOf(message)]) } }
  }
}

/** Reads a prompt. */
export const read = ({ content }: Prompt.Prompt): Transcript => {
  const start: State = { system: [], history: [], open: NOTHING }
  const { system, history, open } = content.reduce(add, start)
  const { told, results, last } = open
  return { system: system.join("\n\n"), history, told, results, isAnswered: last === "assistant" }
}
