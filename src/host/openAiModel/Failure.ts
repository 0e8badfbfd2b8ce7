/**
 * Why a call failed, as a reason of `effect/ai`. Nothing in it is the endpoint's own text, which may repeat what it was
 * sent; that text is only searched for the faults that have no status of their own.
 */
import { Duration, Predicate } from "effect"
import { AiError } from "effect/ai"

type Reason = AiError.AiErrorReason

/** What the client throws if the endpoint answered with an error, or could not be reached. */
interface CallError {
  readonly statusCode?: number
  readonly isRetryable: boolean
  readonly responseHeaders?: Readonly<Record<string, string>>
  readonly responseBody?: string
}

const isCallError = (error: unknown): error is CallError => error instanceof Error && error.name === "AI_APICallError"

const network = new AiError.NetworkError({ reason: "TransportError", method: "POST", url: "/chat/completions" })
const unreadable = new AiError.InvalidResponseError({ description: "no chat completion" })
const tooLong = new AiError.InvalidRequestError({ parameter: "messages", constraint: "context_length" })
const wrong = (parameter: string): Reason => new AiError.InvalidRequestError({ parameter })

const OUT_OF_QUOTA = /insufficient_quota|billing|credit balance/iu

/** What servers write into the refusal of a request, in the order in which it counts. */
const refusals: ReadonlyArray<readonly [text: RegExp, reason: Reason]> = [
  [/context.{0,9}(length|size|window)|n_ctx|prompt is too long|max_tokens must be at least 1/iu, tooLong],
  [/not support tools|tool[ -_]choice|tool[ -_]call[ -_]parser|--jinja/iu, wrong("tools")],
  [/content_filter|content management policy/iu, new AiError.ContentPolicyError({ description: "the prompt" })],
  [/(invalid|unknown|no such|not a valid) model|model.{0,80}not (found|exist)/iu, wrong("model")]
]

/** How long to wait before the next try, as the endpoint says it: in milliseconds, in seconds, or until a time. */
const retryAfter = (headers: Readonly<Record<string, string>>): { readonly retryAfter?: Duration.Duration } => {
  const { "retry-after-ms": exact = "", "retry-after": text = "", date = "" } = headers
  const millis = exact === "" ? Number(text || Number.NaN) * 1_000 : Number(exact)
  const wait = Number.isNaN(millis) ? Date.parse(text) - Date.parse(date) : millis
  return wait >= 0 && wait < Infinity ? { retryAfter: Duration.millis(wait) } : {}
}

/** What an HTTP status means, with the text and the headers that came with it. */
const ofStatus = (status: number, text: string, headers: Readonly<Record<string, string>>): Reason => {
  if (status < 400) return wrong("url")
  if (status === 401) return new AiError.AuthenticationError({ kind: "InvalidKey" })
  if (status === 403) return new AiError.AuthenticationError({ kind: "InsufficientPermissions" })
  if (status === 402 || (status === 429 && OUT_OF_QUOTA.test(text))) return new AiError.QuotaExhaustedError({})
  if (status === 404) return wrong(/model/iu.test(text) ? "model" : "url")
  if (status === 408) return network
  if (status === 413) return tooLong
  if (status === 429 || status === 503) return new AiError.RateLimitError(retryAfter(headers))
  if (status >= 500) return new AiError.InternalProviderError({ description: `HTTP ${status}` })
  return refusals.find(([pattern]) => pattern.test(text))?.[1] ?? new AiError.InvalidRequestError({})
}

const ofCall = ({ statusCode, isRetryable, responseBody = "", responseHeaders = {} }: CallError): Reason => {
  if (statusCode === undefined) return network
  if (statusCode < 300) return isRetryable ? network : unreadable
  return ofStatus(statusCode, responseBody, responseHeaders)
}

const reasonOf = (error: unknown): Reason => {
  if (isCallError(error)) return ofCall(error)
  if (error instanceof Error) return error.name.startsWith("AI_") ? unreadable : network
  // A stream that has begun well says in one of its events what went wrong.
  return Predicate.hasProperty(error, "code") && typeof error.code === "number"
    ? ofStatus(error.code, JSON.stringify(error), {})
    : new AiError.InternalProviderError({ description: "in the middle of an answer" })
}

export const make = (method: string, error: unknown): AiError.AiError =>
  AiError.make({ module: "OpenAiModel", method, reason: reasonOf(error) })

/** The words by which endpoints name a fault; a sentence of theirs may repeat what they were sent. */
const NAMES = /"(?:code|type)"\s*:\s*"(\w{1,64})"/gu

/** How the endpoint names what is wrong, for whoever looks for a fault. */
export const quote = (error: unknown): string => {
  if (!isCallError(error) || error.statusCode === undefined) return "The endpoint did not answer."
  const names = [...(error.responseBody ?? "").matchAll(NAMES)].map(([, name]) => name)
  return `The endpoint answered ${[error.statusCode, ...new Set(names)].join(", ")}.`
}
