/**
 * A rule as tables of integers, made beforehand: for each day of some years the matching ones around it, for each minute
 * of a day likewise. No rule can be looked up in less.
 */
import * as Transitions from "./Transitions.ts"

const DAY = 86_400_000
const MINUTE = 60_000
const MINUTES = 1_440

export interface Rule {
  readonly zone: string
  matchesDay(date: Date): boolean
  matchesMinute(minute: number): boolean
}

interface Around {
  readonly next: Int32Array
  readonly previous: Int32Array
}

export interface Occurrences {
  readonly zone: Transitions.Transitions
  readonly firstDay: number
  readonly days: Around
  readonly minutes: Around
}

/** For each place the first match from it on, and the last up to it; -1 without one. */
const around = (length: number, matches: (n: number) => boolean): Around => {
  const next = new Int32Array(length).fill(-1)
  const previous = new Int32Array(length).fill(-1)
  for (let n = 0; n < length; n++) previous[n] = matches(n) ? n : n > 0 ? (previous[n - 1] as number) : -1
  for (let n = length - 1; n >= 0; n--) next[n] = matches(n) ? n : n + 1 < length ? (next[n + 1] as number) : -1
  return { next, previous }
}

export const make = ({ zone, matchesDay, matchesMinute }: Rule, from: number, to: number): Occurrences => {
  const firstDay = Date.UTC(from, 0, 1) / DAY
  const days = Date.UTC(to, 0, 1) / DAY - firstDay
  return {
    zone: Transitions.make(zone, from, to),
    firstDay,
    days: around(days, (n) => matchesDay(new Date((firstDay + n) * DAY))),
    minutes: around(MINUTES, matchesMinute)
  }
}

/** The first local time from this one on, in minutes. */
const nextLocal = ({ firstDay, days, minutes }: Occurrences, local: number): number => {
  const day = Math.floor(local / MINUTES) - firstDay
  const today = days.next[day] === day ? (minutes.next[local - (day + firstDay) * MINUTES] as number) : -1
  if (today >= 0) return (day + firstDay) * MINUTES + today
  return ((days.next[day + 1] as number) + firstDay) * MINUTES + (minutes.next[0] as number)
}

/** The last local time up to this one, in minutes. */
const previousLocal = ({ firstDay, days, minutes }: Occurrences, local: number): number => {
  const day = Math.floor(local / MINUTES) - firstDay
  const today = days.previous[day] === day ? (minutes.previous[local - (day + firstDay) * MINUTES] as number) : -1
  if (today >= 0) return (day + firstDay) * MINUTES + today
  return ((days.previous[day - 1] as number) + firstDay) * MINUTES + (minutes.previous[MINUTES - 1] as number)
}

/** The first occurrence after an instant, away from transitions. */
export const next = (rule: Occurrences, now: number): number => {
  let local = Math.floor((now + Transitions.offsetAt(rule.zone, now)) / MINUTE)
  let found = Number.NaN
  while (!(found > now)) {
    local = nextLocal(rule, local + 1)
    found = Transitions.toInstant(rule.zone, local * MINUTE)
  }
  return found
}

/** The last occurrence up to an instant, away from transitions. */
export const latest = (rule: Occurrences, now: number): number => {
  let local = Math.floor((now + Transitions.offsetAt(rule.zone, now)) / MINUTE) + 1
  let found = Number.NaN
  while (!(found <= now)) {
    local = previousLocal(rule, local - 1)
    found = Transitions.toInstant(rule.zone, local * MINUTE)
  }
  return found
}
