/**
 * Which reminders someone means by some words of them.
 */
import type { ScheduleView } from "../../domain/ScheduleView.ts"

const words = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** The ways in which words may fit a reminder, the closest first. */
const FITS: ReadonlyArray<(prompt: ReadonlyArray<string>, wanted: ReadonlyArray<string>) => boolean> = [
  (prompt, wanted) => prompt.join(" ") === wanted.join(" "),
  (prompt, wanted) => ` ${prompt.join(" ")} `.includes(` ${wanted.join(" ")} `),
  (prompt, wanted) => wanted.every((word) => prompt.includes(word))
]

/** The reminders that fit the words most closely. */
export const find = (views: ReadonlyArray<ScheduleView>, wanted: string): ReadonlyArray<ScheduleView> => {
  const wantedWords = words(wanted)
  if (wantedWords.length === 0) return []
  const found = FITS.map((fits) => views.filter(({ prompt }) => fits(words(prompt), wantedWords)))
  return found.find((views) => views.length > 0) ?? []
}
