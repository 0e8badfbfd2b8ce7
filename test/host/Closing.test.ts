import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { LanguageModel, type Response } from "effect/ai"
import type { SessionEvent } from "../../src/domain/Session.ts"
import { advance, setClock, settle } from "../../src/testing/VirtualTime.ts"
import * as Hosts from "./Hosts.ts"

const finish: Response.FinishPartEncoded = {
  type: "finish",
  reason: "stop",
  usage: { inputTokens: {}, outputTokens: {} }
}

/** A model that answers once it may. */
const waiting = Effect.map(Deferred.make<void>(), (answered) => {
  const model = LanguageModel.make({
    generateText: () => Effect.as(Deferred.await(answered), [{ type: "text" as const, text: "done" }, finish]),
    streamText: () => {
      throw new Error("not used")
    }
  })
  return { model: Layer.effect(LanguageModel.LanguageModel, model), answer: Deferred.succeed(answered, undefined) }
})

const outcomes = (events: ReadonlyArray<SessionEvent>): ReadonlyArray<unknown> =>
  events.filter(({ type }) => type === "turn/ended").map(({ data }) => Object(data).outcome)

/** A host whose one Session is in the middle of a turn. */
const inTurn = Effect.gen(function* () {
  yield* setClock("2026-12-01T00:00:00.000Z")
  const { model, answer } = yield* waiting
  const file = yield* Hosts.temporaryFile
  const host = yield* Hosts.open(file, model)
  yield* host.sessions.create("s")
  yield* host.sessions.prompt("s", { text: "hello" })
  yield* settle
  const reopened = Effect.gen(function* () {
    const { sessions } = yield* Hosts.open(file, model)
    return outcomes((yield* sessions.transcript("s", 0)).events)
  })
  return { host, answer, reopened }
})

describe("A host that is closed in the middle of a turn", () => {
  it.effect("lets it end, and waits no longer than that", () =>
    Effect.gen(function* () {
      const { host, answer, reopened } = yield* inTurn
      const closing = yield* Effect.forkChild(host.close)
      yield* settle
      assert.isUndefined(closing.pollUnsafe())
      yield* answer
      yield* settle
      assert.isDefined(closing.pollUnsafe())
      assert.deepStrictEqual(yield* reopened, ["completed"])
    })
  )

  it.effect("cuts it off after five seconds, and says so", () =>
    Effect.gen(function* () {
      const { host, reopened } = yield* inTurn
      const closing = yield* Effect.forkChild(host.close)
      yield* advance("5 seconds")
      yield* Fiber.join(closing)
      assert.deepStrictEqual(yield* reopened, ["interrupted"])
    })
  )
})

describe("A Session that is closed in the middle of a turn", () => {
  it.effect("runs no more, though its host goes on", () =>
    Effect.gen(function* () {
      const { host } = yield* inTurn
      const closing = yield* Effect.forkChild(host.sessions.close("s"))
      yield* advance("5 seconds")
      yield* Fiber.join(closing)
      assert.deepStrictEqual(outcomes((yield* host.sessions.transcript("s", 0)).events), ["interrupted"])
    })
  )
})
