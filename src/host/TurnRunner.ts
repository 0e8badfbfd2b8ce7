/**
 * One turn: the model is asked, its tool calls are answered, and it is asked again, until it has nothing more to call.
 */
import { Clock, Effect, Schema } from "effect"
import { LanguageModel, Prompt, type Toolkit } from "effect/ai"
import * as Instant from "../domain/Instant.ts"
import type { EventLogError } from "../services/EventLog.ts"
import { ScheduleTools } from "../services/ScheduleTools.ts"
import { type Turn, TurnFailed } from "./Agent.ts"
import * as TimeContext from "./TimeContext.ts"

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

/** Runs a turn whose messages are the last of the history. */
export const run = Effect.fn("TurnRunner.run")(function* (
  turn: Turn,
  history: ReadonlyArray<Prompt.Message>,
  toolkit: Tools
): Effect.fn.Return<void, TurnFailed | EventLogError, LanguageModel.LanguageModel> {
  let prompt = Prompt.fromMessages([yield* system(turn), ...history])
  for (let step = 0; step < MAX_STEPS; step++) {
    const response = yield* LanguageModel.generateText({ prompt, toolkit, concurrency: 1 }).pipe(
      Effect.tapError((error) => Effect.logWarning("The model failed", error)),
      Effect.mapError((error) => new TurnFailed({ message: `The model failed: ${error.reason._tag}` }))
    )
    const said = Prompt.fromResponseParts(response.content)
    yield* turn.record(said.content.map((message) => encodeMessage(message)))
    if (response.toolCalls.length === 0) return
    prompt = Prompt.concat(prompt, said)
  }
  return yield* new TurnFailed({ message: `The model called tools ${MAX_STEPS} times without an answer.` })
})
