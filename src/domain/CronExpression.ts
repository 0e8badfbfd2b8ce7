/**
 * A cron rule: five fields, `minute hour day-of-month month day-of-week`, each a list of values, ranges and steps.
 * Names and the macros from `@hourly` to `@yearly` are understood; what other dialects add is refused.
 */
import { Array, Effect, Option, Predicate, Result, Schema, SchemaIssue, SchemaTransformation } from "effect"
import * as CronDates from "./CronDates.ts"
import * as CronField from "./CronField.ts"
import * as Digits from "./Digits.ts"
import { quote } from "./Quote.ts"
import { invalid, type InvalidRequest } from "./ScheduleError.ts"

const TypeId = "~effect-session-schedule/CronExpression"

/** A parsed expression: it fires at certain times of the local dates that match. */
export interface CronExpression extends CronDates.CronDates {
  readonly [TypeId]: typeof TypeId
  /** Canonical text: expressions that mean the same have the same. */
  readonly text: string
  /** The times of day, ascending, in minutes from midnight. */
  readonly times: Array.NonEmptyReadonlyArray<number>
}

/** Minutes of the local clock in a day. */
const DAY_MINUTES = 1_440
/** The least distance of two occurrences, in minutes of the local clock. */
const FLOOR_MINUTES = 5

const macros = new Map([
  ["@hourly", "0 * * * *"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@weekly", "0 0 * * 0"],
  ["@monthly", "0 0 1 * *"],
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"]
])

const refuse = (complaint: string): Result.Result<never, InvalidRequest> =>
  Result.fail(invalid("invalid_rule", `cron.expression: ${complaint}`))

const words = (text: string): ReadonlyArray<string> => text.split(/[ \t]+/).filter((word) => word !== "")

/** Letter case is folded in ASCII only: a Kelvin sign is no K. */
const macro = (word: string): string | undefined =>
  /^@[A-Za-z]+$/.test(word) ? macros.get(word.toLowerCase()) : undefined

const unknownMacro = (text: string) =>
  refuse(`${quote(text)} is not supported; write one of ${[...macros.keys()].join(", ")} alone, or five fields`)

const isFive = (fields: ReadonlyArray<string>): fields is readonly [string, string, string, string, string] =>
  fields.length === 5

const parseFields = (fields: ReadonlyArray<string>): Result.Result<CronExpression, InvalidRequest> => {
  if (!isFive(fields)) {
    return refuse(
      `it has ${fields.length} fields; write five, "minute hour day-of-month month day-of-week", ` +
        "without seconds, a year or spaces inside a list"
    )
  }
  const [minute, hour, day, month, weekday] = fields
  return Result.all({
    minute: CronField.parse(CronField.minute, minute),
    hour: CronField.parse(CronField.hour, hour),
    day: CronField.parse(CronField.dayOfMonth, day),
    month: CronField.parse(CronField.month, month),
    weekday: CronField.parse(CronField.dayOfWeek, weekday)
  }).pipe(Result.map(fromFields))
}

const fromFields = (fields: {
  readonly minute: CronField.CronField
  readonly hour: CronField.CronField
  readonly day: CronField.CronField
  readonly month: CronField.CronField
  readonly weekday: CronField.CronField
}): CronExpression => ({
  [TypeId]: TypeId,
  text: [
    CronField.format(CronField.minute, fields.minute),
    CronField.format(CronField.hour, fields.hour),
    CronField.format(CronField.dayOfMonth, fields.day),
    CronField.format(CronField.month, fields.month),
    CronField.format(CronField.dayOfWeek, fields.weekday)
  ].join(" "),
  times: Array.flatMap(fields.hour.values, (hour) => Array.map(fields.minute.values, (minute) => hour * 60 + minute)),
  ...CronDates.make(fields.day, fields.month, fields.weekday)
})

/**
 * Reads an expression. Fails with `invalid_rule`, naming the field and what to write instead.
 * Whether it can fire, and how often, is for `validate` to say.
 */
export const parse = (text: string): Result.Result<CronExpression, InvalidRequest> => {
  const fields = words(text)
  const [first = ""] = fields
  if (!first.startsWith("@")) return parseFields(fields)
  const expansion = fields.length === 1 ? macro(first) : undefined
  return expansion === undefined ? unknownMacro(text) : parseFields(words(expansion))
}

const formatTime = (time: number): string =>
  `${Digits.write(Math.floor(time / 60) % 24, 2)}:${Digits.write(time % 60, 2)}`

/** Two times too close to each other at which the rule fires on one date, or the second on the date after. */
const crowded = (cron: CronExpression): Option.Option<readonly [number, number]> => {
  const following = [...cron.times.slice(1), cron.times[0] + DAY_MINUTES]
  return Array.findFirst(
    Array.zip(cron.times, following),
    ([time, next]) => next - time < FLOOR_MINUTES && (next < DAY_MINUTES || CronDates.hasConsecutive(cron))
  )
}

/** Fails with `invalid_rule` if no date ever matches, then with `frequency_too_high` below five minutes. */
export const validate = (cron: CronExpression): Result.Result<CronExpression, InvalidRequest> => {
  if (CronDates.isEmpty(cron)) {
    return refuse(`${quote(cron.text)} matches no date; write a day that one of its months has`)
  }
  return Option.match(crowded(cron), {
    onNone: () => Result.succeed(cron),
    onSome: ([time, next]) =>
      Result.fail(
        invalid(
          "frequency_too_high",
          `cron.expression: ${quote(cron.text)} fires at ${formatTime(time)} and ${formatTime(next)}, less than ` +
            `${FLOOR_MINUTES} minutes apart; leave at least ${FLOOR_MINUTES}, also across the hour and midnight, ` +
            'for example with "*/5" as the minute'
        )
      )
  })
}

/** How many of the times are below this one. */
const countBelow = (times: ReadonlyArray<number>, time: number): number => {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] as number) < time) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * The first minute from this one on at which the rule fires; none up to year 10000.
 * Minutes of the local clock, counted from 1970-01-01 00:00 as though no day had a transition.
 */
