/**
 * A model that needs no network: it understands plain requests for reminders in English, calls the schedule tools, and
 * presents reminders that are due. The same conversation always gets the same answer.
 *
 * It takes its clock and its zone from the time context in the system messages, as any other model does.
 */
import { Clock, Effect, Layer, Option, Stream } from "effect"
import { LanguageModel, type Prompt, type Response } from "effect/ai"
import * as Instant from "../domain/Instant.ts"
import * as Dialogue from "./localModel/Dialogue.ts"
import * as Intent from "./localModel/Intent.ts"
import * as Question from "./localModel/Question.ts"
import * as Reply from "./localModel/Reply.ts"
import * as Step from "./localModel/Step.ts"
import * as Transcript from "./localModel/Transcript.ts"
import * as TimeContext from "./TimeContext.ts"

const NO_TOOLS = "I can't do that here: this conversation has no tools for reminders."

const describe = ({ results }: Transcript.Transcript, zone: string | null): Step.Step => {
  const texts = [...results.values()].map((result) => Reply.described(result.name, result, zone))
  return { kind: "say", text: texts.join(Question.PARAGRAPH) }
}

const numberOf = (call: string): number => Number(/^call-(\d+)-/u.exec(call)?.[1] ?? 0)

/**
 * What the ids of a turn's calls begin with: a number that no call of the conversation has that can be seen, and the
 * turn's time, since of a long conversation the beginning can't be seen. So no two turns share one.
 */
const idOf = ({ history, called }: Transcript.Transcript, time: Option.Option<Instant.Instant>): string => {
  const number = Math.max(history.flatMap(({ told }) => told).length, ...called.map(numberOf)) + 1
  return Option.match(time, { onNone: () => `call-${number}`, onSome: (now) => `call-${number}-t${now.toString(36)}` })
}

/** The next step of a conversation. `now` counts where no system message tells the time. */
const step = (prompt: Prompt.Prompt, now: Instant.Instant): Step.Step => {
  const transcript = Transcript.read(prompt)
  const { system, history, results, isAnswered } = transcript
  const told = TimeContext.read(system)
  const context = Option.getOrElse(told, () => ({ now, zones: [] }))
  const clock = { now: context.now, zone: TimeContext.zone(context) }
  const zone = Option.getOrNull(clock.zone)
  const id = idOf(
    transcript,
    Option.map(told, ({ now }) => now)
  )
  const areOurs = [...results.keys()].every((call) => call.startsWith(`${id}-`))
  if (!areOurs) return describe(transcript, zone)
  const intents = isAnswered ? [Intent.HELP] : Dialogue.intents(history, transcript.told, clock)
  return Step.next(intents, id, { results, zone })
}

const stepOf = ({ prompt, tools, toolChoice }: LanguageModel.ProviderOptions): Effect.Effect<Step.Step> =>
  Effect.map(Clock.currentTimeMillis, (millis) => {
    const next = step(prompt, Instant.clamp(millis))
    const names = new Set(toolChoice === "none" ? [] : tools.map(({ name }) => name))
    const isPossible = next.kind === "say" || next.calls.every(({ name }) => names.has(name))
    return isPossible ? next : { kind: "say", text: NO_TOOLS }
  })

const finish = (reason: Response.FinishReason): Response.FinishPartEncoded => ({
  type: "finish",
  reason,
  usage: { inputTokens: {}, outputTokens: {} }
})

const callsOf = (calls: ReadonlyArray<Step.Call>): Array<Response.ToolCallPartEncoded | Response.FinishPartEncoded> => [
  ...calls.map((call) => ({ type: "tool-call" as const, ...call })),
  finish("tool-calls")
]

const partsOf = (step: Step.Step): Array<Response.PartEncoded> =>
  step.kind === "call" ? callsOf(step.calls) : [{ type: "text", text: step.text }, finish("stop")]

const streamPartsOf = (step: Step.Step): Array<Response.StreamPartEncoded> =>
  step.kind === "call"
    ? callsOf(step.calls)
    : [
        { type: "text-start", id: "text" },
        { type: "text-delta", id: "text", delta: step.text },
        { type: "text-end", id: "text" },
        finish("stop")
      ]

/** Builds the model. */
export const make: Effect.Effect<LanguageModel.LanguageModel> = LanguageModel.make({
  generateText: (options) => Effect.map(stepOf(options), partsOf),
  streamText: (options) =>
    Stream.unwrap(Effect.map(stepOf(options), (step) => Stream.fromIterable(streamPartsOf(step)))),
  supportsSystemMessagesInHistory: Effect.succeed(true)
})

/** The model, as a layer. */
export const layer: Layer.Layer<LanguageModel.LanguageModel> = Layer.effect(LanguageModel.LanguageModel, make)
