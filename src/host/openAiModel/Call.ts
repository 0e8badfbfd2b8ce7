/**
 * What the endpoint is asked: the conversation and the tools, from the words of `effect/ai` into those of the client.
 */
import { type LanguageModel, OpenAiStructuredOutput, type Prompt, Tool } from "effect/ai"
import type { Call } from "./Client.ts"

type Message = Call["prompt"][number]
type User = Extract<Message, { role: "user" }>
type Assistant = Extract<Message, { role: "assistant" }>
type Result = Extract<Message, { role: "tool" }>

const userPart = (part: Prompt.UserMessagePart): User["content"][number] =>
  part.type === "text"
    ? { type: "text", text: part.text }
    : {
        type: "file",
        mediaType: part.mediaType,
        data: part.data instanceof URL ? { type: "url", url: part.data } : { type: "data", data: part.data }
      }

/** Servers read arguments as an object, whatever a model once sent. */
const inputOf = (params: unknown): unknown =>
  typeof params === "object" && params !== null && !Array.isArray(params) ? params : { arguments: params }

const assistantPart = (part: Prompt.AssistantMessagePart): Assistant["content"] => {
  switch (part.type) {
    case "text":
      return [{ type: "text", text: part.text }]
    case "tool-call":
      return [
        {
          type: "tool-call",
          toolCallId: part.id,
          toolName: part.name,
          input: inputOf(part.params),
          providerOptions: part.options as NonNullable<Assistant["content"][number]["providerOptions"]>
        }
      ]
    default:
      return []
  }
}

const resultPart = (part: Prompt.ToolMessagePart): Result["content"] =>
  part.type === "tool-result"
    ? [
        {
          type: "tool-result",
          toolCallId: part.id,
          toolName: part.name,
          output: { type: "json", value: part.result as never }
        }
      ]
    : []

const message = (message: Prompt.Message): Message => {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.content }
    case "user":
      return { role: "user", content: message.content.map(userPart) }
    case "assistant":
      return { role: "assistant", content: message.content.flatMap(assistantPart) }
    case "tool":
      return { role: "tool", content: message.content.flatMap(resultPart) }
  }
}

/** The JSON Schema goes as it is: it is exact already, and `strict` is a dialect of one provider. */
const tool = (tool: Tool.Any): NonNullable<Call["tools"]>[number] => ({
  type: "function",
  name: tool.name,
  inputSchema: Tool.getJsonSchema(tool) as never,
  ...(tool.description === undefined ? {} : { description: tool.description })
})

const choice = (choice: LanguageModel.ToolChoice<string>): NonNullable<Call["toolChoice"]> => {
  if (typeof choice === "string") return { type: choice }
  return "tool" in choice ? { type: "tool", toolName: choice.tool } : { type: choice.mode ?? "auto" }
}

type Format = LanguageModel.ProviderOptions["responseFormat"]

const format = (format: Format): NonNullable<Call["responseFormat"]> => {
  if (format.type === "text") return { type: "text" }
  const schema = Tool.getJsonSchemaFromSchema(format.schema, { transformer: OpenAiStructuredOutput.toCodecOpenAI })
  return { type: "json", name: format.objectName, schema: schema as never }
}

/** The call that asks for the next step of a conversation. */
export const make = ({ prompt, tools, toolChoice, responseFormat }: LanguageModel.ProviderOptions): Call => ({
  prompt: prompt.content.map(message),
  tools: tools.map(tool),
  toolChoice: choice(toolChoice),
  responseFormat: format(responseFormat)
})
