/**
 * What a turn says when its model failed: what happened, and what to do about it. Never what the provider wrote, which
 * may hold a key or what someone said.
 */
import { Duration } from "effect"
import type { AiError } from "effect/ai"

type Reason = AiError.AiError["reason"]

const busy = (wait: Duration.Duration | undefined): string => {
  const when = wait === undefined ? "later" : `in ${Math.ceil(Duration.toSeconds(wait))} seconds`
  return `The model's provider takes no more requests for now: ask again ${when}.`
}

const refused: Readonly<Record<string, string>> = {
  model: "The provider knows no such model: check the model's name.",
  url: "There is no model at the configured URL: check it; it often ends in /v1.",
  messages: "This is too long for the model, even without what was said before: say less, or use one that takes more.",
  tools: "The model, or the server that runs it, can't call tools: use one that can."
}

/** Whether the model takes no conversation of that length: a shorter one may do. */
export const isTooLong = (reason: Reason): boolean =>
  reason._tag === "InvalidRequestError" && reason.parameter === "messages" && reason.constraint === "context_length"

/** The failure of a model, in a sentence or two for the people in the conversation. */
export const describe = (reason: Reason): string => {
  switch (reason._tag) {
    case "AuthenticationError":
      return reason.kind === "InsufficientPermissions"
        ? "The model's provider does not let this key use the model: check the key's permissions."
        : "The model's provider did not accept the key: check the one that the server was started with."
    case "QuotaExhaustedError":
      return "The account with the model's provider has nothing left to spend: check its plan and its billing."
    case "RateLimitError":
      return busy(reason.retryAfter)
    case "NetworkError":
      return "The model can't be reached: check that it runs, and the URL that the server was started with."
    case "InternalProviderError":
      return "The model's provider has a fault of its own: ask again later."
    case "InvalidRequestError":
      return refused[reason.parameter ?? ""] ?? "The model's provider refused the request."
    case "InvalidResponseError":
      return "What the provider answered is not a model's answer: check the configured URL; it often ends in /v1."
    case "ContentPolicyError":
      return "The model's provider withheld the answer by its content policy."
    default:
      return "The model failed, and gave no usable answer: ask again."
  }
}

const cutOff: Readonly<Record<string, string>> = {
  length: "The model's answer was cut off at the greatest length that it may have.",
  "content-filter": "The model's provider withheld the answer, or the rest of it, by its content policy.",
  error: "The model's answer was cut off by a fault of its provider: ask again later."
}

/** Whether an answer that ended for that reason is not whole. */
export const isCutOff = (finishReason: string): boolean => finishReason in cutOff

/** What is wrong with an answer that came; undefined if nothing is. */
export const describeAnswer = (answer: {
  readonly text: string
  readonly toolCalls: ReadonlyArray<unknown>
  readonly finishReason: string
}): string | undefined =>
  cutOff[answer.finishReason] ??
  (answer.toolCalls.length === 0 && answer.text.trim() === "" ? "The model gave no answer." : undefined)
