import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Stream } from "effect"
import type { SessionEvent } from "../../src/domain/Session.ts"
import * as OpenAiModel from "../../src/host/OpenAiModel.ts"
import { RetryDelay } from "../../src/services/Scheduler.ts"
import { advance, setClock } from "../../src/testing/VirtualTime.ts"
import * as Shapes from "./ChatShapes.ts"
import * as FakeEndpoint from "./FakeEndpoint.ts"
import * as Hosts from "./Hosts.ts"

const key = "sk-secret"

/** A Session `s` answered by the model at that address. */
const world = Effect.fnUntraced(
  function* (url: string) {
    yield* setClock("2026-12-01T00:00:00.000Z")
    const model = OpenAiModel.layer({ url, model: "qwen3:8b", key: Redacted.make(key) })
    const { sessions } = yield* Hosts.open(yield* Hosts.temporaryFile, model)
    yield* sessions.create("s")
    /** Waits until so many turns have ended; the events until then. */
    const turns = (count: number) =>
      Effect.suspend(() => {
        let left = count
        const isLast = ({ type }: SessionEvent) => type === "turn/ended" && --left === 0
        return sessions.follow("s", 0).pipe(
          Stream.takeUntil(isLast),
          Stream.map((event) => ({ ...event, data: event.data as any })),
          Stream.runCollect
        )
      })
    return { sessions, turns }
  },
  Effect.provideService(RetryDelay, { firstMillis: 0, longestMillis: 0 })
)

const create = { id: "call_1", name: "schedule_create", arguments: '{"prompt":"stretch","after_seconds":60}' }

