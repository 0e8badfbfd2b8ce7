/**
 * When a reminder is wanted, read from the words for it.
 */
import { Option } from "effect"
import * as CalendarPhrase from "./CalendarPhrase.ts"
import * as Duration from "./Duration.ts"
import * as RecurringPhrase from "./RecurringPhrase.ts"
import * as ZonePhrase from "./ZonePhrase.ts"

/**
 * `after` is a delay and `instant` an RFC 3339 text. `moment` is a local time on one of some days, the likeliest first
 * (none: the words name no day), in milliseconds from midnight.
 */
export type Timing =
  | { readonly kind: "after"; readonly seconds: number }
  | { readonly kind: "instant"; readonly text: string }
  | { readonly kind: "moment"; readonly days: ReadonlyArray<number>; readonly time: number }
  | RecurringPhrase.RecurringPhrase

/** Longer texts are no words for a time; nothing is searched in them. */
const MAX_LENGTH = 100

const rfc3339 = /^(?:(?:at|on)\s+)?(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?(?:Z|[+-]\d{2}:\d{2}))$/u

const readInstant = (text: string): Option.Option<Timing> =>
  Option.map(Option.fromNullishOr(rfc3339.exec(text)?.[1]), (text) => ({ kind: "instant", text }))

const delays = [/^(?:in|after|within)\s+(?:about\s+)?(.+)$/iu, /^(.+?)\s+(?:from now|later)$/iu]

const readDelay = (text: string): Option.Option<Timing> =>
  Option.firstSomeOf(delays.map((pattern) => Duration.read(pattern.exec(text)?.[1] ?? ""))).pipe(
    Option.map((seconds) => ({ kind: "after", seconds }))
  )

const readMoment = (text: string, today: number): Option.Option<Timing> =>
  Option.map(CalendarPhrase.read(text, today), ({ days, time }) =>
    Option.match(time, {
      onNone: (): Timing => ({ kind: "timeless" }),
      onSome: (time) => ({ kind: "moment", days, time })
    })
  )

const READERS: ReadonlyArray<(text: string, today: number) => Option.Option<Timing>> = [
  readInstant,
  readDelay,
  RecurringPhrase.read,
  readMoment
]

const tidy = (text: string): string =>
  text
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/^[\s,;:–-]+|[\s,;:.!?–-]+$/gu, "")
    .replaceAll(/^(?:for|starting)\s+/giu, "")

/** What the whole text says of when, on the day `today`; none if it is no words for a time, or for more than that. */
export const read = (text: string, today: number): Option.Option<Timing> => {
  const words = text.length > MAX_LENGTH ? "" : tidy(text)
  if (words === "") return Option.none()
  for (const reader of READERS) {
    const timing = reader(words, today)
    if (Option.isSome(timing)) return timing
  }
  return Option.none()
}

/** Words for a time, and the zone that they name. */
export interface Phrase {
  readonly when: string
  readonly zone: string | null
}

/** Takes the zone out of words for a time, unless it belongs to an RFC 3339 text. */
export const split = (text: string): Phrase => {
  if (text.length > MAX_LENGTH || rfc3339.test(tidy(text))) return { when: text, zone: null }
  const { rest, zone } = ZonePhrase.take(text.replaceAll(/[\s.!?]+$/gu, ""))
  return { when: rest, zone }
}

/** What kind of words for a time the whole text is; none if it is none. */
export const kindOf = (text: string): Option.Option<Timing["kind"]> =>
  Option.map(read(text, CalendarPhrase.ANY_DAY), ({ kind }) => kind)

/** The words for a time, with their zone, if the text is nothing else. */
export const phrase = (text: string): Option.Option<Phrase> => {
  const taken = split(text)
  return Option.isSome(kindOf(taken.when)) ? Option.some(taken) : Option.none()
}

/** Whether a rule reads a local clock. */
export const needsZone = ({ kind }: Timing): boolean => ["moment", "daily", "weekly", "cron"].includes(kind)

/** Whether words name a time of day, and nothing else. */
export const isTimeOfDay = (text: string): boolean =>
  text.length <= MAX_LENGTH &&
  Option.exists(CalendarPhrase.read(tidy(text), CalendarPhrase.ANY_DAY), CalendarPhrase.isTimeOnly)
