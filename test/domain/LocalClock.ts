/**
 * What the clocks of a zone show from one minute to the next, and the occurrences of a rule by their plainest definition:
 * the moments at which the clocks show a time that the rule names, and have not shown before. Nothing here shares code
 * with what is tested: `Intl` tells what is shown, `Date` knows the calendar.
 */

/** A date as a rule sees it. */
export interface Shown {
  readonly month: number
  readonly day: number
  /** Sunday 0. */
  readonly weekday: number
}

/** From one point up to the next the clocks run evenly. `local` is when UTC would show the same. */
interface Point {
  readonly instant: number
  readonly local: number
}

const MINUTE = 60_000
const DAY = 86_400_000

const dateAt = (local: number): Shown => {
  const date = new Date(local)
  return { month: date.getUTCMonth() + 1, day: date.getUTCDate(), weekday: date.getUTCDay() }
}

const modulo = (dividend: number, divisor: number): number => ((dividend % divisor) + divisor) % divisor

/** Reads the clocks of a zone at an instant of whole seconds. */
const reader = (timeZone: string): ((instant: number) => number) => {
  const date = { era: "short", year: "numeric", month: "numeric", day: "numeric" } as const
  const time = { hour: "numeric", minute: "numeric", second: "numeric", hourCycle: "h23" } as const
  const format = new Intl.DateTimeFormat("en-US", { ...date, ...time, timeZone })
  return (instant) => {
    const text = format.format(instant)
    const [month, day, year, hour, minute, second] = (text.match(/\d+/gu) ?? []).map(Number) as [
      number,
      number,
      number,
      number,
      number,
      number
    ]
    const local = new Date(0)
    local.setUTCFullYear(text.includes("BC") ? 1 - year : year, month - 1, day)
    return local.setUTCHours(hour, minute, second)
  }
}

/** Minute by minute, and second by second in a minute in which the clocks are set. */
const readAll = (zone: string, from: number, to: number): ReadonlyArray<Point> => {
  const read = reader(zone)
  const points: Array<Point> = [{ instant: from, local: read(from) }]
  for (let instant = from + MINUTE; instant <= to; instant += MINUTE) {
    const [last, local] = [points.at(-1)?.local ?? 0, read(instant)]
    if (local - last !== MINUTE) {
      for (let at = instant - MINUTE + 1_000; at < instant; at += 1_000) points.push({ instant: at, local: read(at) })
    }
    points.push({ instant, local })
  }
  return points
}

/** The clocks of a zone, watched from one instant to another. They must not have been set shortly before. */
export interface LocalClock {
  readonly zone: string
  readonly from: number
  readonly to: number
  /** Milliseconds from midnight that they show halfway. */
  readonly halfway: number
  readonly points: ReadonlyArray<Point>
}

/** Watches the clocks of a zone for two days before an instant, and two days after it. */
export const around = (zone: string, instant: string): LocalClock => {
  const [from, to] = [Date.parse(instant) - 2 * DAY, Date.parse(instant) + 2 * DAY]
  return { zone, from, to, halfway: modulo(reader(zone)(Date.parse(instant)), DAY), points: readAll(zone, from, to) }
}

/** The number of the day that the clocks show at an instant. */
export const dayAt = ({ zone }: LocalClock, instant: number): number =>
  Math.floor(reader(zone)(Math.floor(instant / 1_000) * 1_000) / DAY)

/**
 * All moments at which a rule fires: at those times of day, in milliseconds and all so far into their minute as the
 * first, on dates that match.
 */
export const occurrences = (
  { points }: LocalClock,
  times: ReadonlySet<number>,
  matches: (date: Shown) => boolean
): ReadonlyArray<number> => {
  const [phase = 0] = times
  const seen = new Set<number>()
  const found: Array<number> = []
  for (const [i, { instant, local }] of points.slice(0, -1).entries()) {
    const wait = modulo(phase - local, MINUTE)
    const shown = local + wait
    const isReached = instant + wait < (points[i + 1]?.instant ?? 0)
    if (isReached && times.has(modulo(shown, DAY)) && !seen.has(shown) && matches(dateAt(shown))) {
      seen.add(shown)
      found.push(instant + wait)
    }
  }
  return found
}
