/**
 * Rules in words: "every 10 minutes", "every weekday at 18:00", "on the 1st of every month at 10".
 */
import { Option } from "effect"
import * as CalendarPhrase from "./CalendarPhrase.ts"
import * as Duration from "./Duration.ts"
import { MONTH, UNIT, WEEKDAY, weekdayOf } from "./Vocabulary.ts"

/** A rule, in the words of the tools. Times of day are milliseconds from midnight. */
type Rule =
  | { readonly kind: "every"; readonly seconds: number }
  | { readonly kind: "daily"; readonly time: number }
  | { readonly kind: "weekly"; readonly time: number; readonly weekdays: ReadonlyArray<number> }
  | { readonly kind: "cron"; readonly expression: string }

/** `timeless`: on which days, but not at what time; `unsupported`: a rule that the tools do not have. */
export type RecurringPhrase = Rule | { readonly kind: "timeless" } | { readonly kind: "unsupported" }

const timeless: RecurringPhrase = { kind: "timeless" }
const unsupported: RecurringPhrase = { kind: "unsupported" }

/** On which days, and the rule that a time of day makes of them. */
interface Days {
  readonly pattern: RegExp
  readonly rule: (time: number, match: RegExpExecArray) => Rule
}

const EVERY = "(?:every|each)"
const AND = "(?:\\s*,\\s*and\\s+|\\s*,\\s*|\\s+and\\s+|\\s*&\\s*)"
const THROUGH = "(?:\\s+(?:to|through|thru|until)\\s+|\\s*[-–]\\s*)"
const WEEKDAYS = `${WEEKDAY}(?:${THROUGH}${WEEKDAY})?(?:${AND}${WEEKDAY}(?:${THROUGH}${WEEKDAY})?)*`
const ORDINAL = "(?:\\d{1,2}(?:st|nd|rd|th)?|first)"
const ORDINALS = `${ORDINAL}(?:${AND}(?:the\\s+)?${ORDINAL})*`

const fromTo = (first: number, last: number): ReadonlyArray<number> =>
  Array.from({ length: ((last - first + 7) % 7) + 1 }, (_, i) => ((first - 1 + i) % 7) + 1)

const weekdaysOf = (text: string): ReadonlyArray<number> => {
  const days = text.split(new RegExp(AND, "iu")).flatMap((part) => {
    const [first = 0, last = first] = part.split(new RegExp(THROUGH, "iu")).map(weekdayOf)
    return fromTo(first, last)
  })
  return [...new Set(days)].toSorted((a, b) => a - b)
}

const weekly =
  (weekdays: ReadonlyArray<number>) =>
  (time: number): Rule => ({ kind: "weekly", time, weekdays })

const clock = (time: number): string => `${Math.floor(time / 60_000) % 60} ${Math.floor(time / 3_600_000)}`

const monthly = (time: number, match: RegExpExecArray): Rule => {
  const ordinals = match.groups?.["days"]?.match(/\d+|first/giu) ?? []
  const days = ordinals.map((ordinal) => (/\d/u.test(ordinal) ? Number(ordinal) : 1))
  return { kind: "cron", expression: `${clock(time)} ${days.join(",")} * *` }
}

const days = (pattern: string, rule: Days["rule"]): Days => ({ pattern: new RegExp(pattern, "iu"), rule })

const named = (time: number, match: RegExpExecArray): Rule => weekly(weekdaysOf(match.groups?.["weekdays"] ?? ""))(time)

const DAYS: ReadonlyArray<Days> = [
  days(
    `\\b(?:${EVERY}|on)\\s+(?:weekdays?|(?:working|business|work)\\s*days?)\\b|^weekdays\\b`,
    weekly([1, 2, 3, 4, 5])
  ),
  days(`\\b(?:${EVERY}\\s+weekend|on\\s+weekends)\\b|^weekends\\b`, weekly([6, 7])),
  days(`\\b(?:${EVERY}\\s+week|weekly)\\s+on\\s+(?<weekdays>${WEEKDAYS})\\b`, named),
  days(`\\b${EVERY}\\s+(?<weekdays>${WEEKDAYS})\\b`, named),
  days(`\\b(?:on\\s+)?(?<weekdays>${WEEKDAYS})\\s+${EVERY}\\s+week\\b`, named),
  days(`\\b(?:on\\s+)?(?<weekdays>(?:${WEEKDAY}${AND})*(?:mon|tues|wednes|thurs|fri|satur|sun)days)\\b`, named),
  days(`\\b(?:on\\s+)?(?:the\\s+)?(?<days>${ORDINALS})(?:\\s+days?)?\\s+(?:of\\s+)?${EVERY}\\s+month\\b`, monthly),
  days(`\\b(?:${EVERY}\\s+month|monthly)\\s+on\\s+(?:the\\s+)?(?<days>${ORDINALS})\\b`, monthly),
  days(`\\b(?:${EVERY}\\s+day|everyday|daily)\\b`, (time) => ({ kind: "daily", time })),
  days(`\\b${EVERY}\\s+(?=morning|afternoon|evening|night)`, (time) => ({ kind: "daily", time }))
]

