/**
 * A reminder's text, exactly as it is stored and later shown: one that every store and every model can hold.
 */
import { Result, Schema } from "effect"
import { invalid, type InvalidRequest } from "./ScheduleError.ts"

/** The longest prompt, in bytes of UTF-8. */
export const MAX_BYTES = 16_384

const byteLength = (text: string): number => new TextEncoder().encode(text).length

/** What is wrong with a text as a prompt, and what to write instead; undefined if nothing is. */
const complaint = (text: string): string | undefined => {
  if (text.trim() === "") return "prompt: write what to be reminded of; it is empty"
  if (!text.isWellFormed()) return "prompt: it holds half of a surrogate pair, which is no character; remove it"
  if (text.includes("\0")) return "prompt: it holds a NUL character; remove it"
  const bytes = byteLength(text)
  return bytes > MAX_BYTES ? `prompt: at most ${MAX_BYTES} bytes of UTF-8; this one has ${bytes}` : undefined
}

/** A trimmed, non-empty text of at most 16,384 bytes of UTF-8, without NUL or lone surrogates. */
export const Prompt = Schema.String.check(
  Schema.makeFilter((text: string) => text === text.trim() && complaint(text) === undefined, {
    expected: "a trimmed prompt of 1 to 16384 bytes"
  })
).pipe(Schema.brand("Prompt"))
export type Prompt = typeof Prompt.Type

/** The prompt that any input makes, trimmed; fails with `invalid_prompt`. */
export const fromInput = (input: unknown): Result.Result<Prompt, InvalidRequest> => {
  if (typeof input !== "string") return Result.fail(invalid("invalid_prompt", "prompt: write a text"))
  const text = input.trim()
  const reason = complaint(text)
  return reason === undefined ? Result.succeed(text as Prompt) : Result.fail(invalid("invalid_prompt", reason))
}
