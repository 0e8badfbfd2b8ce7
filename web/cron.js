/**
 * A canonical cron expression in words, as far as words are clearer than the expression.
 */

/**
 * The values that a field of canonical text chooses.
 *
 * @param {string} text
 * @param {number} min
 * @param {number} max
 */
const valuesOf = (text, min, max) => {
  const chosen = text.split(",").flatMap((part) => {
    const [range = "", step = "1"] = part.split("/")
    const [first = "", last = first] = range.split("-")
    const [from, to] = first === "*" ? [min, max] : [Number(first), Number(last)]
    return Array.from({ length: Math.floor((to - from) / Number(step)) + 1 }, (_, i) => from + i * Number(step))
  })
  return [...new Set(chosen)].sort((a, b) => a - b)
}

/**
 * `a, b and c`
 *
 * @param {ReadonlyArray<string | number>} parts
 * @param {string} [word]
 */
export const list = (parts, word = "and") =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} ${word} ${String(parts.at(-1))}`

/** @param {number} hour @param {number} minute */
const time = (hour, minute) => `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`

/**
 * The distance of values that come evenly; none if they don't.
 *
 * @param {ReadonlyArray<number>} values
 */
const stepOf = ([first = 0, second = first, ...rest]) => {
  const step = second - first
  return step > 0 && rest.every((value, i) => value === second + (i + 1) * step) ? step : undefined
}

/** @param {ReadonlyArray<number>} values @param {number} size */
const isAround = (values, size) => {
  const step = stepOf(values)
  return step !== undefined && values.length * step === size
}

/** So many times of a day are told one by one. */
const TOLD = 4

/**
 * The times of a day: as times (`at 09:00`), or as an interval; none if no words are clearer.
 *
 * @param {ReadonlyArray<number>} minutes
 * @param {ReadonlyArray<number>} hours
 * @returns {{ at?: string, every?: string } | undefined}
 */
const timesOf = (minutes, hours) => {
  const [minute = 0] = minutes
  const [hour = 0] = hours
  const past = minutes.length === 1 && minute > 0 ? ` at ${minute} past` : ""
  if (minutes.length * hours.length <= TOLD) {
    return { at: list(hours.flatMap((hour) => minutes.map((minute) => time(hour, minute)))) }
  }
  const interval =
    minutes.length === 1 ? "hour" : isAround(minutes, 60) && minute === 0 ? `${60 / minutes.length} minutes` : undefined
  if (interval === undefined) return undefined
  if (hours.length === 24) return { every: `every ${interval}${past}` }
  if (stepOf(hours) === 1) {
    return {
      every: `every ${interval} from ${time(hour, minute)} to ${time(hours.at(-1) ?? hour, minutes.at(-1) ?? 0)}`
    }
  }
  const isEven = isAround(hours, 24) && hour === 0 && minutes.length === 1
  return isEven ? { every: `every ${24 / hours.length} hours${past}` } : undefined
}

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
const MONTHS = "January February March April May June July August September October November December".split(" ")

/**
 * Weekdays in words, Sunday being 0 or 7: `weekday`, `Monday and Friday`.
 *
 * @param {ReadonlyArray<number>} days
 * @param {string} [word]
 */
export const weekdays = (days, word = "and") => {
  const chosen = new Set(days.map((day) => day % 7))
  if (chosen.size === 7) return "day"
  if (chosen.size === 5 && !chosen.has(0) && !chosen.has(6)) return "weekday"
  return list(
    [1, 2, 3, 4, 5, 6, 0].filter((day) => chosen.has(day)).map((day) => WEEKDAYS[day] ?? ""),
    word
  )
}

/** More days or months than these are clearer in the expression. */
const CLEAR = 6

/**
 * The dates: `every weekday`, `on day 1 and 15 of every month`; none if no words are clearer.
 *
 * @param {ReadonlyArray<number>} days
 * @param {ReadonlyArray<number>} months
 * @param {ReadonlyArray<number>} chosen weekdays
 * @param {boolean} isEither whether one of day and weekday is enough
 */
const datesOf = (days, months, chosen, isEither) => {
  const isEveryMonth = months.length === 12
  if (months.length > CLEAR && !isEveryMonth) return undefined
  const within = isEveryMonth ? "every month" : list(months.map((month) => MONTHS[month - 1] ?? ""))
  const inMonths = isEveryMonth ? "" : ` in ${within}`
  if (isEither && (days.length === 31 || chosen.length === 7)) return `every day${inMonths}`
  if (days.length === 31) return `every ${weekdays(chosen)}${inMonths}`
  if (days.length > CLEAR) return undefined
  const dates = `on day ${list(days)} of ${within}`
  if (chosen.length === 7) return dates
  return isEither ? `${dates}, and every ${weekdays(chosen)}` : `${dates} that is a ${weekdays(chosen, "or")}`
}

/**
 * What a canonical expression says, in words; none where the expression itself is clearer.
 *
 * @param {string} expression
 */
export const words = (expression) => {
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = expression.split(" ")
  const times = timesOf(valuesOf(minute, 0, 59), valuesOf(hour, 0, 23))
  const isEither = !day.startsWith("*") && !weekday.startsWith("*")
  const dates = datesOf(valuesOf(day, 1, 31), valuesOf(month, 1, 12), valuesOf(weekday, 0, 6), isEither)
  if (times === undefined || dates === undefined) return undefined
  if (times.at !== undefined) return `${dates} at ${times.at}`
  return dates === "every day" ? times.every : `${times.every}, ${dates}`
}
