/**
 * Dates and times of day in words, for once: "tomorrow at 9", "3 January 2027 at 17:30", "Friday", "the 15th at noon".
 */
import { Option } from "effect"
import * as Chrono from "chrono-node/en"
import * as Calendar from "../../domain/Calendar.ts"
import { MONTH, numberOf, WEEKDAY } from "./Vocabulary.ts"

export interface CalendarPhrase {
  /** The days that may be meant, as day numbers, the likeliest first; none if the words name no day. */
  readonly days: ReadonlyArray<number>
  /** The month and the day of the month, if they are all that the words say of a date. */
  readonly monthDay: Option.Option<{ readonly month: number; readonly day: number }>
  /** Milliseconds from midnight; none if the words name no time of day. */
  readonly time: Option.Option<number>
}

const HOUR_WORD = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
const HOUR = `(0?[1-9]|1[0-2]|${HOUR_WORD})`
const hourBefore = (hour: number): number => (hour === 1 ? 12 : hour - 1)

type Spoken = readonly [pattern: RegExp, plain: (all: string, ...groups: Array<string>) => string]

/** Ways of speaking that the date parser does not know, as those that it does. */
const SPOKEN: ReadonlyArray<Spoken> = [
  [new RegExp(`\\bhalf past ${HOUR}\\b`, "giu"), (_, hour = "") => `${numberOf(hour)}:30`],
  [new RegExp(`\\b(?:a )?quarter past ${HOUR}\\b`, "giu"), (_, hour = "") => `${numberOf(hour)}:15`],
  [new RegExp(`\\b(?:a )?quarter to ${HOUR}\\b`, "giu"), (_, hour = "") => `${hourBefore(numberOf(hour))}:45`],
  [
    new RegExp(`\\bat (${HOUR_WORD})(?! \\w*(?:minute|hour|day|week)s?)\\b`, "giu"),
    (_, hour = "") => `at ${numberOf(hour)}`
  ],
  [/\b((?:0?[1-9]|1[0-2])(?::\d\d)?) in the evening\b/giu, (_, time = "") => `${time}pm`],
  [/\bat ([01]\d|2[0-3])([0-5]\d)\b/gu, (_, hour, minute) => `at ${hour}:${minute}`],
  [/\b(\d{1,2})h(\d\d)\b/giu, (_, hour, minute) => `${hour}:${minute}`],
  [/(?<=\d|pm|am|o'clock) (?:sharp|exactly)\b/giu, () => ""],
  [new RegExp(`\\bnext week(?: on)? (${WEEKDAY})\\b`, "giu"), (_, weekday = "") => `${weekday} next week`]
]

const plain = (text: string): string => SPOKEN.reduce((text, [pattern, plain]) => text.replaceAll(pattern, plain), text)

/** Words that may stand around a date or a time without a meaning of their own. */
const FILLERS = /^(?:\s|,|\b(?:on|at|by|the|in|for|and|this)\b)*$/iu

/**
 * The parser reads a reference by the fields of this machine's local time, and answers in such fields. Noon of the day
 * exists in every zone, so that only the calendar counts, and neither the zone nor the clock of the machine.
 */
const reference = (today: number): Date => {
  const { year, month, day } = Calendar.fromDays(today)
  const noon = new Date(2000, 0, 1, 12)
  noon.setFullYear(year, month - 1, day)
  return noon
}

type Components = ReturnType<typeof Chrono.parse>[number]["start"]

const field = (components: Components, name: Parameters<Components["get"]>[0]): number => components.get(name) ?? 0

const timeOf = (components: Components): Option.Option<number> =>
  components.isCertain("hour")
    ? Option.some(
        ((field(components, "hour") * 60 + field(components, "minute")) * 60 + field(components, "second")) * 1_000
      )
    : Option.none()

const validDays = (dates: ReadonlyArray<Calendar.Date>): ReadonlyArray<number> =>
  dates.filter(Calendar.isDate).map(Calendar.toDays)

/** A day of some year comes again: within eight years even 29 February does. */
const YEARS = [0, 1, 2, 3, 4, 5, 6, 7, 8]

const daysOf = (components: Components): ReadonlyArray<number> => {
  const date = { year: field(components, "year"), month: field(components, "month"), day: field(components, "day") }
  const isRelative = components.tags().has("result/relativeDate")
  const [day] = validDays([date])
  if (day === undefined) return []
  if (components.isCertain("day") && components.isCertain("month") && !components.isCertain("year")) {
    return validDays(YEARS.map((years) => ({ ...date, year: date.year + years })))
  }
  if (components.isCertain("day") || isRelative) return [day]
  return components.isCertain("weekday") ? [day, day + 7] : []
}

const monthDayOf = (components: Components): CalendarPhrase["monthDay"] =>
  components.isCertain("month") && components.isCertain("day") && !components.isCertain("year")
    ? Option.some({ month: field(components, "month"), day: field(components, "day") })
    : Option.none()

/** Whether the parser has added to the time of its reference, which is not the time of now. */
const isFromNow = (components: Components): boolean =>
  ["casualReference/now", "result/relativeDateAndTime"].some((tag) => components.tags().has(tag))

const parse = (text: string, today: number): Option.Option<CalendarPhrase> => {
  const [result, ...others] = Chrono.parse(text, reference(today))
  if (result === undefined || others.length > 0 || result.end || isFromNow(result.start)) return Option.none()
  const around = [text.slice(0, result.index), text.slice(result.index + result.text.length)]
  if (result.start.isCertain("timezoneOffset") || !around.every((words) => FILLERS.test(words))) return Option.none()
  const phrase = { days: daysOf(result.start), monthDay: monthDayOf(result.start), time: timeOf(result.start) }
  const saysDay = phrase.days.length > 0 || Option.isSome(phrase.time) || isPartOfDay(result.start)
  return saysDay ? Option.some(phrase) : Option.none()
}

const isPartOfDay = (components: Components): boolean =>
  [...components.tags()].some((tag) => tag.startsWith("casualReference/"))

const dayOfMonth = new RegExp(`\\b(?:on )?the (\\d{1,2})(?:st|nd|rd|th)\\b(?! (?:of|day|${MONTH})\\b)`, "iu")

/** The next months in which the day exists; of twelve in a row, at least seven have it. */
const nextDays = (today: number, day: number): ReadonlyArray<number> => {
  const { year, month } = Calendar.fromDays(today)
  const months = Array.from({ length: 12 }, (_, i) => month - 1 + i)
  return validDays(months.map((i) => ({ year: year + Math.floor(i / 12), month: (i % 12) + 1, day }))).filter(
    (days) => days >= today
  )
}

const parseDayOfMonth = (text: string, today: number): Option.Option<CalendarPhrase> => {
  const match = dayOfMonth.exec(text)
  const days = match === null ? [] : nextDays(today, Number(match[1]))
  if (match === null || days.length === 0) return Option.none()
  const rest = text.replace(match[0], " ")
  const phrase = { days, monthDay: Option.none(), time: Option.none() }
  if (FILLERS.test(rest)) return Option.some(phrase)
  return Option.map(Option.filter(parse(rest, today), isTimeOnly), ({ time }) => ({ ...phrase, time }))
}

/** Which day "today" is decides only which days are meant, not what kind of words a text is. */
export const ANY_DAY = 0

/** Whether the words name a time of day and no day. */
export const isTimeOnly = ({ days, time }: CalendarPhrase): boolean => days.length === 0 && Option.isSome(time)

/** The past, and stretches of time: no time to be reminded at. */
const OTHER_TIMES = /\b(?:last|past|yesterday|ago|previous|from (?!now|today|tomorrow))\b/iu

/** What the whole text says of a date and a time of day, seen from the day `today`; none if it says something else. */
export const read = (text: string, today: number): Option.Option<CalendarPhrase> => {
  const words = plain(text)
  if (OTHER_TIMES.test(words)) return Option.none()
  return Option.orElse(parseDayOfMonth(words, today), () => parse(words, today))
}
