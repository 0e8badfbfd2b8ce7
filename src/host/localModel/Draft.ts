/**
 * A reminder in the making, in the words of the one who wants it: what of, when, and in which zone.
 */
import { Option } from "effect"
import * as Timing from "./Timing.ts"
import * as ZonePhrase from "./ZonePhrase.ts"

/** What to be reminded of. `link` is the word that led to it, for the answer: "to call Ann", "about the meeting". */
export interface What {
  readonly link: string
  readonly text: string
}

/** Null is what was not said. `when` may be words that are not understood. */
export interface Draft {
  readonly what: What | null
  readonly when: string | null
  readonly zone: string | null
}

/** Words for a time that are added to a draft. */
export type Addition = Partial<Draft>

const TRIGGER =
  /\b(?:remind me|(?:set|create|make|add|schedule)(?: up)?(?: me)? (?:a|an|another|the) (?:new )?(?:reminder|alarm)|ping me|nudge me)\b/iu

const LINK = /(?:^|,?\s)(to|about|that|of)\s+|[:,]\s+/giu

/** What people say before a request, or between a time and its request. */
const COURTESY =
  "(?:please|(?:can|could|would|will) you|hey|hi|hello|ok(?:ay)?|and|then|also|so|just|i(?:'d| would) like(?: you)?(?: to)?|" +
  "i (?:want|need)(?: you)?(?: to)?|(?:don'?t|do not) forget to|make sure to|let'?s|can i)"

const GAP = "[\\s,;:-]"
const leading = new RegExp(`^(?:${GAP}+|${COURTESY}\\b)`, "iu")
const trailing = new RegExp(`(?:${GAP}+|(?<![^\\s,;:-])${COURTESY})$`, "iu")

/** Removes the pattern as often as it is found. */
const strip = (text: string, pattern: RegExp): string => {
  const rest = text.replace(pattern, "")
  return rest === text ? text : strip(rest, pattern)
}

const lastSentence = (text: string): string => text.split(/[.!?\n]\s+|\n/u).at(-1) ?? ""

const withoutCourtesy = (text: string): string =>
  text.length > MAX_BEFORE ? text : strip(strip(text, leading), trailing)

const quotes = /^(?:"([^"]+)"|“([^”]+)”|'([^']+)')$/u

/** The text of a reminder: without the end of the sentence around it, without thanks, without quotation marks. */
const tidy = (text: string): string => {
  const bare = text
    .trim()
    .replaceAll(/(?<![\s,])[\s,]+(?:please|thanks|thank you)[.!]?$/giu, "")
    .replaceAll(/(?<!\.)\.$|,$/gu, "")
  const [, ...quoted] = quotes.exec(bare) ?? []
  return quoted.find((text) => text !== undefined) ?? bare
}

const what = (link: string, text: string): What | null => {
  const bare = tidy(text)
  return bare === "" ? null : { link: link.toLowerCase(), text: bare }
}

/** What a text says that is nothing but what to be reminded of: "call Ann", "to call Ann". */
export const whatOf = (text: string): What | null => {
  const [all = "", link = "to"] = /^(to|about|that|of)\s+/iu.exec(text) ?? []
  return what(link, text.slice(all.length))
}

const join = (...words: ReadonlyArray<string | null>): string | null => {
  const said = words.filter((words) => words !== null && words !== "")
  return said.length === 0 ? null : said.join(" ")
}

const isTimeless = (when: string): boolean => Option.contains(Timing.kindOf(when), "timeless")

const isComplete = (when: string): boolean =>
  Option.exists(Timing.kindOf(when), (kind) => kind !== "timeless" && kind !== "unsupported")

/** Words that begin a time, though it may be one that is not understood: "when I get home". */
const VAGUE =
  /^(?:at|on|in|by|next|last|this|every|each|before|after|when|whenever|once|as soon as|until|some(?:time|day)?|soon|later|now|right now|immediately|today|tonight|tomorrow|yesterday)\b/iu

/** Further from the beginning than this, a link has no time before it. */
const MAX_BEFORE = 120

const draft = ({ when, zone }: Timing.Phrase, what: What | null): Draft => ({ what, when, zone })

