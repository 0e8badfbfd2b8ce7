/**
 * A reminder's rule in words.
 *
 * @typedef {import("./host.js").Reminder} Reminder
 */
import * as Cron from "./cron.js"

/** @type {ReadonlyArray<readonly [number, string]>} */
const UNITS = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
  [1, "second"]
]

/** Up to so many of one unit are clear by themselves: 90 minutes. */
const CLEAR = 120

/** @param {number} count @param {string} name */
const counted = (count, name) => `${count} ${name}${count === 1 ? "" : "s"}`

/**
 * `hour`, `15 minutes`, `2 days and 5 hours`.
 *
 * @param {number} seconds
 */
const interval = (seconds) => {
  const whole = UNITS.find(([size]) => seconds % size === 0 && seconds / size <= CLEAR)
  if (whole !== undefined) return counted(seconds / whole[0], whole[1]).replace(/^1 /u, "")
  let rest = seconds
  const parts = UNITS.flatMap(([size, name]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count === 0 ? [] : [counted(count, name)]
  })
  return Cron.list(parts)
}

/**
 * `09:00` of `09:00:00.000`: no more than there is to say.
 *
 * @param {string} time
 */
const short = (time) => time.replace(/\.000$/u, "").replace(/:00$/u, "")

/**
 * @param {Reminder} reminder
 * @returns {string}
 */
export const words = (reminder) => {
  switch (reminder.kind) {
    case "after":
    case "at":
      return "once"
    case "every":
      return `every ${interval(reminder.everySeconds)}`
    case "daily":
      return `every day at ${short(reminder.time)}`
    case "weekly":
      return `every ${Cron.weekdays(reminder.weekdays)} at ${short(reminder.time)}`
    case "cron":
      return Cron.words(reminder.expression) ?? "by cron"
  }
}
