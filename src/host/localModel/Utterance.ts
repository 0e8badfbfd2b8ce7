/**
 * What a message says, by its words alone: the clock, the zone and the conversation do not count yet.
 */
import { Option } from "effect"
import * as Draft from "./Draft.ts"
import * as ReminderFrame from "./ReminderFrame.ts"
import * as Timing from "./Timing.ts"
import * as ZonePhrase from "./ZonePhrase.ts"

/** `answer` is nothing but a time or a zone; `pick` is nothing but ids. */
export type Utterance =
  | { readonly kind: "request"; readonly draft: Draft.Draft }
  | { readonly kind: "answer"; readonly addition: Draft.Addition }
  | { readonly kind: "list" }
  | { readonly kind: "delete"; readonly ids: ReadonlyArray<string> }
  | { readonly kind: "pick"; readonly ids: ReadonlyArray<string> }
  | { readonly kind: "cancel"; readonly wanted: string | null }
  | { readonly kind: "reminder"; readonly text: string }
  | { readonly kind: "never-mind" }
  | { readonly kind: "other"; readonly text: string }

const DELETE = "(?:delete|cancel|remove|drop|clear|stop|forget)"
const REMINDERS = "(?:reminders?|alarms?)"

const ID = /\bschedule-\d+\b/giu
const idsIn = (text: string): ReadonlyArray<string> => [...text.matchAll(ID)].map(([id]) => id.toLowerCase())

const deletion = new RegExp(`^${DELETE}\\b(?<rest>.*)$`, "isu")
const onlyIds = /^(?:\s|,|&|and|the|my|number|reminders?|please|schedule-\d+)*$/iu
const numbered = new RegExp(`^\\s*(?:my |the )?${REMINDERS} (?:number |#)?(\\d+)$`, "iu")
const all = new RegExp(`^${DELETE} (?:all|every(?:thing)?)(?: (?:of )?(?:my |the )?${REMINDERS})?$`, "iu")
const wanted: ReadonlyArray<RegExp> = [
  new RegExp(`^${DELETE} (?:the |my |that |a )?${REMINDERS} (?:to|about|for|that|of)\\s+(?<wanted>.+)$`, "isu"),
  new RegExp(`^${DELETE} (?:the |my |that )?(?<wanted>.+?) ${REMINDERS}$`, "isu"),
  /^(?:stop reminding|(?:don'?t|do not|never) remind) me (?:again )?(?:to|about|of|that)?\s*(?<wanted>.+)$/isu
]

const lists: ReadonlyArray<RegExp> = [
  new RegExp(`^(?:list|show|display|see|view|check)\\b.*\\b${REMINDERS}\\b`, "isu"),
  new RegExp(`^(?:what|which|how many|do i have|have i|are there|is there)\\b.*\\b${REMINDERS}\\b`, "isu"),
  new RegExp(`^(?:all )?(?:of )?(?:my )?${REMINDERS}$`, "iu"),
  /^(?:list|what(?:'s| is| do i have) (?:scheduled|coming up|due|planned).*)$/iu
]

const neverMind = /^(?:never ?mind|forget (?:it|that)|no(?:,? thanks?)?|cancel(?: that| it)?|skip it|nothing)$/iu

const LEAD =
  /^(?:(?:ok|okay|yes|sure|hm+|well|please|make it|let'?s say|say|i(?:'m| am) in|we(?:'re| are) in|it'?s|its|use|in the|my (?:time ?)?zone is|the (?:time ?)?zone is)\b[\s,:]*)+/iu

const COURTESY =
  /^(?:(?:please|can you|could you|would you|hey|hi|hello|ok(?:ay)?|and|now)\b[\s,]*)+|(?<![\s,])[\s,]+(?:please|thanks|thank you)$/giu

const bare = (text: string): string =>
  text
    .trim()
    .replaceAll(/(?<![\s.!?])[\s.!?]+$/gu, "")
    .replaceAll(COURTESY, "")
    .trim()

const readDeletion = (text: string): Utterance | undefined => {
  const rest = deletion.exec(text)?.groups?.["rest"]
  if (rest === undefined) return undefined
  const ids = idsIn(rest)
  if (ids.length > 0 && onlyIds.test(rest)) return { kind: "delete", ids }
  const number = numbered.exec(rest)?.[1]
  return number === undefined ? undefined : { kind: "delete", ids: [`schedule-${number}`] }
}

const readCancel = (text: string): Utterance | undefined => {
  if (all.test(text)) return { kind: "cancel", wanted: null }
  const match = wanted.map((pattern) => pattern.exec(text)?.groups?.["wanted"]).find((words) => words !== undefined)
  return match === undefined ? undefined : { kind: "cancel", wanted: match.trim() }
}

const readCommand = (text: string): Utterance | undefined => {
  if (neverMind.test(text)) return { kind: "never-mind" }
  if (lists.some((pattern) => pattern.test(text))) return { kind: "list" }
  const ids = idsIn(text)
  return ids.length > 0 && onlyIds.test(text) ? { kind: "pick", ids } : undefined
}

const readAnswer = (text: string): Utterance | undefined => {
  const words = text.replace(LEAD, "")
  const zone = words.length > 60 ? Option.none() : ZonePhrase.read(words)
  if (Option.isSome(zone)) return { kind: "answer", addition: { zone: zone.value } }
  return Option.match(Timing.phrase(words), {
    onNone: () => undefined,
    onSome: (addition) => ({ kind: "answer", addition })
  })
}

const readRequest = (text: string): Utterance | undefined =>
  Option.match(Draft.read(text), { onNone: () => undefined, onSome: (draft) => ({ kind: "request", draft }) })

/** What a message says. */
export const read = (text: string): Utterance => {
  if (ReminderFrame.isFramed(text)) return { kind: "reminder", text }
  const words = bare(text)
  return (
    readRequest(text) ??
    readDeletion(words) ??
    readCancel(words) ??
    readCommand(words) ??
    readAnswer(words) ?? { kind: "other", text: words }
  )
}
