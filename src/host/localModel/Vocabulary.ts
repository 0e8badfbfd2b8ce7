/**
 * The words for numbers, units of time, weekdays and months.
 */

const ONE_TO_TWELVE = "one two three four five six seven eight nine ten eleven twelve".split(" ")
const TENS = "ten twenty thirty forty fifty sixty".split(" ")

const NUMBERS: Record<string, number> = {
  a: 1,
  an: 1,
  fifteen: 15,
  "forty-five": 45,
  ...Object.fromEntries(TENS.map((word, i) => [word, (i + 1) * 10])),
  ...Object.fromEntries(ONE_TO_TWELVE.map((word, i) => [word, i + 1]))
}

const alternatives = (words: Iterable<string>): string => [...words].toSorted((a, b) => b.length - a.length).join("|")

/** Matches a number, in digits or as a word. */
export const NUMBER = `(?:\\d+(?:\\.\\d+)?|${alternatives(Object.keys(NUMBERS))})`

/** The number that a match of `NUMBER` writes. */
export const numberOf = (text: string): number => NUMBERS[text.toLowerCase()] ?? Number(text)

/** Units of a fixed length, in seconds. */
const UNITS: ReadonlyArray<readonly [seconds: number, words: string]> = [
  [1, "seconds?|secs?|s"],
  [60, "minutes?|mins?|m"],
  [3_600, "hours?|hrs?|h"],
  [86_400, "days?|d"],
  [604_800, "weeks?|w"],
  [1_209_600, "fortnights?"]
]

/** Matches a unit of time of a fixed length. */
export const UNIT = `(?:${UNITS.map(([, words]) => words).join("|")})`

const units = UNITS.map(([seconds, words]) => [seconds, new RegExp(`^(?:${words})$`, "iu")] as const)

/** The seconds of the unit that a match of `UNIT` names. */
export const secondsOf = (unit: string): number => units.find(([, pattern]) => pattern.test(unit))?.[0] ?? Number.NaN

/** Matches the name of a weekday, abbreviated or in the plural too. */
export const WEEKDAY =
  "(?:mon(?:days?)?|tue(?:s(?:days?)?)?|wed(?:nesdays?)?|thu(?:rs?(?:days?)?)?|fri(?:days?)?|sat(?:urdays?)?|sun(?:days?)?)"

const WEEKDAY_PREFIXES = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

/** The ISO weekday, 1 (Monday) to 7 (Sunday), that a match of `WEEKDAY` names. */
export const weekdayOf = (text: string): number => WEEKDAY_PREFIXES.indexOf(text.slice(0, 3).toLowerCase()) + 1

/** Matches the name of a month, abbreviated too. */
export const MONTH =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
