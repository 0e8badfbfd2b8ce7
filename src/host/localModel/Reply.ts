/**
 * What the model says about the results of its calls, and about reminders that came due.
 */
import { Option, Schema } from "effect"
import { DeleteResult, ScheduleView } from "../../domain/ScheduleView.ts"
import * as Question from "./Question.ts"
import type { DueReminder } from "./ReminderFrame.ts"
import * as Wording from "./Wording.ts"

/** The result of a call, as the conversation keeps it. */
export interface Result {
  readonly isFailure: boolean
  readonly result: unknown
}

const decodeView = Schema.decodeUnknownOption(ScheduleView)
const decodeViews = Schema.decodeUnknownOption(Schema.Array(ScheduleView))
const decodeDeleted = Schema.decodeUnknownOption(DeleteResult)
const decodeFailure = Schema.decodeUnknownOption(Schema.Struct({ message: Schema.NonEmptyString }))

const UNREADABLE = "I got an answer that I cannot read. List the reminders to see how they are."

/** What a failure says. */
const failure = ({ result }: Result): string =>
  Option.match(decodeFailure(result), { onNone: () => UNREADABLE, onSome: ({ message }) => message })

const unless = (result: Result, said: Option.Option<string>): string =>
  result.isFailure ? failure(result) : Option.getOrElse(said, () => UNREADABLE)

/** "I'll remind you on Tue 1 Dec 2026 at 09:00 (Asia/Shanghai) to call Ann. [schedule-1]" */
export const created = (result: Result, link: string, zone: string | null): string =>
  unless(
    result,
    Option.map(decodeView(result.result), (view) => {
      const end = /[.!?…]$/u.test(view.prompt) ? "" : "."
      return `I'll remind you ${Wording.when(view, zone)} ${link} ${view.prompt}${end} [${view.id}]`
    })
  )

/** The reminders of a list; none if it is none. */
export const views = ({ isFailure, result }: Result): Option.Option<ReadonlyArray<ScheduleView>> =>
  isFailure ? Option.none() : decodeViews(result)

/** One line for each reminder. */
export const lines = (views: ReadonlyArray<ScheduleView>, zone: string | null): string =>
  views
    .map((view) => {
      const overdue = view.state === "overdue" ? ", overdue" : ""
      return `- [${view.id}] ${Wording.oneLine(view.prompt)}: ${Wording.when(view, zone).replace(/,$/u, "")}${overdue}`
    })
    .join("\n")

export const listed = (result: Result, zone: string | null): string =>
  unless(
    result,
    Option.map(views(result), (views) => {
      if (views.length === 0) return "You have no reminders."
      const count = views.length === 1 ? "1 reminder" : `${views.length} reminders`
      return `You have ${count}:\n${lines(views, zone)}`
    })
  )

/** `prompt` is what the deleted reminder was about, null if that is not known. */
export const deleted = (result: Result, prompt: string | null): string =>
  unless(
    result,
    Option.map(decodeDeleted(result.result), ({ id, deleted }) => {
      if (!deleted) return `There is no reminder ${id}; it may have ended already.`
      return prompt === null ? `I've deleted ${id}.` : `I've deleted ${id}: ${Wording.oneLine(prompt)}.`
    })
  )

/** "Reminder: stretch", and how late it is from a minute on. */
export const presented = ({ prompt, lateSeconds, occurrenceAt }: DueReminder, zone: string | null): string => {
  const said = `Reminder:${Wording.quoted(prompt)}`
  if (lateSeconds < 60) return said
  const due = Wording.moment(occurrenceAt, zone)
  return `${said}${Question.PARAGRAPH}This is ${Wording.late(lateSeconds)}: it was due on ${due}.`
}

/** What a result says to whom does not know what the call was for. */
export const described = (name: string, result: Result, zone: string | null): string => {
  switch (name) {
    case "schedule_create":
      return created(result, "to", zone)
    case "schedule_list":
      return listed(result, zone)
    case "schedule_delete":
      return deleted(result, null)
    default:
      return unless(result, Option.none())
  }
}
