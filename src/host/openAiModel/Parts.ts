/**
 * What the endpoint answered, from the words of the client into those of `effect/ai`. What a model thinks is left out: it
 * is no part of what it says, and Chat Completions takes none of it back.
 */
import { Option, Schema } from "effect"
import type { Response } from "effect/ai"
import type { Answer, StreamPart } from "./Client.ts"

const parseJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** Arguments that are no JSON stay the text that they are: the tool then says what is wrong with them. */
const paramsOf = (input: string): unknown =>
  input.trim() === "" ? {} : Option.getOrElse(parseJson(input), () => input)

type Call = Extract<Answer["content"][number], { type: "tool-call" }>

const toolCall = ({ toolCallId, toolName, input, providerMetadata }: Call): Response.ToolCallPartEncoded => ({
  type: "tool-call",
  id: toolCallId,
  name: toolName,
  params: paramsOf(input),
  ...(providerMetadata === undefined ? {} : { metadata: providerMetadata as Response.ToolCallPartMetadata })
})

const finish = ({ finishReason, usage }: Pick<Answer, "finishReason" | "usage">): Response.FinishPartEncoded => {
  const { total, noCache: uncached, cacheRead, cacheWrite } = usage.inputTokens
  const { text, reasoning } = usage.outputTokens
  return {
    type: "finish",
    reason: finishReason.unified === "interrupted" ? "error" : finishReason.unified,
    usage: {
      inputTokens: { total, uncached, cacheRead, cacheWrite },
      outputTokens: { total: usage.outputTokens.total, text, reasoning }
    }
  }
}

/** The parts of a whole answer. */
export const ofAnswer = (answer: Answer): Array<Response.PartEncoded> => [
  ...answer.content.flatMap((part): ReadonlyArray<Response.PartEncoded> => {
    if (part.type === "text") return [{ type: "text", text: part.text }]
    return part.type === "tool-call" ? [toolCall(part)] : []
  }),
  finish(answer)
]

/** The parts that one part of a streamed answer adds. */
export const ofStreamPart = (part: StreamPart): ReadonlyArray<Response.StreamPartEncoded> => {
  switch (part.type) {
    case "text-start":
    case "text-end":
      return [{ type: part.type, id: part.id }]
    case "text-delta":
      return [{ type: "text-delta", id: part.id, delta: part.delta }]
    case "tool-input-start":
      return [{ type: "tool-params-start", id: part.id, name: part.toolName }]
    case "tool-input-delta":
      return [{ type: "tool-params-delta", id: part.id, delta: part.delta }]
    case "tool-input-end":
      return [{ type: "tool-params-end", id: part.id }]
    case "tool-call":
      return [toolCall(part)]
    case "finish":
      return [finish(part)]
    default:
      return []
  }
}
