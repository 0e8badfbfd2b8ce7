/**
 * How the model writes times, rules and reminders.
 */
import { Option } from "effect"
import * as Calendar from "../../domain/Calendar.ts"
import * as Instant from "../../domain/Instant.ts"
import type { ScheduleView } from "../../domain/ScheduleView.ts"
import * as TimeContext from "../TimeContext.ts"
import * as Duration from "./Duration.ts"

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

const monthName = (month: number): string => MONTHS[month - 1] ?? ""

/** "Tue 1 Dec 2026" */
const formatDate = (days: number): string => {
  const { year, month, day } = Calendar.fromDays(days)
  return `${WEEKDAYS[Calendar.weekdayOf(days) - 1]?.slice(0, 3)} ${day} ${monthName(month)} ${year}`
}

/** "09:00", or "09:00:30" */
const formatTime = (millis: number): string => {
  const text = Instant.formatTime(millis).slice(0, 8)
  return text.endsWith(":00") ? text.slice(0, 5) : text
}

/** "Tue 1 Dec 2026 at 09:00 (Asia/Shanghai)"; in UTC without a zone. */
export const moment = (instant: Instant.Instant, zone: string | null): string => {
  const local = zone === null ? Option.none() : TimeContext.localTime(instant, zone)
  const days = Math.floor(instant / Calendar.DAY_MILLIS)
  const shown = Option.getOrElse(local, () => ({ days, millis: instant - days * Calendar.DAY_MILLIS }))
  return `${formatDate(shown.days)} at ${formatTime(shown.millis)} (${Option.isSome(local) ? zone : "UTC"})`
}

/** "a", "a and b", "a, b and c" */
const list = (words: ReadonlyArray<string>): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`

const ordinal = (day: number): string => {
  const suffix = [11, 12, 13].includes(day) ? "th" : (["th", "st", "nd", "rd"][day % 10] ?? "th")
  return `${day}${suffix}`
}

const onDate = /^(\d+) (\d+) (\d+(?:,\d+)*) (\*|\d+) \*$/u

/** "on the 1st of every month at 10:00": the cron rules that the model makes itself, in words. */
const cron = (expression: string): string => {
  const [, minute, hour, days = "", month] = onDate.exec(expression) ?? []
  if (minute === undefined) return `by the cron rule "${expression}"`
  const time = formatTime((Number(hour) * 60 + Number(minute)) * 60_000)
  return month === "*"
    ? `on the ${list(days.split(",").map((day) => ordinal(Number(day))))} of every month at ${time}`
    : `every year on ${days} ${monthName(Number(month))} at ${time}`
}

const interval = (seconds: number): string => Duration.format(seconds).replace(/^1 (?!.* )/u, "")

const isWorkingWeek = (weekdays: ReadonlyArray<number>): boolean => weekdays.join() === "1,2,3,4,5"

const weekly = (weekdays: ReadonlyArray<number>): string =>
  isWorkingWeek(weekdays) ? "every weekday" : `every ${list(weekdays.map((day) => WEEKDAYS[day - 1] ?? ""))}`

/** When a reminder is due, to follow "I'll remind you". `zone` is the one in which to say it, unless its rule has its own. */
export const when = (view: ScheduleView, zone: string | null): string => {
  switch (view.kind) {
    case "after":
      return `in ${Duration.format(view.afterSeconds)}, on ${moment(view.scheduledAt, zone)},`
    case "at":
      return `on ${moment(view.scheduledAt, zone)}`
    case "every":
      return `every ${interval(view.everySeconds)}, next on ${moment(view.scheduledAt, zone)},`
    case "daily":
      return `every day at ${formatTime(view.time)}, next on ${moment(view.scheduledAt, view.timeZone)},`
    case "weekly":
      return `${weekly(view.weekdays)} at ${formatTime(view.time)}, next on ${moment(view.scheduledAt, view.timeZone)},`
    case "cron":
      return `${cron(view.expression.text)}, next on ${moment(view.scheduledAt, view.timeZone)},`
  }
}

/** A reminder's text on one line. */
export const oneLine = (prompt: string): string => prompt.replaceAll(/\s+/gu, " ")

/** A text that someone wrote, set apart from what the model says: its first line follows, further ones are quoted. */
export const quoted = (prompt: string): string =>
  /[\n\r\u0085\u2028\u2029]/u.test(prompt)
    ? prompt
        .split(/\r\n|[\n\r\u0085\u2028\u2029]/u)
        .map((line) => `\n> ${line}`)
        .join("")
    : ` ${prompt}`

/** Only the two largest units of how late something is: whole seconds. */
export const late = (seconds: number): string =>
  `${Duration.format(seconds - (seconds % 60))
    .split(" ")
    .slice(0, 4)
    .join(" ")} late`
