/**
 * What the model is to do about a message.
 */
import { Option } from "effect"
import * as Calendar from "../../domain/Calendar.ts"
import * as Instant from "../../domain/Instant.ts"
import type * as WallTime from "../../domain/WallTime.ts"
import * as TimeContext from "../TimeContext.ts"
import type * as Draft from "./Draft.ts"
import type { Question } from "./Question.ts"
import type { DueReminder } from "./ReminderFrame.ts"
import * as Timing from "./Timing.ts"

/** The arguments of `schedule_create`. */
type CreateArguments = { readonly prompt: string } & Selector

type Local<A> = A & { readonly time: string; readonly time_zone: string }
type Selector =
  | { readonly after_seconds: number }
  | { readonly at: string | Local<{ readonly date: string }> }
  | { readonly every_seconds: number }
  | { readonly daily: Local<unknown> }
  | { readonly weekly: Local<{ readonly weekdays: ReadonlyArray<number> }> }
  | { readonly cron: { readonly expression: string; readonly time_zone: string } }

/** `link` leads to the prompt in the answer. `wanted` are words of the reminder to delete, null for all of them. */
export type Intent =
  | { readonly kind: "create"; readonly request: CreateArguments; readonly link: string }
  | { readonly kind: "ask"; readonly question: Question; readonly remark: string | null }
  | { readonly kind: "list" }
  | { readonly kind: "delete"; readonly id: string }
  | { readonly kind: "cancel"; readonly wanted: string | null }
  | { readonly kind: "present"; readonly reminders: ReadonlyArray<DueReminder> }
  | { readonly kind: "say"; readonly text: string }

export const HELP: Intent = {
  kind: "say",
  text:
    'I keep reminders: try "remind me in 10 minutes to stretch", "remind me tomorrow at 9 to call Ann", "every weekday ' +
    'at 18:00 remind me to write the report", "list my reminders" or "cancel schedule-1".'
}

/** What is said when a question is not to be answered. */
export const LEFT: Intent = { kind: "say", text: "All right, I leave it at that." }

const UNSUPPORTED: Intent = {
  kind: "say",
  text:
    "I have no rule for that. I can repeat a reminder at a fixed interval of five minutes or more, every day, on chosen " +
    "weekdays, on given days of the month, or on a date every year."
}

const ask = (question: Question, remark: string | null = null): Intent => ({ kind: "ask", question, remark })

const time = (millis: number): string => Instant.formatTime(millis).slice(0, 8)

/** The first of the possible days on which the time is still to come; the last if there is none. */
const dayOf = ({ days, time }: Timing.Timing & { kind: "moment" }, now: WallTime.Local): number => {
  const candidates = days.length > 0 ? days : [now.days, now.days + 1]
  const shown = now.days * Calendar.DAY_MILLIS + now.millis
  const next = candidates.find((day) => day * Calendar.DAY_MILLIS + time > shown)
  return next ?? candidates.at(-1) ?? now.days
}

type Complete = Exclude<Timing.Timing, { readonly kind: "timeless" | "unsupported" }>

const selector = (timing: Complete, time_zone: string, now: WallTime.Local): Selector => {
  switch (timing.kind) {
    case "after":
      return { after_seconds: timing.seconds }
    case "every":
      return { every_seconds: timing.seconds }
    case "instant":
      return { at: timing.text }
    case "moment":
      return { at: { date: Instant.formatDate(dayOf(timing, now)), time: time(timing.time), time_zone } }
    case "daily":
      return { daily: { time: time(timing.time), time_zone } }
    case "weekly":
      return { weekly: { time: time(timing.time), time_zone, weekdays: timing.weekdays } }
    case "cron":
      return { cron: { expression: timing.expression, time_zone } }
  }
}

/** The local time of UTC: it stands in where no zone is known and none is needed. */
const utc = (now: Instant.Instant): WallTime.Local => {
  const days = Math.floor(now / Calendar.DAY_MILLIS)
  return { days, millis: now - days * Calendar.DAY_MILLIS, offset: 0 }
}

const unread = (when: string | null): Intent =>
  ask("when", when === null ? null : `I do not understand the time "${when}".`)

const unknownZone = (zone: string | null): Intent =>
  ask("zone", zone === null ? null : `I do not know the time zone "${zone}".`)

/** What to do about a draft: the next question that it leaves open, or its creation. */
export const fromDraft = (draft: Draft.Draft, { now, zone }: Clock): Intent => {
  const name = draft.zone ?? Option.getOrNull(zone)
  const local = name === null ? Option.none() : TimeContext.localTime(now, name)
  const shown = Option.getOrElse(local, () => utc(now))
  const timing = Timing.read(draft.when ?? "", shown.days)
  if (Option.isNone(timing)) return unread(draft.when)
  if (timing.value.kind === "timeless") return ask("time")
  if (timing.value.kind === "unsupported") return UNSUPPORTED
  if (draft.what === null) return ask("what")
  if (Timing.needsZone(timing.value) && Option.isNone(local)) return unknownZone(name)
  const request = { prompt: draft.what.text, ...selector(timing.value, name ?? "UTC", shown) }
  return { kind: "create", request, link: draft.what.link }
}

/** The clock of the turn, and the zone in which to read dates and times that name none. */
export interface Clock {
  readonly now: Instant.Instant
  readonly zone: Option.Option<string>
}
