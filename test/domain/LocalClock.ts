/**
 * What the clocks of a zone show from one minute to the next, and the occurrences of a rule by their plainest definition:
 * the moments at which the clocks show a time that the rule names, and have not shown before. Nothing here shares code
 * with what is tested: `Intl` tells what is shown, `Date` knows the calendar.
 */

/** A date and time on the wall. */
export interface Shown {
  readonly month: number
  readonly day: number
  /** Sunday 0. */
  readonly weekday: number
  /** Milliseconds from midnight. */
  readonly time: number
}

/** From one point up to the next the clocks run evenly. `local` is when UTC would show the same. */
interface Point {
  readonly instant: number
  readonly local: number
}

const MINUTE = 60_000
const DAY = 86_400_000

const shownAt = (local: number): Shown => {
  const date = new Date(local)
  const time = ((local % DAY) + DAY) % DAY
  return { month: date.getUTCMonth() + 1, day: date.getUTCDate(), weekday: date.getUTCDay(), time }
}

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
  return { zone, from, to, halfway: shownAt(reader(zone)(Date.parse(instant))).time, points: readAll(zone, from, to) }
}

/** The number of the day that the clocks show at an instant. */
export const dayAt = ({ zone }: LocalClock, instant: number): number =>
  Math.floor(reader(zone)(Math.floor(instant / 1_000) * 1_000) / DAY)

/** All moments at which a rule fires: at times that match, of which it names one in a minute, `phase` after its start. */
export const occurrences = (
  { points }: LocalClock,
  phase: number,
  matches: (shown: Shown) => boolean
): ReadonlyArray<number> => {
  const seen = new Set<number>()
  return points.slice(1).flatMap((end, i) => {
    const { instant, local } = points[i] as Point
    const wait = (((phase - local) % MINUTE) + MINUTE) % MINUTE
    const time = local + wait
    if (instant + wait >= end.instant || seen.has(time) || !matches(shownAt(time))) return []
    seen.add(time)
    return [instant + wait]
  })
}
