/**
 * A moment: epoch milliseconds in code, canonical UTC text in the log, and only that one text.
 */
import { Option, Result, Schema, SchemaTransformation } from "effect"
import * as Calendar from "./Calendar.ts"
import * as Digits from "./Digits.ts"

/** The first instant that can be stored, 0001-01-01T00:00:00.000Z, in epoch milliseconds. */
export const MIN_MILLIS = -62_135_596_800_000
/** The last instant that can be stored, 9999-12-31T23:59:59.999Z, in epoch milliseconds. */
export const MAX_MILLIS = 253_402_300_799_999

const written = { expected: "an instant like 2026-12-01T09:00:00.000Z" }

const Millis = Schema.Number.check(
  Schema.isInt(written),
  Schema.isBetween({ minimum: MIN_MILLIS, maximum: MAX_MILLIS }, written)
).pipe(Schema.brand("Instant"))

/** Epoch milliseconds from year 1 to year 9999. */
export type Instant = typeof Millis.Type

/** The instant of a whole number of epoch milliseconds; none outside the years 1 to 9999. */
export const fromMillis = (millis: number): Option.Option<Instant> =>
  millis >= MIN_MILLIS && millis <= MAX_MILLIS ? Option.some(millis as Instant) : Option.none()

/** An instant of a clock that is known to run in range: beyond it, the nearest end of the range. */
export const clamp = (millis: number): Instant =>
  Math.trunc(Math.min(Math.max(millis, MIN_MILLIS), MAX_MILLIS)) as Instant

/** Canonical text, `YYYY-MM-DDTHH:mm:ss.SSSZ`. */
export const format = (instant: Instant): string => {
  const days = Math.floor(instant / Calendar.DAY_MILLIS)
  return `${formatDate(days)}T${formatTime(instant - days * Calendar.DAY_MILLIS)}Z`
}

/** `YYYY-MM-DD` of a day number. */
export const formatDate = (days: number): string => {
  const { year, month, day } = Calendar.fromDays(days)
  return `${Digits.write(year, 4)}-${Digits.write(month, 2)}-${Digits.write(day, 2)}`
}

/** `HH:mm:ss.SSS` of a time of day in milliseconds. */
export const formatTime = (millis: number): string => {
  const seconds = Math.floor(millis / 1_000)
  const minutes = Math.floor(seconds / 60)
  return (
    `${Digits.write(Math.floor(minutes / 60), 2)}:${Digits.write(minutes % 60, 2)}` +
    `:${Digits.write(seconds % 60, 2)}.${Digits.write(millis % 1_000, 3)}`
  )
}

/** The day number that `YYYY-MM-DD` at `start` writes, years 0001 to 9999; NaN if it writes none. */
export const readDate = (text: string, start: number): number => {
  const year = Digits.read(text, start, 4)
  const date = { year, month: Digits.read(text, start + 5, 2), day: Digits.read(text, start + 8, 2) }
  const punctuated = text[start + 4] === "-" && text[start + 7] === "-"
  return punctuated && year >= 1 && Calendar.isDate(date) ? Calendar.toDays(date) : Number.NaN
}

/** The milliseconds into the day that `HH:mm:ss` at `start` writes, 23:59:59 at most; NaN if it writes none. */
export const readTime = (text: string, start: number): number => {
  const hour = Digits.read(text, start, 2)
  const minute = Digits.read(text, start + 3, 2)
  const second = Digits.read(text, start + 6, 2)
  const punctuated = text[start + 2] === ":" && text[start + 5] === ":"
  return punctuated && hour <= 23 && minute <= 59 && second <= 59
    ? ((hour * 60 + minute) * 60 + second) * 1_000
    : Number.NaN
}

const readCanonical = (text: string): number =>
  text.length === 24 && text[10] === "T" && text[19] === "." && text[23] === "Z"
    ? readDate(text, 0) * Calendar.DAY_MILLIS + readTime(text, 11) + Digits.read(text, 20, 3)
    : Number.NaN

/** The instant that a canonical text writes; none for any other text. */
export const parse = (text: string): Option.Option<Instant> => fromMillis(readCanonical(text))

/** Codec between canonical text and epoch milliseconds. */
export const Instant = Schema.String.pipe(
  Schema.decodeTo(
    Millis,
    SchemaTransformation.transform({ decode: readCanonical, encode: (millis) => format(millis as Instant) })
  )
)

const rfc3339 = /^.{19}(?:\.(\d{1,3}))?(?:Z|([+-])(\d{2}):(\d{2}))$/u

/**
 * The instant of an RFC 3339 text with an offset: `2026-12-01T09:00:00+08:00`, `…Z`, with at most three
 * digits of fraction. Fails with `malformed` if it is not of that form or no real date, and with `out_of_range` if it
 * lies outside the years 1 to 9999 of UTC.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3339#section-5.6 (a strict part of it: `-00:00` and leap seconds are refused)
 */
export const fromRfc3339 = (text: string): Result.Result<Instant, "malformed" | "out_of_range"> => {
  const match = rfc3339.exec(text)
  if (match === null || text[10] !== "T") return Result.fail("malformed")
  const [, fraction = "0", sign = "+", hours = "00", minutes = "00"] = match
  const local = readDate(text, 0) * Calendar.DAY_MILLIS + readTime(text, 11) + Number(fraction.padEnd(3, "0"))
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000
  const isOffset = Number(hours) <= 23 && Number(minutes) <= 59 && !(sign === "-" && offset === 0)
  if (Number.isNaN(local) || !isOffset) return Result.fail("malformed")
  return Option.match(fromMillis(sign === "+" ? local - offset : local + offset), {
    onNone: () => Result.fail("out_of_range" as const),
    onSome: (instant) => Result.succeed(instant)
  })
}
