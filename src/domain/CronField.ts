/**
 * One field of a cron expression: the values that its text chooses, and the one text that says so.
 */
import { Array, Result } from "effect"
import { quote } from "./Quote.ts"
import { invalid, type InvalidRequest } from "./ScheduleError.ts"

/** Which field of the five it is. */
export interface Kind {
  readonly name: string
  /** The values to choose from, `min` to `max`. */
  readonly min: number
  readonly max: number
  /** The largest number that may be written: Sunday is 0 and 7. */
  readonly largest: number
  /** Names of the values from `min` to `largest`, so Sunday comes twice; empty for a field of numbers only. */
  readonly names: ReadonlyArray<string>
  /** What may be written, in words. */
  readonly allowed: string
}

const numeric = (name: string, min: number, max: number): Kind => ({
  name,
  min,
  max,
  largest: max,
  names: [],
  allowed: `${min}-${max}`
})

export const minute: Kind = numeric("minute", 0, 59)
export const hour: Kind = numeric("hour", 0, 23)
export const dayOfMonth: Kind = numeric("day-of-month", 1, 31)
export const month: Kind = {
  ...numeric("month", 1, 12),
  names: ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"],
  allowed: "1-12 or JAN-DEC"
}
export const dayOfWeek: Kind = {
  ...numeric("day-of-week", 0, 6),
  largest: 7,
  names: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"],
  allowed: "0-7 or SUN-SAT, where 0 and 7 are Sunday"
}

/** A field as it was read: the values it chooses, ascending (Sunday is 0), and whether its text begins with a star. */
export interface CronField {
  readonly isStar: boolean
  readonly values: Array.NonEmptyReadonlyArray<number>
}

/** Every `step`-th value from `from` up to `to`; past the field's largest value it goes on at the smallest. */
interface Walk {
  readonly from: number
  readonly to: number
  readonly step: number
}

const sizeOf = (kind: Kind): number => kind.max - kind.min + 1

const valuesOf = (kind: Kind, { from, to, step }: Walk): ReadonlyArray<number> => {
  const values: Array<number> = []
  for (let value = from; value <= to; value += step) values.push(kind.min + ((value - kind.min) % sizeOf(kind)))
  return values
}

const ascending = (values: Iterable<number>) => [...new Set(values)].sort((a, b) => a - b) as [number, ...Array<number>]

