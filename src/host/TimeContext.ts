/**
 * What a model is told about time in a turn: the clock, and in which zone to read dates and times that name none. It is
 * guidance only: the tools take no zone from it.
 */
import { Option, Schema } from "effect"
import * as Calendar from "../domain/Calendar.ts"
import * as Instant from "../domain/Instant.ts"
import * as TimeZone from "../domain/TimeZone.ts"
import * as WallTime from "../domain/WallTime.ts"

/** The clock of a turn, and the zones of its prompts. */
export interface TimeContext {
  readonly now: Instant.Instant
  /** Names of zones. Two names are two zones here, even where they are aliases. */
  readonly zones: ReadonlyArray<string>
}

/** The zone in which to read dates and times that name none; none if the turn has no zone, or more than one. */
export const zone = ({ zones }: TimeContext): Option.Option<string> => {
  const [only, ...others] = new Set(zones)
  return only !== undefined && others.length === 0 ? Option.some(only) : Option.none()
}

/** What the calendar and the clocks of a zone show; none if the name is no zone that this runtime knows. */
export const localTime = (now: Instant.Instant, name: string): Option.Option<WallTime.Local> =>
  Option.map(Option.flatMap(TimeZone.fromInput(name), TimeZone.rules), (rules) => WallTime.toLocal(rules, now))

const NOW = "Current time: "
const ZONES = "Time zones of this turn: "
const INTRODUCTION =
  "Time context of this turn. It is guidance only: the schedule tools still need an explicit offset or time_zone in " +
  "every call."

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

const formatLocal = ({ days, millis, offset }: WallTime.Local): string => {
  const weekday = WEEKDAYS[Calendar.weekdayOf(days) - 1]
  return `${weekday} ${WallTime.format(days * Calendar.DAY_MILLIS + millis)} (UTC${WallTime.formatOffset(offset)})`
}

const inOneZone = (now: Instant.Instant, name: string): string => {
  const local = Option.match(localTime(now, name), {
    onNone: () => "",
    onSome: (local) => `The local time there is ${formatLocal(local)}. `
  })
  return `${local}Read dates and times that name no zone in this one.`
}

const guidance = (context: TimeContext): string =>
  Option.match(zone(context), {
    onNone: () =>
      context.zones.length === 0
        ? "The zone is not known: ask for it before you use a date or time that names no zone."
        : "The zones differ: ask which one is meant before you use a date or time that names no zone.",
    onSome: (name) => inOneZone(context.now, name)
  })

/** The system message of a turn. */
export const render = (context: TimeContext): string =>
  [
    INTRODUCTION,
    `${NOW}${Instant.format(context.now)}`,
    `${ZONES}${JSON.stringify([...new Set(context.zones)])}`,
    guidance(context)
  ].join("\n")

const Zones = Schema.fromJsonString(Schema.Array(Schema.String))
const decodeZones = Schema.decodeUnknownOption(Zones)

const after = (line: string | undefined, label: string): string =>
  line?.startsWith(label) ? line.slice(label.length) : ""

/** The time context that stands in a text, the last one if there are several; none if there is none. */
export const read = (text: string): Option.Option<TimeContext> => {
  const lines = text.split("\n")
  const start = lines.lastIndexOf(INTRODUCTION)
  return start < 0
    ? Option.none()
    : Option.all({
        now: Instant.parse(after(lines[start + 1], NOW)),
        zones: decodeZones(after(lines[start + 2], ZONES))
      })
}
