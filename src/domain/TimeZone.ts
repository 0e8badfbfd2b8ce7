/**
 * Which names of time zones are accepted, and what this runtime knows of them.
 */
import { Option, Schema } from "effect"
import * as ZoneRules from "./ZoneRules.ts"

/**
 * The name of a zone: `UTC`, or a name of the IANA database with a slash, in any letter case. It is kept as it was
 * given: runtimes disagree on which of two aliases is the canonical one. Whether a runtime knows it is another question.
 *
 * @see https://data.iana.org/time-zones/theory.html#naming for the characters of such names
 */
export const TimeZone = Schema.String.check(
  Schema.isPattern(/^(?:UTC|[A-Za-z][A-Za-z0-9._+-]*(?:\/[A-Za-z][A-Za-z0-9._+-]*)+)$/u, {
    expected: "UTC or an IANA zone name like America/New_York"
  })
).pipe(Schema.brand("TimeZone"))
export type TimeZone = typeof TimeZone.Type

const isName = Schema.is(TimeZone)

/** More than there are zones. Letter case gives each of them spellings without end, and those must not be kept. */
const CAPACITY = 1_024

const loaded = new Map<TimeZone, Option.Option<ZoneRules.ZoneRules>>()

/** The rules by which the clocks of a zone are set; none if this runtime does not know it. */
export const rules = (zone: TimeZone): Option.Option<ZoneRules.ZoneRules> => {
  const known = loaded.get(zone)
  if (known !== undefined) return known
  if (loaded.size === CAPACITY) loaded.clear()
  const found = ZoneRules.load(zone)
  loaded.set(zone, found)
  return found
}

/** Whether this runtime knows the zone. */
export const isKnown = (zone: TimeZone): boolean => Option.isSome(rules(zone))

/** The zone that a caller names; none if the text is no such name, or no zone that this runtime knows. */
export const fromInput = (text: string): Option.Option<TimeZone> =>
  isName(text) && isKnown(text) ? Option.some(text) : Option.none()
