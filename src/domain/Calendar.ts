/**
 * The proleptic Gregorian calendar in integers: a date is a day number, counted from 1970-01-01 (day 0).
 *
 * Years run from 0 to 10000, one on either side of the instants that can be stored: the local date of an
 * instant at the edge of that range may lie a day outside it.
 *
 * @see http://howardhinnant.github.io/date_algorithms.html for the derivation of the arithmetic
 */

/** A calendar date: month 1 to 12, day 1 to 31. */
export interface Date {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** Milliseconds in a day of 24 hours. */
export const DAY_MILLIS = 86_400_000

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Whether the year has a 29 February. */
export const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

/** How many days the month (1 to 12) of that year has. */
export const daysInMonth = (year: number, month: number): number =>
  month === 2 && isLeapYear(year) ? 29 : (monthLengths[month - 1] ?? 0)

/** Whether the calendar has this date. */
export const isDate = ({ year, month, day }: Date): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)

/** The day number of a date. */
export const toDays = ({ year, month, day }: Date): number => {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** The date of a day number. */
export const fromDays = (days: number): Date => {
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1
  }
}

/** The ISO weekday of a day number: 1 (Monday) to 7 (Sunday). */
export const weekdayOf = (days: number): number => ((((days + 3) % 7) + 7) % 7) + 1
