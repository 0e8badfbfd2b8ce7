/** A model that answers, or fails, as a test says, and keeps what it was asked. */
import { Clock, Effect, Layer, Stream } from "effect"
import { AiError, LanguageModel, type Response } from "effect/ai"

type Parts = Array<Response.PartEncoded>
export type Answer = Effect.Effect<Parts, AiError.AiError>

const finish = (reason: Response.FinishReason): Response.PartEncoded => ({
  type: "finish",
  reason,
  usage: { inputTokens: {}, outputTokens: {} }
})

export const says = (text: string, reason: Response.FinishReason = "stop"): Answer =>
  Effect.succeed([{ type: "text", text }, finish(reason)])

export const calls = (name: string, params: unknown, reason: Response.FinishReason = "tool-calls"): Answer =>
  Effect.succeed([{ type: "tool-call", id: "call", name, params }, finish(reason)])

export const fails = (reason: AiError.AiError["reason"]): Answer =>
  Effect.fail(AiError.make({ module: "ScriptedModel", method: "generateText", reason }))

interface Asked {
  /** When, in milliseconds of the test's clock. */
  readonly at: number
  readonly prompt: LanguageModel.ProviderOptions["prompt"]
}

/** A model that gives the answers one after the other, and the last of them from then on. */
export const make = (...answers: ReadonlyArray<Answer>) => {
  const asked: Array<Asked> = []
  const next = ({ prompt }: LanguageModel.ProviderOptions) =>
    Effect.flatMap(Clock.currentTimeMillis, (at) => {
      asked.push({ at, prompt })
      return answers[Math.min(asked.length, answers.length) - 1] ?? Effect.never
    })
  const model = LanguageModel.make({ generateText: next, streamText: () => Stream.empty })
  return { asked, layer: Layer.effect(LanguageModel.LanguageModel, model) }
}
