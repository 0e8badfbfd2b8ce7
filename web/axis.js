/**
 * The time line's arithmetic: which moments it names, and where on it a moment is.
 */
import * as Clock from "./clock.js"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * How far the time line looks ahead.
 *
 * @typedef {object} Range
 * @property {number} length in milliseconds
 * @property {(date: Date) => void} floor sets a date back to the last moment with a tick
 * @property {(date: Date) => void} next sets a date with a tick on to the next one
 * @property {(instant: number) => string} label what a tick says, if anything
 */

/** @param {number} instant */
const isMidnight = (instant) => new Date(instant).getHours() === 0 && new Date(instant).getMinutes() === 0

/** @type {Readonly<Record<"hour" | "day" | "week" | "month", Range>>} */
export const ranges = {
  hour: {
    length: HOUR,
    floor: (date) => date.setMinutes(Math.floor(date.getMinutes() / 5) * 5, 0, 0),
    next: (date) => date.setMinutes(date.getMinutes() + 5),
    label: (instant) => (new Date(instant).getMinutes() % 15 === 0 ? Clock.time(instant) : "")
  },
  day: {
    length: DAY,
    floor: (date) => date.setHours(Math.floor(date.getHours() / 3) * 3, 0, 0, 0),
    next: (date) => date.setHours(date.getHours() + 3),
    label: (instant) =>
      isMidnight(instant) ? Clock.weekday(instant) : new Date(instant).getHours() % 6 === 0 ? Clock.time(instant) : ""
  },
  week: {
    length: 7 * DAY,
    floor: (date) => date.setHours(0, 0, 0, 0),
    next: (date) => date.setDate(date.getDate() + 1),
    label: Clock.weekday
  },
  month: {
    length: 30 * DAY,
    floor: (date) => date.setHours(0, 0, 0, 0),
    next: (date) => date.setDate(date.getDate() + 1),
    label: (instant) => (new Date(instant).getDay() === 1 ? Clock.dayAndMonth(instant) : "")
  }
}

/** @typedef {keyof typeof ranges} RangeName */

/** How many occurrences of a reminder the time line knows: enough for a week of an hourly rule. */
export const OCCURRENCES = 168

/**
 * Where a moment is on a time line that begins now: 0 for now, 1 for its end.
 *
 * @param {Range} range
 * @param {number} instant
 */
export const place = ({ length }, instant) => (instant - Clock.now()) / length

/**
 * The moments that a time line from now on marks.
 *
 * @param {Range} range
 * @returns {ReadonlyArray<{ readonly at: number, readonly label: string, readonly isDay: boolean }>}
 */
export const ticks = (range) => {
  const now = Clock.now()
  const date = new Date(now)
  range.floor(date)
  const found = []
  for (range.next(date); date.getTime() < now + range.length; range.next(date)) {
    const at = date.getTime()
    found.push({ at, label: range.label(at), isDay: isMidnight(at) })
  }
  return found
}