/** A rule on the local clock has minutes; seconds would be lost in a cron expression. */
const isWholeMinute = (time: number): boolean => time % 60_000 === 0

const readDays = (text: string): Option.Option<RecurringPhrase> => {
  for (const { pattern, rule } of DAYS) {
    const match = pattern.exec(text)
    if (match === null) continue
    const rest = text.replace(match[0], " ").trim()
    const phrase = CalendarPhrase.read(rest, CalendarPhrase.ANY_DAY)
    if (rest === "" || Option.exists(phrase, isPartOfDay)) return Option.some(timeless)
    return Option.map(Option.filter(phrase, CalendarPhrase.isTimeOnly), ({ time }) => atTime(rule, match, time))
  }
  return Option.none()
}

const isPartOfDay = ({ days, time }: CalendarPhrase.CalendarPhrase): boolean => days.length === 0 && Option.isNone(time)

const atTime = (rule: Days["rule"], match: RegExpExecArray, time: Option.Option<number>): RecurringPhrase => {
  const made = Option.map(time, (time) => rule(time, match))
  return Option.getOrElse(
    Option.filter(made, ({ kind }) => kind !== "cron" || Option.exists(time, isWholeMinute)),
    () => unsupported
  )
}

const yearMark = new RegExp(
  `\\b(?:${EVERY}\\s+year(?:\\s+on)?|yearly(?:\\s+on)?|annually(?:\\s+on)?|${EVERY}(?=\\s+(?:the\\s+)?(?:\\d|${MONTH}\\b)))`,
  "iu"
)

const readYearly = (text: string): Option.Option<RecurringPhrase> => {
  const rest = text.replace(yearMark, " ").trim()
  const phrase = rest === text ? Option.none() : CalendarPhrase.read(rest, CalendarPhrase.ANY_DAY)
  return Option.flatMap(phrase, ({ monthDay, time }) =>
    Option.map(monthDay, ({ month, day }): RecurringPhrase =>
      Option.match(time, {
        onNone: () => timeless,
        onSome: (time) =>
          isWholeMinute(time) ? { kind: "cron", expression: `${clock(time)} ${day} ${month} *` } : unsupported
      })
    )
  )
}

/** One unit needs no number: "every hour". A day has a clock time, so that "every day" is no interval. */
const readInterval = (text: string): Option.Option<RecurringPhrase> => {
  const amount = /^(?:every|each)\s+(.+)$/iu.exec(text)?.[1] ?? ADVERBS[text.toLowerCase()] ?? ""
  const single = new RegExp(`^${UNIT}$`, "iu").test(amount) ? `1 ${amount}` : amount
  return Option.map(Duration.read(single), (seconds) => ({ kind: "every", seconds }))
}

const ADVERBS: Record<string, string> = { hourly: "1 hour", weekly: "1 week", fortnightly: "2 weeks" }

const QUALIFIER =
  "(?:(?:other|single|first|second|third|fourth|last|few|couple of|\\d+(?:st|nd|rd|th)?|two|three|four|five|six)\\s+)?"
const unsupportedMark = new RegExp(
  `^(?:(?:on\\s+)?(?:the\\s+)?(?:first|second|third|fourth|fifth|last|\\d{1,2}(?:st|nd|rd|th))\\b.*\\s)?${EVERY}\\s+${QUALIFIER}(?:${UNIT}|${WEEKDAY}|${MONTH}|months?|quarters?|years?|weekdays?|weekends?|mornings?|evenings?|nights?)\\b|^(?:monthly|quarterly|yearly|annually)\\b`,
  "iu"
)

/** The rule that the whole text names; none if it names none. */
export const read = (text: string): Option.Option<RecurringPhrase> =>
  readDays(text).pipe(
    Option.orElse(() => readYearly(text)),
    Option.orElse(() => readInterval(text)),
    Option.orElse(() => (unsupportedMark.test(text) ? Option.some(unsupported) : Option.none()))
  )
