/**
 * What a turn is about: its messages, in the light of what was asked before.
 */
import { Option } from "effect"
import * as Draft from "./Draft.ts"
import * as Intent from "./Intent.ts"
import * as Question from "./Question.ts"
import * as ReminderFrame from "./ReminderFrame.ts"
import * as Utterance from "./Utterance.ts"

/** A turn that is over: what the model was told, and what it answered. */
export interface Exchange {
  readonly told: ReadonlyArray<string>
  readonly answer: string
}

/** A draft is `carried` over from an earlier turn until a message of this one adds to it. */
type Item =
  | { readonly kind: "draft"; readonly draft: Draft.Draft; readonly carried: boolean }
  | { readonly kind: "intent"; readonly intent: Intent.Intent }

/** What is known when a message is read: what is in the making, what was asked last, and the clock. */
interface Situation {
  readonly items: ReadonlyArray<Item>
  readonly asked: ReadonlySet<Question.Question>
  readonly clock: Intent.Clock
}

const started = (draft: Draft.Draft): Item => ({ kind: "draft", draft, carried: false })
const intent = (intent: Intent.Intent): Item => ({ kind: "intent", intent })

/** What a draft leaves open where no zone is known. */
const questionOf = (draft: Draft.Draft, { now }: Intent.Clock): Question.Question | null => {
  const next = Intent.fromDraft(draft, { now, zone: Option.none() })
  return next.kind === "ask" ? next.question : null
}

type Add = (draft: Draft.Draft, carried: boolean) => Draft.Addition | undefined

/** Adds to each draft what the message says for it; undefined if it says nothing for any. */
const addToDrafts = ({ items }: Situation, add: Add): ReadonlyArray<Item> | undefined => {
  let isUsed = false
  const next = items.map((item) => {
    const addition = item.kind === "draft" ? add(item.draft, item.carried) : undefined
    if (item.kind !== "draft" || addition === undefined) return item
    isUsed = true
    return started(Draft.add(item.draft, addition))
  })
  return isUsed ? next : undefined
}

const addAnswer = (situation: Situation, addition: Draft.Addition): ReadonlyArray<Item> => {
  const { items, clock } = situation
  const isOpen = (draft: Draft.Draft): boolean => ["when", "time"].includes(questionOf(draft, clock) ?? "")
  const added = addToDrafts(situation, (draft, carried) =>
    !addition.when || carried || isOpen(draft) ? addition : undefined
  )
  const alone = addition.when ? started({ what: null, when: null, zone: null, ...addition }) : intent(Intent.HELP)
  return added ?? [...items, alone]
}

/** Longer texts are no attempt to name a time or a zone. */
const MAX_ATTEMPT = 60

const attempt = (text: string, question: Question.Question | null): Draft.Addition | undefined => {
  if (question === "what") return { what: Draft.whatOf(text) }
  if (text.length > MAX_ATTEMPT) return undefined
  if (question === "zone") return { zone: text }
  return question === null ? undefined : { when: text }
}

const addAttempt = (situation: Situation, text: string): ReadonlyArray<Item> =>
  addToDrafts(situation, (draft, carried) =>
    carried ? attempt(text, questionOf(draft, situation.clock)) : undefined
  ) ?? [...situation.items, intent(Intent.HELP)]

const presented = (text: string): Intent.Intent =>
  Option.match(ReminderFrame.read(text), {
    onNone: () => Intent.HELP,
    onSome: (reminders) => ({ kind: "present", reminders })
  })

const addMessage = (situation: Situation, text: string): ReadonlyArray<Item> => {
  const { items, asked } = situation
  const utterance = Utterance.read(text)
  switch (utterance.kind) {
    case "request":
      return [...items, started(utterance.draft)]
    case "answer":
      return addAnswer(situation, utterance.addition)
    case "reminder":
      return [...items, intent(presented(utterance.text))]
    case "pick":
      return [...items, ...(asked.has("which") ? deletions(utterance.ids) : [intent(Intent.HELP)])]
    case "delete":
      return [...items, ...deletions(utterance.ids)]
    case "never-mind":
      return [...items.filter(({ kind }) => kind === "intent"), intent(Intent.LEFT)]
    case "other":
      return addAttempt(situation, utterance.text)
    default:
      return [...items, intent(utterance)]
  }
}

const deletions = (ids: ReadonlyArray<string>): ReadonlyArray<Item> => ids.map((id) => intent({ kind: "delete", id }))

const MAX_SENTENCES = 20

/** A message may ask for several reminders, a sentence each. */
const sentences = (text: string): ReadonlyArray<string> => {
  if (ReminderFrame.isFramed(text)) return [text]
  const parts = text.split(/(?<=[.!;])\s+(?=(?:(?:please|and|then|also) )*remind me\b)|\n(?=[ \t]{0,8}remind me\b)/iu)
  return parts.length <= MAX_SENTENCES && parts.every((part) => Option.isSome(Draft.read(part))) ? parts : [text]
}

/** Reminders that were told again after a crash are presented once. */
const withoutRepeats = (told: ReadonlyArray<string>): ReadonlyArray<string> =>
  told.filter((text, i) => !ReminderFrame.isFramed(text) || told.indexOf(text) === i)

const readTurn = (told: ReadonlyArray<string>, situation: Situation): ReadonlyArray<Item> =>
  withoutRepeats(told)
    .flatMap(sentences)
    .reduce((items, text) => addMessage({ ...situation, items }, text), situation.items)

const drafts = (items: ReadonlyArray<Item>): ReadonlyArray<Draft.Draft> =>
  items.flatMap((item) => (item.kind === "draft" && !item.carried ? [item.draft] : []))

/** What is left open by the turns before. Reminders may come between a question and its answer. */
const carry = (history: ReadonlyArray<Exchange>, clock: Intent.Clock): Situation => {
  const last = history.findLastIndex(({ told }) => !told.every(ReminderFrame.isFramed))
  const { told, answer } = history[last] ?? { told: [], answer: "" }
  const asked = Question.asked(answer)
  if (asked.size === 0) return { items: [], asked, clock }
  const open = drafts(readTurn(told, carry(history.slice(0, last), clock))).filter((draft) => {
    const question = questionOf(draft, clock)
    return question !== null && asked.has(question)
  })
  return { items: open.map((draft): Item => ({ kind: "draft", draft, carried: true })), asked, clock }
}

/** Through so many turns a question stays open, asked again each time. */
const MAX_CARRIED = 32

/** What the messages of a turn ask for, in order. */
export const intents = (
  history: ReadonlyArray<Exchange>,
  told: ReadonlyArray<string>,
  clock: Intent.Clock
): ReadonlyArray<Intent.Intent> =>
  readTurn(told, carry(history.slice(-MAX_CARRIED), clock)).flatMap((item) => {
    if (item.kind === "intent") return [item.intent]
    return item.carried ? [] : [Intent.fromDraft(item.draft, clock)]
  })

/** What one message asks for, all by itself. */
export const understand = (text: string, clock: Intent.Clock): ReadonlyArray<Intent.Intent> =>
  intents([], [text], clock)
