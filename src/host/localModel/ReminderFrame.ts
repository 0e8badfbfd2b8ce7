/**
 * Reads the message that brings due reminders back, by its frame. What the reminders say is only ever shown.
 */
import { Option, Schema } from "effect"
import { Instant } from "../../domain/Instant.ts"

/** A reminder that came due. */
export interface DueReminder {
  readonly id: string
  readonly occurrenceAt: Instant
  /** Whole seconds from the occurrence to its delivery. */
  readonly lateSeconds: number
  readonly prompt: string
}

const FIRST_LINE = "[SCHEDULE REMINDER]"

/** Whether a message presents reminders, or pretends to: nothing in it is a request. */
export const isFramed = (text: string): boolean => text.trimStart().startsWith(FIRST_LINE)

const line = (label: string) => (text: string | undefined) =>
  text?.startsWith(`${label}: `) ? text.slice(label.length + 2) : ""

const decodeText = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.String))
const decodeInstant = Schema.decodeUnknownOption(Schema.fromJsonString(Instant))
const decodeSeconds = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Int))

const readAt = (lines: ReadonlyArray<string>, start: number): Option.Option<DueReminder> =>
  Option.all({
    id: decodeText(line("schedule_id")(lines[start])),
    occurrenceAt: decodeInstant(line("occurrence_at")(lines[start + 1])),
    lateSeconds: decodeSeconds(line("late_seconds")(lines[start + 2])),
    prompt: decodeText(line("reminder_prompt")(lines[start + 3]))
  })

/** The reminders of a framed message, in order; none if it has not exactly that frame. */
export const read = (text: string): Option.Option<ReadonlyArray<DueReminder>> => {
  if (!isFramed(text)) return Option.none()
  const lines = text.split("\n")
  const starts = lines.flatMap((line, i) => (line.startsWith("schedule_id: ") ? [i] : []))
  return Option.filter(Option.all(starts.map((start) => readAt(lines, start))), ({ length }) => length > 0)
}
