/**
 * A model behind an OpenAI-compatible endpoint, such as those of OpenAI, Ollama and vLLM, with tools. It tries nothing
 * twice: its failures say whether another try may help.
 */
import { Effect, Layer, Stream } from "effect"
import { type AiError, LanguageModel, OpenAiStructuredOutput } from "effect/ai"
import * as Call from "./openAiModel/Call.ts"
import * as Client from "./openAiModel/Client.ts"
import * as Failure from "./openAiModel/Failure.ts"
import type { Options } from "./openAiModel/Options.ts"
import * as Parts from "./openAiModel/Parts.ts"

export type { Options }

const streamFailure = (error: unknown): AiError.AiError => Failure.make("streamText", error)

const streamParts = (stream: ReadableStream<Client.StreamPart>) =>
  Stream.fromReadableStream({ evaluate: () => stream, onError: streamFailure }).pipe(
    Stream.flatMap((part) =>
      part.type === "error" ? Stream.fail(streamFailure(part.error)) : Stream.fromIterable(Parts.ofStreamPart(part))
    )
  )

/** Builds the model. It connects to nothing before it is asked something. */
export const make = (options: Options): Effect.Effect<LanguageModel.LanguageModel> => {
  const client = Client.make(options)

  const send = <A>(method: "generateText" | "streamText", run: (abortSignal: AbortSignal) => PromiseLike<A>) =>
    Effect.tryPromise({ try: run, catch: (error) => ({ error }) }).pipe(
      Effect.tapError(({ error }) => Effect.logDebug(Failure.quote(error))),
      Effect.mapError(({ error }) => Failure.make(method, error))
    )

  return LanguageModel.make({
    generateText: (asked) => {
      const call = Call.make(asked)
      const answer = send("generateText", (abortSignal) => client.doGenerate({ ...call, abortSignal }))
      return Effect.map(answer, Parts.ofAnswer)
    },
    streamText: (asked) => {
      const call = Call.make(asked)
      const answer = send("streamText", (abortSignal) => client.doStream({ ...call, abortSignal }))
      return Stream.unwrap(Effect.map(answer, ({ stream }) => streamParts(stream)))
    },
    codecTransformer: OpenAiStructuredOutput.toCodecOpenAI,
    supportsSystemMessagesInHistory: Effect.succeed(true)
  })
}

/** The model, as a layer. */
export const layer = (options: Options): Layer.Layer<LanguageModel.LanguageModel> =>
  Layer.effect(LanguageModel.LanguageModel, make(options))
