/**
 * A local date and time, as the clocks on the wall show them, and the instants at which they do.
 *
 * A local time is one number, the milliseconds from 1970-01-01 00:00:00 to it by the calendar and the clock alone:
 * `days * DAY_MILLIS + millis`.
 */
import { Option, Result, Schema, SchemaTransformation } from "effect"
import * as Calendar from "./Calendar.ts"
import * as Digits from "./Digits.ts"
import * as Instant from "./Instant.ts"
import * as ZoneRules from "./ZoneRules.ts"

const DayMillis = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Calendar.DAY_MILLIS - 1 })).pipe(
  Schema.brand("TimeOfDay")
)

const CanonicalTime = Schema.String.check(
  Schema.isPattern(/^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}$/u, { expected: "a time of day like 09:00:00.000" })
)

/** Codec between `HH:mm:ss.SSS`, exactly, and the milliseconds from midnight that the clock shows. */
export const TimeOfDay = CanonicalTime.pipe(
  Schema.decodeTo(
    DayMillis,
    SchemaTransformation.transform({
      decode: (text) => Instant.readTime(text, 0) + Digits.read(text, 9, 3),
      encode: Instant.formatTime
    })
  )
)
export type TimeOfDay = typeof TimeOfDay.Type

const timeInput = /^.{8}(?:\.(\d{1,3}))?$/u

/** The time of day that a caller writes, `HH:mm:ss` with at most three digits of fraction; none for any other text. */
export const parseTime = (text: string): Option.Option<TimeOfDay> => {
  const match = timeInput.exec(text)
  if (match === null) return Option.none()
  const [, fraction = "0"] = match
  const millis = Instant.readTime(text, 0) + Number(fraction.padEnd(3, "0"))
  return Number.isNaN(millis) ? Option.none() : Option.some(millis as TimeOfDay)
}

/** The day number of the date that a caller writes, `YYYY-MM-DD`, years 0001 to 9999; none for any other text. */
export const parseDate = (text: string): Option.Option<number> => {
  const days = text.length === 10 ? Instant.readDate(text, 0) : Number.NaN
  return Number.isNaN(days) ? Option.none() : Option.some(days)
}

/** `YYYY-MM-DD HH:mm:ss` of a local time, cut off to the second. */
export const format = (local: number): string => {
  const days = Math.floor(local / Calendar.DAY_MILLIS)
  return `${Instant.formatDate(days)} ${Instant.formatTime(local - days * Calendar.DAY_MILLIS).slice(0, 8)}`
}

/** `+08:00` for an offset in milliseconds; seconds only where a historical offset has them. */
export const formatOffset = (offset: number): string =>
  (offset < 0 ? "-" : "+") + Instant.formatTime(Math.abs(offset)).slice(0, 8).replace(/:00$/, "")

/** What the calendar and the clocks of a zone show at an instant: day number, milliseconds from midnight, offset. */
export interface Local {
  readonly days: number
  readonly millis: number
  readonly offset: number
}

/** What the clocks of a zone show at an instant. Near the ends of time that is a date in year 0 or 10000. */
export const toLocal = (rules: ZoneRules.ZoneRules, instant: Instant.Instant): Local => {
  const offset = ZoneRules.offsetAt(rules, instant)
  const local = instant + offset
  const days = Math.floor(local / Calendar.DAY_MILLIS)
  return { days, millis: local - days * Calendar.DAY_MILLIS, offset }
}

/** `YYYY-MM-DDTHH:mm:ss+08:00` of what the clocks of a zone show at an instant, cut off to the second. */
export const formatAt = (rules: ZoneRules.ZoneRules, instant: Instant.Instant): string => {
  const offset = ZoneRules.offsetAt(rules, instant)
  return `${format(instant + offset).replace(" ", "T")}${formatOffset(offset)}`
}

/**
 * The latest local time that the clocks have shown up to an instant: what they show now, or later if they were set back
 * and have not made up for it yet. Every earlier local time was shown before, or lies in a gap.
 */
export const latestShown = (rules: ZoneRules.ZoneRules, instant: Instant.Instant): number => {
  let latest = -Infinity
  for (const { start, end, offset } of ZoneRules.periodsAround(rules, instant)) {
    if (start <= instant) latest = Math.max(latest, Math.min(end - 1, instant) + offset)
  }
  return latest
}

const firstLocal = ({ start, offset }: ZoneRules.Period): number => start + offset
const endLocal = ({ end, offset }: ZoneRules.Period): number => end + offset

const shows = (period: ZoneRules.Period, local: number): boolean =>
  firstLocal(period) <= local && local < endLocal(period)

/**
 * The first instant at which the clocks show a local time, in epoch milliseconds; NaN if they never do. It may lie
 * outside the years 1 to 9999. This is `resolve` for those who ask often and need no reasons.
 */
export const earliest = (rules: ZoneRules.ZoneRules, local: number): number => {
  for (const period of ZoneRules.periodsAround(rules, local)) if (shows(period, local)) return local - period.offset
  return Number.NaN
}

/** When the clocks show a local time. */
export interface Shown {
  /** The first such instant, in epoch milliseconds; it may lie outside the years 1 to 9999. */
  readonly millis: number
  /** Milliseconds from there until they show it again, which is how far they are set back; 0 if they never do. */
  readonly repeatsAfter: number
}

/** A stretch of local time that the clocks leap over, by the local times that exist on either side of it. */
export interface Gap {
  /** The last millisecond before it. */
  readonly before: number
  /** The first one after it. */
  readonly after: number
}

const gapAt = (periods: ReadonlyArray<ZoneRules.Period>, local: number): Gap => ({
  before: Math.max(...periods.map(endLocal).filter((end) => end <= local)) - 1,
  after: Math.min(...periods.map(firstLocal).filter((first) => first > local))
})

/**
 * When the clocks of a zone show that time of that day. In an overlap the first instant is meant; in a gap there is
 * none, and the gap is the failure.
 */
export const resolve = (rules: ZoneRules.ZoneRules, days: number, millis: number): Result.Result<Shown, Gap> => {
  const local = days * Calendar.DAY_MILLIS + millis
  const periods = ZoneRules.periodsAround(rules, local)
  const [first, second] = periods.filter((period) => shows(period, local))
  if (first === undefined) return Result.fail(gapAt(periods, local))
  const repeatsAfter = second === undefined ? 0 : first.offset - second.offset
  return Result.succeed({ millis: local - first.offset, repeatsAfter })
}
