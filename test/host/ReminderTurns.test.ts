import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Layer } from "effect"
import { LanguageModel, type Response } from "effect/ai"
import type { Sessions } from "../../src/host/Sessions.ts"
import * as ReminderTurns from "../../src/host/ReminderTurns.ts"
import { advance, setClock, settle } from "../../src/testing/VirtualTime.ts"
import * as Hosts from "./Hosts.ts"

const said = (text: string): Array<Response.PartEncoded> => [
  { type: "text", text },
  { type: "finish", reason: "stop", usage: { inputTokens: {}, outputTokens: {} } }
]

/** A model that answers people at once, and reminders when it may. */
const slow = Effect.map(Deferred.make<void>(), (answered) => {
  let asked = 0
  const generateText = ({ prompt }: LanguageModel.ProviderOptions) => {
    if (!JSON.stringify(prompt).includes("reminder_prompt")) return Effect.succeed(said("hello"))
    asked++
    return Effect.as(Deferred.await(answered), said("It is time."))
  }
  const model = LanguageModel.make({ generateText, streamText: () => Effect.die("not used") as never })
  return {
    layer: Layer.effect(LanguageModel.LanguageModel, model),
    asked: () => asked,
    answer: Deferred.succeed(answered, undefined)
  }
})

const typesOf = (sessions: Sessions["Service"], id: string) =>
  Effect.map(sessions.transcript(id, 0), ({ events }) => events.map(({ type }) => type))

const IDS = ["a", "b", "c", "d", "e"]

/** Five Sessions whose reminders are due at one instant, of which two turns may run at once. */
const herd = Effect.gen(function* () {
  yield* setClock("2026-12-01T00:00:00.000Z")
  const model = yield* slow
  const { sessions, close } = yield* Hosts.open(yield* Hosts.temporaryFile, model.layer)
  for (const id of IDS) {
    yield* sessions.create(id)
    yield* (yield* sessions.reminders(id)).create({ prompt: "stretch", after_seconds: 60 })
  }
  yield* advance("60 seconds")
  return { sessions, model, close }
}).pipe(Effect.provideService(ReminderTurns.MostReminderTurns, 2))

describe("Turns of reminders", () => {
  it.effect("run a few at a time, while every delivery is durable at once", () =>
    Effect.gen(function* () {
      const { sessions, model } = yield* herd
      assert.strictEqual(model.asked(), 2)
      for (const id of IDS) {
        const types = yield* typesOf(sessions, id)
        assert.deepStrictEqual(types.slice(0, 3), ["schedule/change", "inbox/queued", "schedule/change"])
      }
      yield* model.answer
      yield* settle
      for (const id of IDS) assert.strictEqual((yield* typesOf(sessions, id)).at(-1), "turn/ended")
      assert.strictEqual(model.asked(), IDS.length)
    })
  )

  it.effect("never keep waiting what someone says", () =>
    Effect.gen(function* () {
      const { sessions, model } = yield* herd
      yield* sessions.create("f")
      yield* sessions.prompt("f", { text: "hello" })
      yield* settle
      assert.strictEqual((yield* typesOf(sessions, "f")).at(-1), "turn/ended")
      yield* model.answer
    })
  )

  it.effect("that have not begun when the host closes are left for later, and hold nothing up", () =>
    Effect.gen(function* () {
      const { model, close } = yield* herd
      const closing = yield* Effect.forkChild(close)
      yield* settle
      yield* model.answer
      yield* settle
      assert.isDefined(closing.pollUnsafe())
      assert.strictEqual(model.asked(), 2)
    })
  )
})
