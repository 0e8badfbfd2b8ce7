import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Logger } from "effect"
import { AiError } from "effect/ai"
import { advance, setClock, settle } from "../../src/testing/VirtualTime.ts"
import * as Hosts from "./Hosts.ts"
import * as ScriptedModel from "./ScriptedModel.ts"

const { says, calls, fails } = ScriptedModel

const unreachable = new AiError.NetworkError({ reason: "TransportError", method: "POST", url: "/v1" })
const broken = new AiError.InternalProviderError({ description: "secret" })
const limited = (seconds?: number) =>
  new AiError.RateLimitError(seconds === undefined ? {} : { retryAfter: Duration.seconds(seconds) })

/** A Session `s` whose model answers so. */
const world = Effect.fnUntraced(function* (...answers: ReadonlyArray<ScriptedModel.Answer>) {
  yield* setClock("2026-12-01T00:00:00.000Z")
  const model = ScriptedModel.make(...answers)
  const { sessions } = yield* Hosts.open(yield* Hosts.temporaryFile, model.layer)
  yield* sessions.create("s")
  const say = (text: string) => Effect.andThen(sessions.prompt("s", { text }), settle)
  const events = Effect.map(sessions.transcript("s", 0, 1_000), ({ events }) => events)
  const data = (type: string) =>
    Effect.map(events, (events) => events.filter((event) => event.type === type).map(({ data }) => data as any))
  const outputs = Effect.map(data("turn/output"), (outputs) => outputs.map(({ message }) => message))
  /** How the turns ended: `completed`, or why not. */
  const ends = Effect.map(data("turn/ended"), (ends) => ends.map(({ outcome, error }) => error ?? outcome))
  const reminders = Effect.flatMap(sessions.reminders("s"), ({ list }) => list)
  return { asked: model.asked, sessions, say, events, outputs, ends, reminders }
})

const textOf = (message: any): string =>
  typeof message.content === "string" ? message.content : message.content[0].text

describe("A turn whose model fails", () => {
  it.effect("asks again what may pass, after ever longer waits, and answers as if nothing had been", () =>
    Effect.gen(function* () {
      const { say, asked, ends, outputs } = yield* world(
        fails(unreachable),
        fails(broken),
        fails(limited()),
        says("Hello.")
      )
      yield* say("hello")
      assert.strictEqual(asked.length, 1)
      yield* advance("1 minute")
      const [first, second, third] = asked.slice(1).map(({ at }, index) => at - (asked[index]?.at ?? 0))
      for (const [wait, least] of [
        [first, 1_000],
        [second, 2_000],
        [third, 4_000]
      ] as const) {
        assert.isTrue(wait !== undefined && wait >= least && wait <= least * 1.2, `${wait}`)
      }
      assert.deepStrictEqual((yield* outputs).map(textOf), ["Hello."])
      assert.deepStrictEqual(yield* ends, ["completed"])
    })
  )

  it.effect("asks no earlier than the provider wants", () =>
    Effect.gen(function* () {
      const { say, asked, ends } = yield* world(fails(limited(30)), says("Hello."))
      yield* say("hello")
      yield* advance("29 seconds")
      assert.strictEqual(asked.length, 1)
      yield* advance("8 seconds")
      assert.strictEqual(asked.length, 2)
      assert.deepStrictEqual(yield* ends, ["completed"])
    })
  )

  it.effect("gives up after four tries, says what to do, and leaves the Session usable", () =>
    Effect.gen(function* () {
      const { say, asked, ends } = yield* world(...Array.from({ length: 4 }, () => fails(unreachable)), says("Hello."))
      yield* say("hello")
      yield* advance("1 minute")
      assert.strictEqual(asked.length, 4)
      yield* say("again")
      assert.deepStrictEqual(yield* ends, [
        "The model can't be reached: check that it runs, and the URL that the server was started with.",
        "completed"
      ])
    })
  )

  it.effect("does not wait for a provider that wants more than a minute, and says when to come back", () =>
    Effect.gen(function* () {
      const { say, asked, ends } = yield* world(fails(limited(90.5)))
      yield* say("hello")
      assert.strictEqual(asked.length, 1)
      assert.deepStrictEqual(yield* ends, [
        "The model's provider takes no more requests for now: ask again in 91 seconds."
      ])
    })
  )

  it.effect("does not ask again what would fail again, and says what is wrong", () =>
    Effect.gen(function* () {
      const invalid = (parameter?: string) =>
        new AiError.InvalidRequestError({ description: "secret", ...(parameter === undefined ? {} : { parameter }) })
      for (const [reason, told] of [
        [new AiError.AuthenticationError({ kind: "InvalidKey", description: "secret" }), /did not accept the key/u],
        [new AiError.AuthenticationError({ kind: "InsufficientPermissions" }), /permissions/u],
        [new AiError.QuotaExhaustedError({}), /billing/u],
        [invalid("model"), /no such model: check the model's name/u],
        [invalid("url"), /URL: check it/u],
        [invalid("messages"), /too long/u],
        [invalid("tools"), /can't call tools/u],
        [invalid(), /refused the request/u],
        [new AiError.InvalidResponseError({ description: "secret" }), /not a model's answer/u],
        [new AiError.ContentPolicyError({ description: "secret" }), /content policy/u],
        [new AiError.UnknownError({ description: "secret" }), /ask again/u]
      ] as const) {
        const { say, asked, ends, events } = yield* world(fails(reason))
        yield* say("hello")
        yield* advance("5 minutes")
        assert.strictEqual(asked.length, 1)
        assert.match((yield* ends)[0], told)
        assert.notInclude(JSON.stringify(yield* events), "secret")
      }
    })
  )

  it.effect("ends when the model took five minutes, however it spent them", () =>
    Effect.gen(function* () {
      const { say, ends } = yield* world(fails(limited(40)), Effect.never)
      yield* say("hello")
      yield* advance("299 seconds")
      assert.deepStrictEqual(yield* ends, [])
      yield* advance("1 second")
      assert.match((yield* ends)[0], /longer than five minutes/u)
    })
  )

  it.effect("does not do again what it has done", () =>
    Effect.gen(function* () {
      const { say, asked, ends, reminders } = yield* world(
        calls("schedule_create", { prompt: "tea", after_seconds: 300 }),
        fails(broken),
        says("In five minutes.")
      )
      yield* say("tea in 5 minutes")
      yield* advance("10 seconds")
      assert.strictEqual(asked.length, 3)
      assert.strictEqual((yield* reminders).length, 1)
      assert.deepStrictEqual(yield* ends, ["completed"])
    })
  )

  it.effect("keeps a reminder that it carried in the transcript, and tells the next turn that it was cut short", () =>
    Effect.gen(function* () {
      const { sessions, say, asked, ends, events } = yield* world(
        fails(new AiError.AuthenticationError({ kind: "InvalidKey" })),
        says("You wanted to stretch.")
      )
      yield* (yield* sessions.reminders("s")).create({ prompt: "stretch", after_seconds: 60 })
      yield* advance("10 minutes")
      assert.deepStrictEqual(
        (yield* events).slice(1).map(({ type }) => type),
        ["inbox/queued", "schedule/change", "turn/started", "turn/ended"]
      )
      assert.match((yield* ends)[0], /key/u)
      yield* say("what was that?")
      assert.deepStrictEqual(
        asked.at(-1)?.prompt.content.map(({ role }) => role),
        ["system", "user", "assistant", "user"]
      )
      assert.include(JSON.stringify(asked.at(-1)?.prompt), "stretch")
      assert.strictEqual((yield* ends)[1], "completed")
    })
  )

  it.effect("logs what to do, and nothing that the provider wrote", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const logger = Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))])
      yield* Effect.gen(function* () {
        const { say } = yield* world(fails(broken))
        yield* say("hello")
        yield* advance("1 minute")
      }).pipe(Effect.provide(logger))
      assert.isTrue(lines.some((line) => /fault of its own: ask again later\. \(InternalProviderError\)/u.test(line)))
      assert.notInclude(lines.join("\n"), "secret")
    })
  )
})

