/**
 * What a calendar rule does when the clocks of its zone are set, in plain sentences for people.
 */
import { Array, Option } from "effect"
import * as CalendarRule from "./CalendarRule.ts"
import * as WallTime from "./WallTime.ts"
import type { Transition } from "./ZoneRules.ts"

const HOUR = 3_600_000
/** So many times are named in one sentence; the others are counted. */
const NAMED = 3

/** A transition, and how a rule meets the local times that the clocks leap over, or show twice. */
interface Meeting {
  readonly zone: string
  readonly transition: Transition
  /** The first of those local times. */
  readonly start: number
  /** The end of them, which is none of them. */
  readonly end: number
  /** Those of them at which the rule fires. */
  readonly times: Array.NonEmptyReadonlyArray<number>
  /** Where it goes on, if it fires every hour or more often: then what counts is how even its interval is. */
  readonly resumption: Option.Option<number>
}

/** The rule's local times from one on, up to and including another. */
const timesBetween = (rule: CalendarRule.CalendarRule, first: number, last: number): ReadonlyArray<number> =>
  Array.unfold(first, (from) =>
    CalendarRule.next(rule, from).pipe(
      Option.filter((time) => time <= last),
      Option.map((time) => [time, time + 1] as const)
    )
  )

const meet = (rule: CalendarRule.CalendarRule, transition: Transition): Option.Option<Meeting> => {
  const { at, from, to } = transition
  const [start, end] = [at + Math.min(from, to), at + Math.max(from, to)]
  const around = timesBetween(rule, start - HOUR, end + HOUR)
  const times = around.filter((time) => start <= time && time < end)
  if (!Array.isReadonlyArrayNonEmpty(times)) return Option.none()
  const isBefore = around.some((time) => time < start)
  const isHourly = isBefore && Array.zip(around, around.slice(1)).every(([time, next]) => next - time <= HOUR)
  const resumption = Option.fromUndefinedOr(isHourly ? around.find((time) => time >= end) : undefined)
  return Option.some({ zone: rule.timeZone, transition, start, end, times, resumption })
}

const dateOf = (local: number): string => WallTime.format(local).slice(0, 10)

/** A local time as a sentence names it that has begun with a date: seconds only if there are any. */
const show = ({ start }: Meeting, local: number): string =>
  WallTime.format(local)
    .replace(`${dateOf(start)} `, "")
    .replace(/(:\d\d):00$/u, "$1")

/** `02:00, 02:20, 02:40 and 9 more`. */
const list = (texts: ReadonlyArray<string>): string => {
  const rest = texts.length - NAMED
  return texts.slice(0, NAMED).join(", ") + (rest > 0 ? ` and ${rest} more` : "")
}

const formatDuration = (millis: number): string => {
  const seconds = Math.floor(millis / 1_000)
  const parts = [`${Math.floor(seconds / 3_600)} h`, `${Math.floor(seconds / 60) % 60} min`, `${seconds % 60} s`]
  return parts.filter((part) => !part.startsWith("0 ")).join(" ")
}

/** A rule that fires every hour loses nothing to a gap: its times before and after come as far apart as ever. */
const atGap = (meeting: Meeting): Option.Option<string> => {
  if (Option.isSome(meeting.resumption)) return Option.none()
  const { zone, start, end, times } = meeting
  const none = list(times.map((time) => show(meeting, time)))
  return Option.some(
    `${dateOf(start)}: the clocks of ${zone} go from ${show(meeting, start)} to ${show(meeting, end)}, ` +
      `so there is no occurrence at ${none}.`
  )
}

const atOverlap = (meeting: Meeting): string => {
  const { zone, transition, start, end, times, resumption } = meeting
  const { from, to } = transition
  const first = (local: number) => show(meeting, local) + WallTime.formatOffset(from)
  const last = Array.lastNonEmpty(times)
  const back = `${dateOf(start)}: the clocks of ${zone} go back from ${show(meeting, end)} to ${show(meeting, start)}`
  return Option.match(resumption, {
    onNone: () => `${back}; what they show twice counts once, so it comes at ${list(times.map(first))}.`,
    onSome: (next) =>
      `${back}; what they show twice counts once, so it is silent for ${formatDuration(next - to - (last - from))}, ` +
      `from ${first(last)} to ${show(meeting, next)}${WallTime.formatOffset(to)}. Use every_seconds for an even interval.`
  })
}

/** What the rule does at a transition; none if it names no local time that the clocks leap over or show twice. */
export const at = (rule: CalendarRule.CalendarRule, transition: Transition): Option.Option<string> =>
  Option.flatMap(meet(rule, transition), (meeting) =>
    transition.from < transition.to ? atGap(meeting) : Option.some(atOverlap(meeting))
  )
