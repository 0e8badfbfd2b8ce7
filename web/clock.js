/**
 * The host's clock, and how its instants are written for whoever looks at the page, in the zone of their browser.
 */

let skew = 0

/**
 * Sets the page's clock by the host's, so that "in 5 minutes" is true whatever the time of this machine.
 *
 * @param {string} hostNow
 */
export const synchronize = (hostNow) => {
  skew = Date.parse(hostNow) - Date.now()
}

/** The host's time, in epoch milliseconds. */
export const now = () => Date.now() + skew

/** The zone of the browser at this moment, as people travel; none if it does not know one. */
export const zone = () => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return timeZone === undefined || timeZone === "Etc/Unknown" ? undefined : timeZone
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** @param {number} number */
const two = (number) => String(number).padStart(2, "0")

/**
 * `09:00`
 *
 * @param {number} instant
 */
export const time = (instant) => {
  const date = new Date(instant)
  return `${two(date.getHours())}:${two(date.getMinutes())}`
}

/**
 * `:31`, if there are any.
 *
 * @param {number} instant
 */
export const seconds = (instant) => {
  const count = new Date(instant).getSeconds()
  return count === 0 ? "" : `:${two(count)}`
}

/** @param {number} instant */
const midnight = (instant) => new Date(instant).setHours(0, 0, 0, 0)

/** @param {Intl.DateTimeFormatOptions} options */
const formatter = (options) => {
  const format = new Intl.DateTimeFormat("en-GB", options)
  return (/** @type {number} */ instant) => format.format(instant).replaceAll(",", "")
}

const weekdayAndDate = formatter({ weekday: "short", day: "numeric", month: "short" })
const dateWithYear = formatter({ day: "numeric", month: "short", year: "numeric" })

/** `Wed` */
export const weekday = formatter({ weekday: "short" })
/** `2 Dec` */
export const dayAndMonth = formatter({ day: "numeric", month: "short" })
/** `Tuesday 1 December 2026 at 05:00:31 CST` */
export const inFull = formatter({ dateStyle: "full", timeStyle: "long" })

/**
 * `Wed 2 Dec`, and with the year where it is another one.
 *
 * @param {number} instant
 */
export const date = (instant) => {
  const isThisYear = new Date(instant).getFullYear() === new Date(now()).getFullYear()
  return isThisYear ? weekdayAndDate(instant) : dateWithYear(instant)
}

/**
 * `today`, `tomorrow`, `yesterday`, or the date.
 *
 * @param {number} instant
 */
export const day = (instant) => {
  const distance = Math.round((midnight(instant) - midnight(now())) / DAY)
  if (distance === 0) return "today"
  if (distance === 1) return "tomorrow"
  return distance === -1 ? "yesterday" : date(instant)
}

/** @type {ReadonlyArray<readonly [number, string]>} */
const UNITS = [
  [DAY, "d"],
  [HOUR, "h"],
  [MINUTE, "min"],
  [SECOND, "s"]
]

/**
 * A length of time, as exactly as one wants to know: `2 h 5 min`, `12 h`.
 *
 * @param {number} millis
 */
export const duration = (millis) => {
  const place = UNITS.findIndex(([length]) => millis >= length)
  if (place === -1) return "0 s"
  const [length, unit] = UNITS[place] ?? [SECOND, "s"]
  const [smallerLength, smaller] = UNITS[place + 1] ?? [length, ""]
  const count = Math.floor(millis / length)
  const rest = Math.floor((millis % length) / smallerLength)
  return count >= 10 || rest === 0 ? `${count} ${unit}` : `${count} ${unit} ${rest} ${smaller}`
}

/**
 * `in 2 h 5 min`, `now`, `3 min ago`.
 *
 * @param {number} instant
 */
export const relative = (instant) => {
  const distance = instant - now()
  if (Math.abs(distance) < SECOND) return "now"
  return distance > 0 ? `in ${duration(distance)}` : `${duration(-distance)} ago`
}
