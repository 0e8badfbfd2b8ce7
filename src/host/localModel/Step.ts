/**
 * The next step of a turn: the calls that its intents still need, or the answer once they have their results.
 */
import { Equal, Option } from "effect"
import type { ScheduleView } from "../../domain/ScheduleView.ts"
import type { Intent } from "./Intent.ts"
import * as Matching from "./Matching.ts"
import * as Question from "./Question.ts"
import * as Reply from "./Reply.ts"

/** A call of a tool. */
export interface Call {
  readonly id: string
  readonly name: "schedule_create" | "schedule_list" | "schedule_delete"
  readonly params: unknown
}

export type Step =
  | { readonly kind: "call"; readonly calls: ReadonlyArray<Call> }
  | { readonly kind: "say"; readonly text: string }

/** The results of the turn so far, by the id of their call, and the zone in which to say times. */
export interface Progress {
  readonly results: ReadonlyMap<string, Reply.Result>
  readonly zone: string | null
}

const say = (text: string): Step => ({ kind: "say", text })

const paragraphs = (texts: ReadonlyArray<string>): string => texts.join(Question.PARAGRAPH)

const afterCall = (call: Call, { results }: Progress, next: (result: Reply.Result) => Step): Step => {
  const result = results.get(call.id)
  return result === undefined ? { kind: "call", calls: [call] } : next(result)
}

const create = (intent: Intent & { kind: "create" }, id: string, progress: Progress): Step =>
  afterCall({ id, name: "schedule_create", params: intent.request }, progress, (result) =>
    say(Reply.created(result, intent.link, zoneOf(intent) ?? progress.zone))
  )

/** The zone that a local time was given in. */
const zoneOf = ({ request }: Intent & { kind: "create" }): string | null =>
  "at" in request && typeof request.at === "object" ? request.at.time_zone : null

const list = (id: string): Call => ({ id, name: "schedule_list", params: {} })

const remove = (target: string, prompt: string | null, id: string, progress: Progress): Step =>
  afterCall({ id, name: "schedule_delete", params: { id: target } }, progress, (result) =>
    say(Reply.deleted(result, prompt))
  )

/** Several steps are one: their calls go out together, and their texts wait for the last of them. */
const together = (steps: ReadonlyArray<Step>): Step => {
  const calls = steps.flatMap((step) => (step.kind === "call" ? step.calls : []))
  const texts = steps.flatMap((step) => (step.kind === "say" ? [step.text] : []))
  return calls.length > 0 ? { kind: "call", calls } : say(paragraphs(texts))
}

const removeAll = (views: ReadonlyArray<ScheduleView>, id: string, progress: Progress): Step =>
  together(views.map((view, i) => remove(view.id, view.prompt, `${id}-${i + 1}`, progress)))

const chosen = (views: ReadonlyArray<ScheduleView>, wanted: string | null, id: string, progress: Progress): Step => {
  if (views.length === 0) return say("You have no reminders.")
  const found = wanted === null ? views : Matching.find(views, wanted)
  if (wanted === null || found.length === 1) return removeAll(found, id, progress)
  if (found.length === 0) {
    return say(`I find no reminder like "${wanted}". You have:\n${Reply.lines(views, progress.zone)}`)
  }
  const several = `Several reminders are like "${wanted}":\n${Reply.lines(found, progress.zone)}`
  return say(paragraphs([several, Question.text("which")]))
}

const cancel = (wanted: string | null, id: string, progress: Progress): Step =>
  afterCall(list(id), progress, (result) =>
    Option.match(Reply.views(result), {
      onNone: () => say(Reply.listed(result, progress.zone)),
      onSome: (views) => chosen(views, wanted, id, progress)
    })
  )

const ask = ({ remark, question }: Intent & { kind: "ask" }): Step =>
  say(paragraphs([...(remark === null ? [] : [remark]), Question.text(question)]))

const stepOf = (intent: Intent, id: string, progress: Progress): Step => {
  switch (intent.kind) {
    case "create":
      return create(intent, id, progress)
    case "list":
      return afterCall(list(id), progress, (result) => say(Reply.listed(result, progress.zone)))
    case "delete":
      return remove(intent.id, null, id, progress)
    case "cancel":
      return cancel(intent.wanted, id, progress)
    case "present":
      return say(paragraphs(intent.reminders.map((reminder) => Reply.presented(reminder, progress.zone))))
    case "ask":
      return ask(intent)
    case "say":
      return say(intent.text)
  }
}

/** A question or an explanation is given once, however many messages call for it. */
const isRepeated = (intent: Intent, index: number, intents: ReadonlyArray<Intent>): boolean => {
  if (intent.kind !== "ask" && intent.kind !== "say") return false
  return intents.findIndex((other) => Equal.equals(other, intent)) < index
}

/** The next step of a turn with these intents; the ids of its calls begin with `id`. */
export const next = (intents: ReadonlyArray<Intent>, id: string, progress: Progress): Step =>
  together(
    intents.flatMap((intent, i) => (isRepeated(intent, i, intents) ? [] : [stepOf(intent, `${id}-${i + 1}`, progress)]))
  )
