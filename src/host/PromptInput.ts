/**
 * What someone says in a Session, checked: the text as it is, and the speaker's zone by its canonical name.
 */
import { Effect, Option } from "effect"
import * as Quote from "../domain/Quote.ts"
import * as TimeZone from "../domain/TimeZone.ts"
import { HostError } from "./HostError.ts"
import type { PromptInput } from "./Sessions.ts"

export interface CheckedPrompt {
  readonly text: string
  readonly timeZone: TimeZone.TimeZone | undefined
}

const isText = (text: unknown): text is string =>
  typeof text === "string" && text.trim() !== "" && text.isWellFormed() && !text.includes("\0")

/** A runtime's own name of a zone, so that two browsers in one zone don't seem to be in two. */
const canonical = (zone: TimeZone.TimeZone): TimeZone.TimeZone =>
  Option.getOrElse(
    TimeZone.fromInput(new Intl.DateTimeFormat("en-US", { timeZone: zone }).resolvedOptions().timeZone),
    () => zone
  )

/** Only texts are quoted: to write down a value of any other shape may be endless, or fail. */
const unknownZone = (input: unknown): HostError =>
  new HostError({
    code: "invalid_time_zone",
    message: `timeZone: ${typeof input === "string" ? `${Quote.quote(input)} is not known; ` : ""}write "UTC" or an IANA name, such as "Asia/Shanghai".`
  })

const decodeZone = (input: unknown): Effect.Effect<TimeZone.TimeZone | undefined, HostError> => {
  if (input === undefined) return Effect.succeed(undefined)
  const zone = typeof input === "string" ? TimeZone.fromInput(input) : Option.none()
  return Option.match(zone, {
    onNone: () => unknownZone(input),
    onSome: (known) => Effect.succeed(canonical(known))
  })
}

/** Refuses a text that can't be kept, and a zone that is not known. */
export const decode = ({ text, timeZone }: PromptInput): Effect.Effect<CheckedPrompt, HostError> =>
  isText(text)
    ? Effect.map(decodeZone(timeZone), (zone) => ({ text, timeZone: zone }))
    : new HostError({
        code: "invalid_prompt",
        message: "text: write something to say; neither NUL nor half of a surrogate pair may be in it."
      })