/** Parts of other dialects, and what to write instead of them. */
const foreign: ReadonlyArray<readonly [RegExp, string]> = [
  [/^$/, "is empty; remove the extra comma"],
  [/\?/, 'is not supported; write "*" for any value'],
  [/#/, 'is not supported: no rule finds the nth weekday of a month; make an "at" reminder for each date'],
  [
    /^L$/i,
    "is not supported; make a reminder for each length of month, such as one that ends in " +
      '"31 1,3,5,7,8,10,12 *" for the months of 31 days'
  ],
  [
    /^(?:[0-9]+|[A-Z]{3})L$/i,
    'is not supported: no rule finds the last weekday of a month; make an "at" reminder for each date'
  ],
  [
    /^(?:[0-9]+|L)W$/i,
    "is not supported: no rule finds the nearest working day; write the day of the month, " +
      "or * for it and MON-FRI in day-of-week for every working day"
  ]
]

const unreadable = (kind: Kind, text: string): string =>
  foreign.find(([form]) => form.test(text))?.[1] ??
  `is not understood; write ${kind.allowed}, as a value, "a-b", "a-b/n", "*", "*/n", or a list of these with commas`

/** The number or name at either end of a range: `SAT-SUN` ends on the Sunday after. */
const readValue = (kind: Kind, text: string, end: "first" | "last"): Result.Result<number, string> => {
  const name = text.toUpperCase()
  const index = end === "first" ? kind.names.indexOf(name) : kind.names.lastIndexOf(name)
  if (index !== -1) return Result.succeed(kind.min + index)
  if (!/^[0-9]+$/.test(text)) return Result.fail(unreadable(kind, text))
  const value = Number(text)
  return value >= kind.min && value <= kind.largest
    ? Result.succeed(value)
    : Result.fail(`is out of range; write ${kind.allowed}`)
}

const readStar = (kind: Kind, step: number): Result.Result<Walk, string> =>
  step <= sizeOf(kind)
    ? Result.succeed({ from: kind.min, to: kind.max, step })
    : Result.fail(
        `steps past the end of the field (${kind.min}-${kind.max}); ` +
          `write a step of at most ${sizeOf(kind)}, or use every_seconds for an interval`
      )

const readSingle = (kind: Kind, value: number, step: number | undefined): Result.Result<Walk, string> => {
  if (step === undefined) return Result.succeed({ from: value, to: value, step: 1 })
  const meant = ascending(valuesOf(kind, { from: value % (kind.max + 1), to: kind.max, step }))
  return Result.fail(`has a step after a single value; write ${quote(formatValues(meant))}`)
}

const readRange = (kind: Kind, from: number, to: number, step: number): Result.Result<Walk, string> => {
  if (from <= to) return Result.succeed({ from, to, step })
  const meant = ascending(valuesOf(kind, { from, to: to + sizeOf(kind), step }))
  return Result.fail(`runs backwards; write ${quote(formatValues(meant))}`)
}

const form = /^(?:\*|([0-9A-Za-z]+)(?:-([0-9A-Za-z]+))?)(?:\/([0-9]+))?$/

const readWalk = (kind: Kind, text: string): Result.Result<Walk, string> => {
  const match = form.exec(text)
  if (match === null) return Result.fail(unreadable(kind, text))
  const [, first, last, steps] = match
  const step = steps === undefined ? undefined : Number(steps)
  if (step === 0) return Result.fail("steps by zero; write a step of 1 or more")
  if (first === undefined) return readStar(kind, step ?? 1)
  return Result.flatMap(readValue(kind, first, "first"), (from) =>
    last === undefined
      ? readSingle(kind, from, step)
      : Result.flatMap(readValue(kind, last, "last"), (to) => readRange(kind, from, to, step ?? 1))
  )
}

/** Reads a field's text; fails with `invalid_rule`, naming the field and what to write instead. */
export const parse = (kind: Kind, text: string): Result.Result<CronField, InvalidRequest> => {
  const chosen = new Set<number>()
  for (const part of text.split(",")) {
    const walk = readWalk(kind, part)
    if (Result.isFailure(walk)) {
      return Result.fail(invalid("invalid_rule", `${kind.name}: ${quote(part)} ${walk.failure}`))
    }
    for (const value of valuesOf(kind, walk.success)) chosen.add(value)
  }
  return Result.succeed({ isStar: text.startsWith("*"), values: ascending(chosen) })
}

/** A progression of three values or more as `a-b/n`; else the runs of consecutive values as `a-b`, the rest singly. */
const formatValues = (values: Array.NonEmptyReadonlyArray<number>): string => {
  const [first, second = first] = values
  const step = second - first
  const isProgression = values.length >= 3 && step > 1 && values.every((value, i) => value === first + i * step)
  if (isProgression) return `${first}-${Array.lastNonEmpty(values)}/${step}`
  const starts = values.filter((value) => !values.includes(value - 1))
  const ends = values.filter((value) => !values.includes(value + 1))
  return Array.zipWith(starts, ends, (from, to) => (from === to ? `${from}` : `${from}-${to}`)).join(",")
}

/** The star with the smallest step that chooses none but these values, then the rest of them. */
const formatStar = (kind: Kind, values: Array.NonEmptyReadonlyArray<number>): string => {
  const isOn = (step: number) => (value: number) => (value - kind.min) % step === 0
  let step = 1
  while (values.filter(isOn(step)).length < Math.ceil(sizeOf(kind) / step)) step++
  const star = step === 1 ? "*" : `*/${step}`
  const rest = values.filter((value) => !isOn(step)(value))
  return Array.isReadonlyArrayNonEmpty(rest) ? `${star},${formatValues(rest)}` : star
}

/** Canonical text: fields that choose the same values, both stars or both not, have the same. */
export const format = (kind: Kind, field: CronField): string =>
  field.isStar ? formatStar(kind, field.values) : formatValues(field.values)
