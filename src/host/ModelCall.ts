/**
 * One question to the model, asked again while what failed may pass. The model is told of tools and runs none, so that
 * asking again repeats nothing that was done.
 */
import { Duration, Effect, Random, Schema } from "effect"
import { type AiError, LanguageModel, type Prompt, type Tool, type Toolkit } from "effect/ai"
import { RetryDelay } from "../services/Scheduler.ts"
import { TurnFailed } from "./Agent.ts"
import * as ModelFailure from "./ModelFailure.ts"

/** How often the model is asked before its failure is final. */
const MAX_TRIES = 4

/** How long one question may take in all, in milliseconds: reminders wait for the turn to end. */
const PATIENCE_MILLIS = 300_000

/** The model takes no conversation of that length; the message is for when no shorter one can be told. */
export class TooLong extends Schema.TaggedError<TooLong>()("TooLong", { message: Schema.String }) {}

const TOO_SLOW = "The model took longer than five minutes: ask again, or use a quicker one."

const mayPass = ({ reason }: AiError.AiError): boolean =>
  reason._tag === "RateLimitError" ||
  reason._tag === "InternalProviderError" ||
  (reason._tag === "NetworkError" && reason.isRetryable)

/** How long to wait after so many tries, in milliseconds: never shorter than the provider asks for. */
const delayOf = Effect.fnUntraced(function* (error: AiError.AiError, tries: number) {
  const { firstMillis, longestMillis } = yield* RetryDelay
  const asked = error.retryAfter === undefined ? 0 : Duration.toMillis(error.retryAfter)
  if (!mayPass(error) || tries >= MAX_TRIES || asked > longestMillis) return undefined
  const millis = Math.max(asked, Math.min(firstMillis * 2 ** (tries - 1), longestMillis))
  return millis * (yield* Random.nextBetween(1, 1.2))
})

const again = <A, R>(ask: Effect.Effect<A, AiError.AiError, R>, tries = 1): Effect.Effect<A, AiError.AiError, R> =>
  Effect.catch(ask, (error) =>
    Effect.flatMap(delayOf(error, tries), (millis) => {
      if (millis === undefined) return Effect.fail(error)
      const logged = Effect.logInfo(`The model failed (${error.reason._tag}) and is asked again`)
      return logged.pipe(Effect.andThen(Effect.sleep(millis)), Effect.andThen(again(ask, tries + 1)))
    })
  )

const failed = ({ reason }: AiError.AiError): Effect.Effect<never, TurnFailed | TooLong> => {
  const message = ModelFailure.describe(reason)
  if (ModelFailure.isTooLong(reason)) return Effect.fail(new TooLong({ message }))
  return Effect.andThen(Effect.logWarning(`${message} (${reason._tag})`), Effect.fail(new TurnFailed({ message })))
}

/** The model's next step in a conversation, or why there is none. */
export const ask = <Tools extends Record<string, Tool.Any>>(
  prompt: Prompt.Prompt,
  toolkit: Toolkit.WithHandler<Tools>
) =>
  again(
    LanguageModel.generateText({
      prompt,
      toolkit,
      disableToolCallResolution: true,
      toolCallValidation: "deferred"
    })
  ).pipe(
    Effect.catch(failed),
    Effect.timeoutOrElse({
      duration: PATIENCE_MILLIS,
      orElse: () => Effect.fail(new TurnFailed({ message: TOO_SLOW }))
    }),
    Effect.withSpan("ModelCall.ask")
  )