export const next = (cron: CronExpression, minute: number): Option.Option<number> => {
  const today = Math.floor(minute / DAY_MINUTES)
  const time = cron.times[countBelow(cron.times, minute - today * DAY_MINUTES)]
  return Option.map(
    CronDates.next(cron, time === undefined ? today + 1 : today),
    (date) => date * DAY_MINUTES + (date === today && time !== undefined ? time : cron.times[0])
  )
}

/** The last minute up to this one at which the rule fires, counted as in `next`; none down to year 0. */
export const previous = (cron: CronExpression, minute: number): Option.Option<number> => {
  const today = Math.floor(minute / DAY_MINUTES)
  const time = cron.times[countBelow(cron.times, minute - today * DAY_MINUTES + 1) - 1]
  return Option.map(
    CronDates.previous(cron, time === undefined ? today - 1 : today),
    (date) => date * DAY_MINUTES + (date === today && time !== undefined ? time : Array.lastNonEmpty(cron.times))
  )
}

/** Texts read lately: a log names the same few again and again. */
const known = new Map<string, Option.Option<CronExpression>>()
const MAX_KNOWN = 1_000

const readCanonical = (text: string): Option.Option<CronExpression> =>
  Result.flatMap(parse(text), validate).pipe(
    Result.getSuccess,
    Option.filter((cron) => cron.text === text)
  )

/** The expression of a text as it is stored; none if it is not canonical, never fires, or fires too often. */
export const fromText = (text: string): Option.Option<CronExpression> => {
  const found = known.get(text)
  if (found !== undefined) return found
  const cron = readCanonical(text)
  if (known.size >= MAX_KNOWN) known.clear()
  if (Option.isSome(cron)) known.set(cron.value.text, cron)
  return cron
}

const isCronExpression = (value: unknown): value is CronExpression => Predicate.hasProperty(value, TypeId)

/** Codec between an expression and its canonical text, as it is stored: one that fires, and not too often. */
export const CronText = Schema.String.pipe(
  Schema.decodeTo(
    Schema.declare(isCronExpression),
    SchemaTransformation.transformEffect({
      decode: (text, options) =>
        Option.match(fromText(text), {
          onNone: () =>
            Effect.fail(
              new SchemaIssue.InvalidValue({ expected: "a canonical cron expression within the limits" }, text, options)
            ),
          onSome: Effect.succeed
        }),
      encode: (cron) => Effect.succeed(cron.text)
    })
  )
)