/** How well the words before a link are understood as a time; 0 is not at all. */
const understood = (before: string): number =>
  Option.match(Timing.phrase(before), {
    onNone: () => (VAGUE.test(before) ? 1 : 0),
    onSome: ({ when }) => (isComplete(when) ? 3 : 2)
  })

/** "tomorrow at 9 to call Ann": a time, a link, and what follows it. A link may also be a part of the time itself. */
const linked = (text: string): Draft | undefined => {
  let [best, found]: [number, Draft | undefined] = [0, undefined]
  for (const match of text.slice(0, MAX_BEFORE).matchAll(LINK)) {
    const before = text.slice(0, match.index).trim()
    const after = what(match[1] ?? "to", text.slice(match.index + match[0].length))
    if (before === "") return { what: after, when: null, zone: null }
    const rank = match[1]?.toLowerCase() === "of" ? 0 : understood(before) * 2 - (match[1] === undefined ? 1 : 0)
    if (rank > best) [best, found] = [rank, draft(Timing.split(before), after)]
  }
  return found
}

const unlinked = (text: string): Draft =>
  Option.match(Timing.phrase(text), {
    onNone: () => ({ what: what("to", text), when: null, zone: null }),
    onSome: (phrase) => draft(phrase, null)
  })

/** How many words at the end of a text may be words for a time. */
const MAX_WORDS = 16

/** One short word is rather a word of the reminder: "sun", "may", "sat". */
const isLikely = (words: string): boolean => !/^(?:the |this )?[a-z]{1,4}$/iu.test(words) || /noon$/iu.test(words)

/** Takes words for a time from the end of what to be reminded of: "call Ann tomorrow at 9". */
const takeLast = (text: string, isWanted: (phrase: Timing.Phrase) => boolean): Draft | undefined => {
  const starts = [...text.matchAll(/(?<=\s)\S/gu)].slice(-MAX_WORDS)
  for (const { index } of starts) {
    const words = text.slice(index)
    const phrase = isLikely(words) ? Timing.phrase(words) : Option.none()
    if (Option.isSome(phrase) && isWanted(phrase.value)) return draft(phrase.value, what("", text.slice(0, index)))
  }
  return undefined
}

/** Looks for the time, or for the rest of it, at the end of what to be reminded of. */
const withTimeAtEnd = (part: Draft): Draft => {
  const { when, zone, what } = part
  if (what === null || (when !== null && !isTimeless(when))) return part
  const taken = takeLast(what.text, (phrase) => when === null || Timing.isTimeOfDay(phrase.when))
  if (!taken?.what) return part
  return { when: join(when, taken.when), zone: zone ?? taken.zone, what: { ...what, text: taken.what.text } }
}

const withZoneAtEnd = (part: Draft): Draft => {
  if (part.what === null || part.zone !== null) return part
  const { rest, zone } = ZonePhrase.takeLast(part.what.text)
  return zone === null ? part : { ...part, zone, what: { ...part.what, text: tidy(rest) } }
}

/** "Can you remind me ...?": the question mark ends the request, not the reminder. */
const isAsked = (before: string): boolean => /\b(?:can|could|would|will) (?:you|i)\b/iu.test(before)

/** The reminder that a sentence asks for; none if it asks for none. */
export const read = (text: string): Option.Option<Draft> => {
  const trigger = TRIGGER.exec(text)
  if (trigger === null) return Option.none()
  const before = withoutCourtesy(lastSentence(text.slice(0, trigger.index)))
  const first = before === "" ? Option.some({ when: "", zone: null }) : Timing.phrase(before)
  const request = text.slice(trigger.index + trigger[0].length).trim()
  return Option.map(first, ({ when, zone }) => {
    const after = isAsked(text.slice(0, trigger.index)) ? request.replace(/\?$/u, "") : request
    const said = linked(after) ?? unlinked(after)
    return withZoneAtEnd(withTimeAtEnd({ ...said, when: join(when, said.when), zone: zone ?? said.zone }))
  })
}

/** The draft with what was said later: it counts in place of what was said before, or completes it. */
export const add = (draft: Draft, { what = null, when = null, zone = null }: Addition): Draft => ({
  what: draft.what ?? what,
  when:
    when !== null && draft.when !== null && isTimeless(draft.when) && Timing.isTimeOfDay(when)
      ? join(draft.when, when)
      : (when ?? draft.when),
  zone: zone ?? draft.zone
})
