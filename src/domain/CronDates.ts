/**
 * The calendar dates that a cron rule matches, found month by month: the days of one month are the bits of a number.
 */
import { Option } from "effect"
import * as Calendar from "./Calendar.ts"
import type { CronField } from "./CronField.ts"

/** Which dates match: sets of bits, the lowest of them January, day 1 and Sunday. */
export interface CronDates {
  readonly months: number
  readonly days: number
  readonly weekdays: number
  /** Whether one of day-of-month and day-of-week is enough; otherwise a date must match both. */
  readonly eitherDay: boolean
}

const bits = (values: ReadonlyArray<number>, lowest: number): number =>
  values.reduce((set, value) => set | (1 << (value - lowest)), 0)

const hasBit = (set: number, index: number): boolean => ((set >> index) & 1) === 1

/** The dates of a rule's three date fields: both day fields must match if either is a star. */
export const make = (day: CronField, month: CronField, weekday: CronField): CronDates => ({
  months: bits(month.values, 1),
  days: bits(day.values, 1),
  weekdays: bits(weekday.values, 0),
  eitherDay: !day.isStar && !weekday.isStar
})

/** The days 1 to 31. */
const WHOLE_MONTH = 0x7fff_ffff
/** Sunday to Saturday. */
const WHOLE_WEEK = 0x7f
/** The days 1, 8, 15, 22 and 29. */
const WEEKLY = 0x1020_4081

/** The matching days of a month of that length that begins on that weekday (Sunday 0). */
const daysOf = (dates: CronDates, length: number, firstWeekday: number): number => {
  const firstWeek = ((dates.weekdays >> firstWeekday) | (dates.weekdays << (7 - firstWeekday))) & WHOLE_WEEK
  const byWeekday = firstWeek * WEEKLY
  return (dates.eitherDay ? dates.days | byWeekday : dates.days & byWeekday) & (WHOLE_MONTH >> (31 - length))
}

const MONTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
/** Months are counted from January of year 0; the calendar ends with year 10000. */
const LAST_MONTH = 10_000 * 12 + 11
/** 29 February falls on a given weekday again within 40 years. */
const LONGEST_WAIT = 40 * 12

const monthOf = ({ year, month }: Calendar.Date): number => year * 12 + month - 1

const lengthOf = (month: number): number => Calendar.daysInMonth(Math.floor(month / 12), (month % 12) + 1)

/** The matching days of a month whose first day has that day number. */
const daysIn = (dates: CronDates, month: number, first: number): number =>
  hasBit(dates.months, month % 12) ? daysOf(dates, lengthOf(month), Calendar.weekdayOf(first) % 7) : 0

/** Whether the date with this day number matches. */
export const matches = (dates: CronDates, days: number): boolean => {
  const date = Calendar.fromDays(days)
  return hasBit(daysIn(dates, monthOf(date), days - date.day + 1), date.day - 1)
}

/** The first matching date from this one on, as day numbers; none up to year 10000. */
export const next = (dates: CronDates, days: number): Option.Option<number> => {
  const date = Calendar.fromDays(days)
  const start = monthOf(date)
  let first = days - date.day + 1
  let wanted = -1 << (date.day - 1)
  for (let month = start; month <= Math.min(start + LONGEST_WAIT, LAST_MONTH); month++) {
    const found = daysIn(dates, month, first) & wanted
    if (found !== 0) return Option.some(first + 31 - Math.clz32(found & -found))
    first += lengthOf(month)
    wanted = WHOLE_MONTH
  }
  return Option.none()
}

/** The last matching date up to this one, as day numbers; none down to year 0. */
export const previous = (dates: CronDates, days: number): Option.Option<number> => {
  const date = Calendar.fromDays(days)
  const start = monthOf(date)
  let first = days - date.day + 1
  let wanted = WHOLE_MONTH >> (31 - date.day)
  for (let month = start; month >= Math.max(start - LONGEST_WAIT, 0); month--) {
    const found = daysIn(dates, month, first) & wanted
    if (found !== 0) return Option.some(first + 31 - Math.clz32(found))
    first -= lengthOf(month - 1)
    wanted = WHOLE_MONTH
  }
  return Option.none()
}

/**
 * Every month that the calendar ever shows: a year, common or leap, begins on every weekday at some time, and so
 * does each of its months.
 */
const kindsOfMonth = [2023, 2024].flatMap((year) =>
  MONTHS.flatMap((month) =>
    [0, 1, 2, 3, 4, 5, 6].map((firstWeekday) => ({ month, length: Calendar.daysInMonth(year, month), firstWeekday }))
  )
)

const kindsOf = (dates: CronDates) => kindsOfMonth.filter(({ month }) => hasBit(dates.months, month - 1))

/** Whether no date of the calendar matches. */
export const isEmpty = (dates: CronDates): boolean =>
  kindsOf(dates).every(({ length, firstWeekday }) => daysOf(dates, length, firstWeekday) === 0)

/** Whether a date must match day-of-month and day-of-week, and neither chooses all there are. */
export const needsBothDays = (dates: CronDates): boolean =>
  !dates.eitherDay && dates.days !== WHOLE_MONTH && dates.weekdays !== WHOLE_WEEK

/** The chosen months (1 to 12) that are too short in that year for any chosen day, where those decide alone. */
export const tooShortMonths = (dates: CronDates, year: number): ReadonlyArray<number> =>
  MONTHS.filter((month) => {
    const days = dates.days & (WHOLE_MONTH >> (31 - Calendar.daysInMonth(year, month)))
    return hasBit(dates.months, month - 1) && !dates.eitherDay && days === 0
  })

/** Whether any two dates that follow each other both match. */
export const hasConsecutive = (dates: CronDates): boolean =>
  kindsOf(dates).some(({ month, length, firstWeekday }) => {
    const days = daysOf(dates, length, firstWeekday)
    const endsMatching = hasBit(days, length - 1) && hasBit(dates.months, month % 12)
    return (days & (days >> 1)) !== 0 || (endsMatching && hasBit(daysOf(dates, 31, (firstWeekday + length) % 7), 0))
  })