describe("A turn whose model answers oddly", () => {
  const resultOf = (message: any) => message.content[0].result

  it.effect("tells it that a tool does not exist, and which do", () =>
    Effect.gen(function* () {
      const { say, ends, outputs } = yield* world(calls("set_alarm", { at: "9" }), says("I can't do that."))
      yield* say("hello")
      const [, result, answer] = yield* outputs
      assert.deepStrictEqual(resultOf(result), {
        code: "unknown_tool",
        message: "There is no such tool. There are: schedule_create, schedule_list, schedule_delete."
      })
      assert.strictEqual(textOf(answer), "I can't do that.")
      assert.deepStrictEqual(yield* ends, ["completed"])
    })
  )

  it.effect("tells it what is wrong with arguments of any shape", () =>
    Effect.gen(function* () {
      for (const params of ['{"prompt":"tea"', null, 7, [], { prompt: "tea", when: "soon" }]) {
        const { say, ends, outputs } = yield* world(calls("schedule_create", params), says("Sorry."))
        yield* say("hello")
        assert.strictEqual(resultOf((yield* outputs)[1]).code, "invalid_selector")
        assert.deepStrictEqual(yield* ends, ["completed"])
      }
    })
  )

  it.effect("keeps what was said before an answer was cut off or withheld, and runs none of its calls", () =>
    Effect.gen(function* () {
      for (const [reason, told] of [
        ["length", /cut off at the greatest length/u],
        ["content-filter", /content policy/u],
        ["error", /fault of its provider/u]
      ] as const) {
        const said = Effect.zipWith(
          says("I will", reason),
          calls("schedule_create", { prompt: "tea", after_seconds: 300 }, reason),
          ([text], parts) => [text, ...parts].filter((part) => part !== undefined)
        )
        const { say, ends, outputs, reminders } = yield* world(said)
        yield* say("hello")
        assert.deepStrictEqual(
          (yield* outputs).map(({ content }) => content),
          ["I will"]
        )
        assert.match((yield* ends)[0], told)
        assert.deepStrictEqual(yield* reminders, [])
      }
    })
  )

  it.effect("says so if there is no answer", () =>
    Effect.gen(function* () {
      const { say, ends, outputs } = yield* world(says(" \n"), says(""))
      yield* say("hello")
      yield* say("hello?")
      assert.deepStrictEqual(yield* ends, ["The model gave no answer.", "The model gave no answer."])
      assert.deepStrictEqual(yield* outputs, [])
    })
  )

  it.effect("ends if it never stops calling tools", () =>
    Effect.gen(function* () {
      const { say, asked, ends } = yield* world(calls("schedule_list", {}))
      yield* say("hello")
      yield* settle
      assert.strictEqual(asked.length, 16)
      assert.deepStrictEqual(yield* ends, ["The model called tools 16 times without an answer."])
    })
  )
})
