/**
 * Lengths of time in words: "10 minutes", "an hour and a half", "1h30m".
 */
import { Option } from "effect"
import { NUMBER, numberOf, secondsOf, UNIT } from "./Vocabulary.ts"

/** Spoken fractions, as the plain terms that they mean. */
const SPOKEN: ReadonlyArray<readonly [pattern: RegExp, plain: string]> = [
  [/\bthree[- ]quarters of an hour\b/giu, "45 minutes"],
  [/\b(?:a )?quarter of an hour\b/giu, "15 minutes"],
  [/\b(?:a )?half(?: an?)?[- ]hour\b/giu, "30 minutes"],
  [/\b(?:a )?half(?: an?)?[- ]minute\b/giu, "30 seconds"],
  [/\b(?:an?|one) (hour|minute|day|week) and a half\b/giu, "1.5 $1s"],
  [/\b(\d+) and a half (hours|minutes|days|weeks)\b/giu, "$1.5 $2"],
  [/\b(?:a )?couple(?: of)?\b/giu, "2"]
]

const TERM = new RegExp(`(?:\\s*,?\\s*(?:and\\s+)?)(${NUMBER})(?:\\s*|-)(${UNIT})(?![a-z])`, "iuy")

const total = (text: string): number => {
  let [seconds, end] = [0, 0]
  while (end < text.length) {
    TERM.lastIndex = end
    const match = TERM.exec(text)
    if (match === null) return Number.NaN
    const [, amount = "", unit = ""] = match
    seconds += numberOf(amount) * secondsOf(unit)
    end = TERM.lastIndex
  }
  return seconds
}

/** The whole seconds of the duration that the whole text names; none if it names none, or less than a second. */
export const read = (text: string): Option.Option<number> => {
  const plain = SPOKEN.reduce((text, [pattern, plain]) => text.replaceAll(pattern, plain), text.trim())
  const seconds = Math.round(total(plain) * 1_000) / 1_000
  return Number.isInteger(seconds) && seconds > 0 ? Option.some(seconds) : Option.none()
}

const PARTS: ReadonlyArray<readonly [seconds: number, name: string]> = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
  [1, "second"]
]

/** "1 hour 30 minutes": whole seconds from 0 up, in words. */
export const format = (seconds: number): string => {
  let rest = seconds
  const parts = PARTS.flatMap(([unit, name]) => {
    const amount = Math.floor(rest / unit)
    rest -= amount * unit
    return amount === 0 ? [] : [`${amount} ${name}${amount === 1 ? "" : "s"}`]
  })
  return parts.length === 0 ? "0 seconds" : parts.join(" ")
}
