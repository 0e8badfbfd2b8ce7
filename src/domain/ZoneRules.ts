/**
 * How the clocks of one zone are set: the periods of one offset, as the runtime's zone data tell them.
 *
 * `Intl` only answers what the offset is at an instant, so the periods are found by sampling and bisection, one span
 * of time at a time, when it is first asked for. Every year is treated alike: nothing is assumed of when a zone's
 * transitions begin, or of the rules by which they go on for ever.
 */
import { Option } from "effect"
import * as Calendar from "./Calendar.ts"
import * as Digits from "./Digits.ts"

/** A period in which the clocks of a zone keep one offset: from `start` up to, not including, `end`. */
export interface Period {
  /** Epoch milliseconds. */
  readonly start: number
  /** Epoch milliseconds. */
  readonly end: number
  /** Milliseconds east of UTC. */
  readonly offset: number
}

interface Span {
  readonly index: number
  readonly periods: ReadonlyArray<Period>
}

/** The rules of a zone that this runtime knows. Its spans are a cache: they never change an answer. */
export interface ZoneRules {
  readonly name: string
  readonly spans: Array<Span | undefined>
}

/**
 * Two transitions within one step could cancel out unseen. The closest two that do are 6 days and 23 hours apart
 * (America/Noronha in 2000, Asia/Gaza in 2040).
 */
const STEP = 3 * Calendar.DAY_MILLIS
/** A whole number of steps, so that neighbours sample the same instants and agree where they overlap. */
const SPAN = 128 * STEP
/** Spans that are kept, about 67 years of them. A power of two. */
const SLOTS = 64

const offsetFormat = (zone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat("en-US", { day: "numeric", timeZoneName: "longOffset", timeZone: zone })

/** Reads `31, GMT-04:56:02`; the seconds may be missing, and all that follows `GMT` at offset zero. */
const readOffset = (text: string): number => {
  const sign = text.indexOf("GMT") + 3
  const read = (start: number) => Digits.read(text, sign + start, 2) || 0
  const millis = ((read(1) * 60 + read(4)) * 60 + read(7)) * 1_000
  return text[sign] === "-" ? -millis : millis
}

/** The offset at an instant, both in milliseconds. */
export type OffsetOf = (instant: number) => number

/** Where the offset at `from` ends, if `to` has another one. Clocks are set at whole seconds. */
const endOfOffset = (offsetOf: OffsetOf, from: number, to: number): number => {
  const offset = offsetOf(from)
  let [low, high] = [from, to]
  while (high - low > 1_000) {
    const middle = low + Math.floor((high - low) / 2_000) * 1_000
    if (offsetOf(middle) === offset) low = middle
    else high = middle
  }
  return high
}

/**
 * The periods that an offset runs through between two instants a whole number of steps apart. The first is taken to have
 * no beginning, and the last no end.
 */
export const findPeriods = (offsetOf: OffsetOf, from: number, to: number): ReadonlyArray<Period> => {
  const periods: Array<Period> = []
  let start = -Infinity
  let offset = offsetOf(from)
  for (let known = from; known < to; known += STEP) {
    const next = offsetOf(known + STEP)
    while (offset !== next) {
      const end = endOfOffset(offsetOf, Math.max(start, known), known + STEP)
      periods.push({ start, end, offset })
      start = end
      offset = offsetOf(end)
    }
  }
  periods.push({ start, end: Infinity, offset })
  return periods
}

/** The formatter lives no longer than this: it weighs 30 KB, more than all that is kept of a zone. */
const findSpan = (zone: string, index: number): Span => {
  const format = offsetFormat(zone)
  const offsetOf = (instant: number) => readOffset(format.format(instant))
  return { index, periods: findPeriods(offsetOf, index * SPAN - STEP, (index + 1) * SPAN + STEP) }
}

/** The rules of a zone by its name; none if this runtime does not know it. */
export const load = (name: string): Option.Option<ZoneRules> =>
  Option.map(Option.liftThrowable(offsetFormat)(name), () => ({ name, spans: Array.from({ length: SLOTS }) }))

/**
 * The periods around a moment, in order, given as an instant or as a local time in milliseconds: right for more than a
 * day on either side of it, which no offset exceeds.
 */
export const periodsAround = (rules: ZoneRules, millis: number): ReadonlyArray<Period> => {
  const index = Math.floor(millis / SPAN)
  const slot = index & (SLOTS - 1)
  const kept = rules.spans[slot]
  if (kept?.index === index) return kept.periods
  const found = findSpan(rules.name, index)
  rules.spans[slot] = found
  return found.periods
}

/** How far ahead of UTC the clocks are at an instant, in milliseconds; negative west of it. */
export const offsetAt = (rules: ZoneRules, instant: number): number => {
  let offset = 0
  for (const period of periodsAround(rules, instant)) if (period.start <= instant) offset = period.offset
  return offset
}

/** A moment at which the clocks of a zone are set: from one offset to another, both in milliseconds. */
export interface Transition {
  /** Epoch milliseconds. */
  readonly at: number
  readonly from: number
  readonly to: number
}

/** The transitions after one instant and up to another, in order. */
export const transitions = (rules: ZoneRules, after: number, upTo: number): ReadonlyArray<Transition> => {
  const found: Array<Transition> = []
  for (let index = Math.floor(after / SPAN); index * SPAN <= upTo; index++) {
    let from = Number.NaN
    for (const { start, offset } of periodsAround(rules, index * SPAN)) {
      const isWithin = start > after && start <= upTo && Math.floor(start / SPAN) === index
      if (isWithin) found.push({ at: start, from, to: offset })
      from = offset
    }
  }
  return found
}
