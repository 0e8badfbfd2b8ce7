/**
 * Time zones in words: an IANA name, `UTC`, or a city that a zone is named after.
 */
import { Option } from "effect"
import * as TimeZone from "../../domain/TimeZone.ts"

/** A text without the zone that it named. */
export interface Taken {
  readonly rest: string
  /** As it was written, or the zone of the city; it may be one that nobody knows, such as an abbreviation. */
  readonly zone: string | null
}

/** Cities whose zones have been renamed: runtimes list them under the older name. */
const RENAMED: ReadonlyArray<string> = [
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Asia/Yangon",
  "Asia/Ho_Chi_Minh",
  "Europe/Kyiv"
]

const cityOf = (zone: string): string => (zone.split("/").at(-1) ?? zone).replaceAll("_", " ").toLowerCase()

let cities: ReadonlyMap<string, string> | undefined

const zoneOfCity = (name: string): string | undefined => {
  cities ??= new Map([...Intl.supportedValuesOf("timeZone"), ...RENAMED].map((zone) => [cityOf(zone), zone]))
  return cities.get(name.trim().toLowerCase())
}

const NAME = "[A-Za-z][A-Za-z0-9._+-]*(?:/[A-Za-z][A-Za-z0-9._+-]*[A-Za-z0-9])+"
/** Some of the abbreviations that people write. Many stand for several zones, so that none is taken for one. */
const ABBREVIATION =
  "[ECMP]T|[ECMP][SD]T|GMT|BST|WES?T|CES?T|EES?T|MSK|IST|PKT|ICT|HKT|SGT|JST|KST|A[CEW][SD]T|NZ[SD]T|HST|AK[SD]T"
const OFFSET = "(?:(?:UTC|GMT)\\s?)?[+-]\\d{1,2}(?::?\\d{2})?"

const around = (zone: string): RegExp =>
  new RegExp(
    `(?:^|[\\s,(])(?:in\\s+)?(?:the\\s+)?\\(?(${zone})\\)?(?:\\s+time)?(?:\\s*zone)?(?=[\\s,.;!?)]|$)\\)?`,
    "u"
  )

const name = around(NAME)
const abbreviation = around(`${OFFSET}|UTC|${ABBREVIATION}`)
const city =
  /(?:^|\s)(?:in\s+(?<place>(?:(?!\sin\s)[\p{L} .'-])+?)(?:\s+time)?|(?<clock>[\p{L}][\p{L}.'-]*(?: [\p{L}.'-]+)?) time)$/iu

/** A name with a slash is a zone if this runtime knows it, or if it is written as only zones are. */
const isZone = (text: string): boolean =>
  !text.includes("/") || Option.isSome(TimeZone.fromInput(text)) || /^[A-Z][^/]*\/[A-Z]/u.test(text)

const takeMatch = (text: string, pattern: RegExp): Taken | undefined => {
  const match = pattern.exec(text)
  const [all, zone] = match ?? []
  if (match === null || all === undefined || zone === undefined || !isZone(zone)) return undefined
  return { rest: `${text.slice(0, match.index)} ${text.slice(match.index + all.length)}`.trim(), zone }
}

const takeCity = (text: string): Taken | undefined => {
  const match = city.exec(text)
  const zone = zoneOfCity(match?.groups?.["place"] ?? match?.groups?.["clock"] ?? "")
  return match === null || zone === undefined ? undefined : { rest: text.slice(0, match.index).trim(), zone }
}

/** Takes the zone out of the words for a time. A city counts only at their end: "at 9 in Tokyo". */
export const take = (text: string): Taken =>
  takeMatch(text, name) ?? takeMatch(text, abbreviation) ?? takeCity(text) ?? { rest: text, zone: null }

/** Takes a zone that this runtime knows, by its IANA name, from the end of any text. */
export const takeLast = (text: string): Taken => {
  const taken = takeMatch(text, name)
  const isLast = taken?.zone && taken.rest.length > 0 && text.startsWith(taken.rest)
  return isLast && Option.isSome(TimeZone.fromInput(taken.zone)) ? taken : { rest: text, zone: null }
}

/** The zone of a text that is nothing but one: "Asia/Tokyo", "in Tokyo", "Tokyo time", "Tokyo". */
export const read = (text: string): Option.Option<string> => {
  const { rest, zone } = take(text)
  return rest === "" ? Option.fromNullishOr(zone) : Option.fromNullishOr(zoneOfCity(text))
}
