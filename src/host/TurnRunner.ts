/**
 * One turn: the model is asked, its tool calls are answered, and it is asked again, until it has nothing more to call.
 */
import { Clock, Effect, Schema } from "effect"
import { type LanguageModel, Prompt, type Response, type Toolkit } from "effect/ai"
import * as Instant from "../domain/Instant.ts"
import type { EventLogError } from "../services/EventLog.ts"
import { ScheduleTools } from "../services/ScheduleTools.ts"
import { type Turn, TurnFailed } from "./Agent.ts"
import * as History from "./History.ts"
import * as ModelCall from "./ModelCall.ts"
import * as ModelFailure from "./ModelFailure.ts"
import * as TimeContext from "./TimeContext.ts"
import * as ToolAnswer from "./ToolAnswer.ts"

/** How often the model is asked in one turn, so that one that never stops calling tools does. */
const MAX_STEPS = 16

const INSTRUCTIONS =
  "You are an assistant in a conversation that can hold reminders. Create, list and delete them with the schedule " +
  "tools. A reminder that is due comes back to you as a message of its own: present it to the user."

const encodeMessage = Schema.encodeSync(Prompt.Message)

/** The zones of what people said in the turn, each once. */
const zonesOf = ({ messages }: Turn): ReadonlyArray<string> => [
  ...new Set(messages.flatMap((message) => (message.kind === "prompt" && message.timeZone ? [message.timeZone] : [])))
]

const system = (turn: Turn): Effect.Effect<Prompt.Message> =>
  Effect.map(Clock.currentTimeMillis, (millis) =>
    Prompt.systemMessage({
      content: `${INSTRUCTIONS}\n\n${TimeContext.render({ now: Instant.clamp(millis), zones: zonesOf(turn) })}`
    })
  )

type Tools = Toolkit.WithHandler<Toolkit.Tools<typeof ScheduleTools>>

type Answer = LanguageModel.GenerateTextResponse<Toolkit.Tools<typeof ScheduleTools>, Response.ToolParametersMode>

/** The calls that are ours to answer; where an answer was cut off, a call may be, too. */
const callsOf = ({ toolCalls, finishReason }: Answer): Answer["toolCalls"] =>
  ModelFailure.isCutOff(finishReason) ? [] : toolCalls.filter(({ providerExecuted }) => !providerExecuted)

/** Whether a part belongs into the transcript: no call without its answer, and no text without words. */
const isKept = (calls: Answer["toolCalls"]) => (part: Answer["content"][number]) =>
  part.type === "tool-call"
    ? part.providerExecuted || calls.includes(part)
    : part.type !== "text" || part.text.trim() !== ""

/**
 * What the calls are answered with, one after the other. They are recorded before: the barrier that makes their effect
 * durable makes them durable, too, so that a crash can't have a turn begin anew that has already done something.
 */
const answer = Effect.fnUntraced(function* (calls: Answer["toolCalls"], toolkit: Tools) {
  const results = yield* Effect.forEach(calls, (call) => ToolAnswer.make(toolkit, call))
  return Prompt.fromMessages([Prompt.toolMessage({ content: results })])
})

/** The turn as it is told: what was said before it, and what belongs to it. */
interface Told {
  readonly before: ReadonlyArray<Prompt.Message>
  readonly own: Prompt.Prompt
}

const promptOf = (instructions: Prompt.Message, { before, own }: Told): Prompt.Prompt =>
  Prompt.concat(Prompt.fromMessages([instructions, ...before]), own)

/** The model's next step. Where it takes no conversation of that length, it is told half of what was before, and so on. */
const ask = (
  instructions: Prompt.Message,
  told: Told,
  toolkit: Tools
): Effect.Effect<readonly [Answer, Told], TurnFailed, LanguageModel.LanguageModel> =>
  ModelCall.ask(promptOf(instructions, told), toolkit).pipe(
    Effect.map((answer) => [answer, told] as const),
    Effect.catchTag("TooLong", ({ message }) => {
      const { length } = told.before
      if (length === 0) return Effect.fail(new TurnFailed({ message }))
      const shorter = { ...told, before: History.halve(told.before) }
      const logged = Effect.logInfo(
        `The model takes no more than ${shorter.before.length} of ${length} earlier messages`
      )
      return Effect.andThen(logged, ask(instructions, shorter, toolkit))
    })
  )

/** Runs a turn whose messages are the last of the history. */
export const run = Effect.fn("TurnRunner.run")(function* (
  turn: Turn,
  history: ReadonlyArray<Prompt.Message>,
  toolkit: Tools
): Effect.fn.Return<void, TurnFailed | EventLogError, LanguageModel.LanguageModel> {
  const record = (said: Prompt.Prompt) => turn.record(said.content.map((message) => encodeMessage(message)))
  const instructions = yield* system(turn)
  const own = history.length - turn.messages.length
  let told: Told = { before: history.slice(0, own), own: Prompt.fromMessages(history.slice(own)) }
  for (let step = 0; step < MAX_STEPS; step++) {
    const [asked, taken] = yield* ask(instructions, told, toolkit)
    const calls = callsOf(asked)
    const said = Prompt.fromResponseParts(asked.content.filter(isKept(calls)))
    yield* record(said)
    const failure = ModelFailure.describeAnswer(asked)
    if (failure !== undefined) return yield* new TurnFailed({ message: failure })
    if (calls.length === 0) return
    const answered = yield* answer(calls, toolkit)
    yield* record(answered)
    told = { ...taken, own: Prompt.concat(Prompt.concat(taken.own, said), answered) }
  }
  return yield* new TurnFailed({ message: `The model called tools ${MAX_STEPS} times without an answer.` })
})