describe("A host with a model behind an OpenAI-compatible endpoint", () => {
  it.effect("makes the reminder that it is asked for, and presents it when it is due", () =>
    Effect.gen(function* () {
      const { url, asked } = yield* FakeEndpoint.make(
        FakeEndpoint.json(Shapes.ollama("", create)),
        FakeEndpoint.json(Shapes.ollama("I will remind you in a minute.")),
        FakeEndpoint.json(Shapes.ollama("Time to stretch."))
      )
      const { sessions, turns } = yield* world(url)
      yield* sessions.prompt("s", { text: "remind me in a minute to stretch", timeZone: "Asia/Shanghai" })
      yield* turns(1)
      const [view] = yield* (yield* sessions.reminders("s")).list
      assert.strictEqual(view?.scheduledAt, Date.parse("2026-12-01T00:01:00.000Z"))
      yield* advance("1 minute")
      const said = (yield* turns(2)).filter(({ type }) => type === "turn/output").map(({ data }) => data.message)
      assert.deepStrictEqual(
        said.flatMap(({ content }) => (typeof content === "string" ? [content] : [])),
        ["I will remind you in a minute.", "Time to stretch."]
      )

      const [first, second, third] = asked.map(({ body }) => body.messages)
      assert.deepStrictEqual(first.slice(1), [{ role: "user", content: "remind me in a minute to stretch" }])
      assert.include(first[0].content, "Current time: 2026-12-01T00:00:00.000Z")
      assert.include(first[0].content, 'Time zones of this turn: ["Asia/Shanghai"]')
      assert.deepStrictEqual(second.slice(0, 2), first)
      assert.strictEqual(second[2].tool_calls[0].id, "call_1")
      assert.deepInclude(JSON.parse(second[3].content), {
        id: "schedule-1",
        prompt: "stretch",
        scheduledAt: "2026-12-01T00:01:00.000Z"
      })
      assert.deepStrictEqual(third.slice(1, 4), second.slice(1))
      assert.deepStrictEqual(third[4], { role: "assistant", content: "I will remind you in a minute." })
      assert.strictEqual(third[5].role, "user")
      assert.include(third[5].content, 'reminder_prompt: "stretch"')
      assert.include(third[0].content, "Current time: 2026-12-01T00:01:00.000Z")
      assert.strictEqual(third.length, 6)
    })
  )

  it.effect("asks again while the endpoint is busy, broken or cut off, and answers once", () =>
    Effect.gen(function* () {
      const { url, asked } = yield* FakeEndpoint.make(
        FakeEndpoint.text("<html>busy</html>", 503, "text/html"),
        FakeEndpoint.cut('{"choices":[', "application/json"),
        FakeEndpoint.json(Shapes.error("slow down", "requests"), 429),
        FakeEndpoint.json(Shapes.says("Hello."))
      )
      const { sessions, turns } = yield* world(url)
      yield* sessions.prompt("s", { text: "hello" })
      const events = yield* turns(1)
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["inbox/queued", "turn/started", "turn/output", "turn/ended"]
      )
      assert.strictEqual(events.at(-1)?.data.outcome, "completed")
      assert.strictEqual(new Set(asked.map(({ body }) => JSON.stringify(body))).size, 1)
    })
  )

  it.effect("goes on in a conversation that became too long for it, with less of what was before", () =>
    Effect.gen(function* () {
      const tooLong = FakeEndpoint.json(
        Shapes.error(
          "This model's maximum context length is 8192 tokens.",
          "invalid_request_error",
          "context_length_exceeded"
        ),
        400
      )
      const hello = FakeEndpoint.json(Shapes.says("Hello."))
      const { url, asked } = yield* FakeEndpoint.make(
        ...Array.from({ length: 8 }, () => hello),
        tooLong,
        tooLong,
        FakeEndpoint.json(Shapes.calls(create)),
        tooLong,
        hello
      )
      const { sessions, turns } = yield* world(url)
      for (let n = 1; n <= 9; n++) {
        yield* sessions.prompt("s", { text: `hello ${n}` })
        yield* turns(n)
      }
      assert.deepInclude((yield* turns(9)).at(-1)?.data, { outcome: "completed" })
      const texts = asked.slice(8).map(({ body }) => body.messages.map((message: any) => message.content))
      for (const text of texts) assert.include(text[0], "Current time: 2026-12-01T00:00:00.000Z")
      assert.deepStrictEqual(
        texts.map((text) => text.filter((content: any) => String(content).startsWith("hello ")).length),
        [9, 5, 3, 3, 2]
      )
      for (const text of texts.slice(0, 3)) assert.strictEqual(text.at(-1), "hello 9")
      assert.strictEqual(asked[12]?.body.messages.at(-1).role, "tool")
      assert.strictEqual((yield* (yield* sessions.reminders("s")).list).length, 1)
    })
  )

  it.effect("ends a turn that is too long for it all by itself, and says so", () =>
    Effect.gen(function* () {
      const { url, asked } = yield* FakeEndpoint.make(
        FakeEndpoint.json(Shapes.says("Hello.")),
        FakeEndpoint.json(Shapes.error("context_length_exceeded", "invalid_request_error"), 400)
      )
      const { sessions, turns } = yield* world(url)
      for (const n of [1, 2]) {
        yield* sessions.prompt("s", { text: `hello ${n}` })
        yield* turns(n)
      }
      assert.match((yield* turns(2)).at(-1)?.data.error, /too long for the model, even without/u)
      assert.strictEqual(asked.length, 3)
      assert.strictEqual(asked[2]?.body.messages.length, 2)
    })
  )

  it.effect("waits five minutes for an endpoint that says nothing, and no longer", () =>
    Effect.gen(function* () {
      const { url, heard } = yield* FakeEndpoint.make(FakeEndpoint.silence)
      const { sessions, turns } = yield* world(url)
      yield* sessions.prompt("s", { text: "hello" })
      yield* heard(1)
      yield* advance("5 minutes")
      assert.match((yield* turns(1)).at(-1)?.data.error, /longer than five minutes/u)
    })
  )

  it.effect("ends the turn with an error that says what to do, and holds no secret", () =>
    Effect.gen(function* () {
      const echo = Shapes.error(`Incorrect API key provided: ${key}`, "invalid_request_error", "invalid_api_key")
      const endpoint = yield* FakeEndpoint.make(FakeEndpoint.json(echo, 401))
      for (const [url, told] of [
        [endpoint.url, /did not accept the key/u],
        [yield* FakeEndpoint.nowhere, /can't be reached/u]
      ] as const) {
        const { sessions, turns } = yield* world(url)
        yield* sessions.prompt("s", { text: "hello" })
        const events = yield* turns(1)
        assert.deepInclude(events.at(-1)?.data, { outcome: "failed" })
        assert.match(events.at(-1)?.data.error, told)
        assert.notInclude(JSON.stringify(events), key)
      }
    })
  )
})
