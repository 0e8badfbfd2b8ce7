import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer, Logger, Redacted, References, Schema, Stream } from "effect"
import { type AiError, LanguageModel, Prompt, type Response, Tool } from "effect/ai"
import * as OpenAiModel from "../../src/host/OpenAiModel.ts"
import { Create, ScheduleTools } from "../../src/services/ScheduleTools.ts"
import * as Shapes from "./ChatShapes.ts"
import * as FakeEndpoint from "./FakeEndpoint.ts"

const model = (url: string, key?: string) =>
  OpenAiModel.layer({ url, model: "qwen3:8b", key: key === undefined ? undefined : Redacted.make(key) })

const tools = {
  toolkit: Effect.provide(
    ScheduleTools,
    ScheduleTools.toLayer({
      schedule_create: () => Effect.die("not run here"),
      schedule_list: () => Effect.die("not run here"),
      schedule_delete: () => Effect.die("not run here")
    })
  ),
  disableToolCallResolution: true,
  toolCallValidation: "deferred"
} as const

const ask = (url: string, prompt: Prompt.RawInput = "hello", key?: string) =>
  Effect.provide(LanguageModel.generateText({ prompt, ...tools }), model(url, key))

const answerTo = Effect.fnUntraced(function* (...replies: ReadonlyArray<FakeEndpoint.Reply>) {
  const { url } = yield* FakeEndpoint.make(...replies)
  return yield* ask(url)
})

const streamed = Effect.fnUntraced(function* (...replies: ReadonlyArray<FakeEndpoint.Reply>) {
  const endpoint = yield* FakeEndpoint.make(...replies)
  const parts = Stream.provide(LanguageModel.streamText({ prompt: "hello", ...tools }), model(endpoint.url))
  return { endpoint, parts: yield* Stream.runCollect(parts) }
})

const reasonFor = Effect.fnUntraced(function* (reply: FakeEndpoint.Reply) {
  return (yield* Effect.flip(answerTo(reply))).reason
})

const callsOf = ({ toolCalls }: { readonly toolCalls: ReadonlyArray<Response.ToolCallPart<string, unknown>> }) =>
  toolCalls.map(({ id, name, params }) => ({ id, name, params }))

const list = { id: "call_1", name: "schedule_list", arguments: "{}" }
const create = { id: "call_2", name: "schedule_create", arguments: '{"prompt":"tea","after_seconds":300}' }
const madeCalls = [
  { id: "call_1", name: "schedule_list", params: {} },
  { id: "call_2", name: "schedule_create", params: { prompt: "tea", after_seconds: 300 } }
]

describe("What an OpenAI-compatible endpoint is sent", () => {
  it.effect("is the conversation, with the calls of one answer together and each with its result", () =>
    Effect.gen(function* () {
      const { url, asked } = yield* FakeEndpoint.make(FakeEndpoint.json(Shapes.says("done")))
      yield* ask(
        url,
        Prompt.make([
          { role: "system", content: "Be brief." },
          { role: "user", content: [{ type: "text", text: "tea in 5 minutes" }] },
          {
            role: "assistant",
            content: [
              { type: "reasoning", text: "Let me see." },
              { type: "text", text: "One moment." },
              ...madeCalls.map((call) => ({ type: "tool-call" as const, providerExecuted: false, ...call }))
            ]
          },
          {
            role: "tool",
            content: [
              { type: "tool-result", id: "call_1", name: "schedule_list", isFailure: false, result: [] },
              {
                type: "tool-result",
                id: "call_2",
                name: "schedule_create",
                isFailure: true,
                result: { code: "invalid_rule" }
              }
            ]
          }
        ])
      )
      const [first, second] = [list, create].map(({ id, ...fn }) => ({ id, type: "function", function: fn }))
      assert.deepStrictEqual(asked[0]?.path, "/v1/chat/completions")
      assert.deepStrictEqual(asked[0]?.body.model, "qwen3:8b")
      assert.deepStrictEqual(asked[0]?.body.messages, [
        { role: "system", content: "Be brief." },
        { role: "user", content: "tea in 5 minutes" },
        { role: "assistant", content: "One moment.", tool_calls: [first, second] },
        { role: "tool", tool_call_id: "call_1", content: "[]" },
        { role: "tool", tool_call_id: "call_2", content: '{"code":"invalid_rule"}' }
      ])
    })
  )

  it.effect("is every tool with its exact JSON Schema", () =>
    Effect.gen(function* () {
      const { url, asked } = yield* FakeEndpoint.make(FakeEndpoint.json(Shapes.says("done")))
      yield* ask(url)
      const sent = asked[0]?.body
      assert.deepStrictEqual(
        sent.tools.map((tool: any) => [tool.type, tool.function.name]),
        [
          ["function", "schedule_create"],
          ["function", "schedule_list"],
          ["function", "schedule_delete"]
        ]
      )
      const [{ function: first }] = sent.tools
      assert.deepStrictEqual(first.parameters, JSON.parse(JSON.stringify(Tool.getJsonSchema(Create))))
      assert.strictEqual(first.parameters.additionalProperties, false)
      assert.strictEqual(first.description, Create.description)
      assert.notProperty(first, "strict")
      assert.strictEqual(sent.tool_choice, "auto")
    })
  )

  it.effect("is the key in the Authorization header, and nowhere else; no header without a key", () =>
    Effect.gen(function* () {
      const { url, asked } = yield* FakeEndpoint.make(FakeEndpoint.json(Shapes.says("done")))
      yield* ask(url, "hello", "sk-secret")
      yield* ask(url, "hello")
      const [withKey, without] = asked
      assert.strictEqual(withKey?.headers.authorization, "Bearer sk-secret")
      assert.strictEqual(JSON.stringify(withKey).split("sk-secret").length, 2)
      assert.notProperty(without?.headers, "authorization")
    })
  )

  it.effect("is arguments as an object, even where the model once sent something else", () =>
    Effect.gen(function* () {
      const { url, asked } = yield* FakeEndpoint.make(FakeEndpoint.json(Shapes.says("done")))
      const call = {
        type: "tool-call",
        id: "c",
        name: "schedule_list",
        params: '{"a":',
        providerExecuted: false
      } as const
      yield* ask(url, Prompt.make([{ role: "assistant", content: [call] }]))
      assert.strictEqual(asked[0]?.body.messages[0].tool_calls[0].function.arguments, '{"arguments":"{\\"a\\":"}')
    })
  )

  it.effect("is what a provider put beside its call, which it wants to see again", () =>
    Effect.gen(function* () {
      const extra_content = { google: { thought_signature: "Ep0B" } }
      const made = { id: "call_1", type: "function", function: { name: "schedule_list", arguments: "{}" } }
      const { url, asked } = yield* FakeEndpoint.make(
        FakeEndpoint.json(Shapes.openAi({ tool_calls: [{ ...made, extra_content }] }, "tool_calls"))
      )
      const { content } = yield* ask(url)
      yield* ask(url, Prompt.fromResponseParts(content))
      assert.deepStrictEqual(asked[1]?.body.messages[0].tool_calls[0].extra_content, extra_content)
    })
  )

  it.effect("is which tools the model may or must call", () =>
    Effect.gen(function* () {
      const { url, asked } = yield* FakeEndpoint.make(FakeEndpoint.json(Shapes.says("done")))
      const chosen = ["none", "required", { tool: "schedule_list" }, { oneOf: ["schedule_list"] }] as const
      for (const toolChoice of chosen) {
        yield* Effect.provide(LanguageModel.generateText({ prompt: "hello", ...tools, toolChoice }), model(url))
      }
      assert.deepStrictEqual(
        asked.map(({ body }) => [body.tool_choice, body.tools.length]),
        [
          ["none", 3],
          ["required", 3],
          [{ type: "function", function: { name: "schedule_list" } }, 3],
          ["auto", 1]
        ]
      )
      yield* Effect.provide(LanguageModel.generateText({ prompt: "hello" }), model(url))
      assert.notProperty(asked.at(-1)?.body, "tools")
      assert.notProperty(asked.at(-1)?.body, "tool_choice")
    })
  )

  it.effect("is a picture, by its address or whole", () =>
    Effect.gen(function* () {
      const { url, asked } = yield* FakeEndpoint.make(FakeEndpoint.json(Shapes.says("a cat")))
      const picture = (data: URL | Uint8Array) => ({ type: "file" as const, mediaType: "image/png", data })
      const content = [picture(new URL("https://example.com/cat.png")), picture(new Uint8Array([1, 2, 3]))]
      yield* ask(url, Prompt.make([{ role: "user", content: [{ type: "text", text: "what?" }, ...content] }]))
      assert.deepStrictEqual(asked[0]?.body.messages[0].content, [
        { type: "text", text: "what?" },
        { type: "image_url", image_url: { url: "https://example.com/cat.png" } },
        { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } }
      ])
    })
  )

  it.effect("asks for an object by its JSON Schema", () =>
    Effect.gen(function* () {
      const { url, asked } = yield* FakeEndpoint.make(FakeEndpoint.json(Shapes.says('{"city":"Hilo"}')))
      const schema = Schema.Struct({ city: Schema.String }).annotate({ identifier: "place" })
      const asking = LanguageModel.generateObject({ prompt: "where?", schema })
      const { value } = yield* Effect.provide(asking, model(url))
      assert.deepStrictEqual(value, { city: "Hilo" })
      const { type, json_schema } = asked[0]?.body.response_format ?? {}
      assert.deepStrictEqual([type, json_schema.name], ["json_schema", "place"])
      assert.deepStrictEqual(json_schema.schema.required, ["city"])
    })
  )
})

describe("What an OpenAI-compatible endpoint answers", () => {
  it.effect("is read from OpenAI, Ollama and vLLM alike", () =>
    Effect.gen(function* () {
      for (const shape of [Shapes.says("Hello."), Shapes.ollama("Hello."), Shapes.vllm("Hello.")]) {
        const answer = yield* answerTo(FakeEndpoint.json(shape))
        assert.strictEqual(answer.text, "Hello.")
        assert.strictEqual(answer.finishReason, "stop")
        assert.strictEqual(answer.usage.inputTokens.total, 377)
        assert.deepStrictEqual(answer.reasoning, [])
      }
    })
  )

  it.effect("may be calls, one or several, in their order", () =>
    Effect.gen(function* () {
      for (const shape of [
        Shapes.calls(list, create),
        Shapes.ollama("", list, create),
        Shapes.vllm(null, list, create)
      ]) {
        const answer = yield* answerTo(FakeEndpoint.json(shape))
        assert.deepStrictEqual(callsOf(answer), madeCalls)
        assert.strictEqual(answer.text, "")
        assert.strictEqual(answer.finishReason, "tool-calls")
      }
      assert.deepStrictEqual(callsOf(yield* answerTo(FakeEndpoint.json(Shapes.calls(list)))), madeCalls.slice(0, 1))
    })
  )

  it.effect("may call what does not exist, without an id, with arguments that are no JSON or none at all", () =>
    Effect.gen(function* () {
      const made = [
        { name: "no_such_tool", arguments: '{"a":1' },
        { name: "schedule_list", arguments: "" }
      ]
      const [broken, bare] = callsOf(yield* answerTo(FakeEndpoint.json(Shapes.calls(...made))))
      assert.deepInclude(broken, { name: "no_such_tool", params: '{"a":1' })
      assert.deepInclude(bare, { name: "schedule_list", params: {} })
      assert.match(broken?.id ?? "", /./u)
      assert.notStrictEqual(broken?.id, bare?.id)
    })
  )

  it.effect("may be empty, cut off, withheld or refused", () =>
    Effect.gen(function* () {
      const told = Effect.fnUntraced(function* (shape: unknown) {
        const { text, finishReason } = yield* answerTo(FakeEndpoint.json(shape))
        return [text, finishReason]
      })
      assert.deepStrictEqual(yield* told(Shapes.vllm(null)), ["", "stop"])
      assert.deepStrictEqual(yield* told(Shapes.says("")), ["", "stop"])
      assert.deepStrictEqual(yield* told(Shapes.openAi({ content: "I will" }, "length")), ["I will", "length"])
      assert.deepStrictEqual(yield* told(Shapes.openAi({}, "content_filter")), ["", "content-filter"])
      assert.deepStrictEqual(yield* told(Shapes.openAi({ refusal: "No." })), ["No.", "content-filter"])
    })
  )
})

describe("What an OpenAI-compatible endpoint streams", () => {
  const types = (parts: ReadonlyArray<{ readonly type: string }>) => parts.map(({ type }) => type)

  it.effect("is a text, a piece at a time, and without what the model thinks", () =>
    Effect.gen(function* () {
      const { parts, endpoint } = yield* streamed(
        FakeEndpoint.events(
          Shapes.chunk({ role: "assistant", content: "", reasoning: "Okay" }),
          Shapes.chunk({ content: "Hel" }),
          Shapes.chunk({ content: "lo." }),
          Shapes.chunk({}, "stop"),
          { ...Shapes.chunk({}), choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } }
        )
      )
      assert.deepStrictEqual(types(parts), ["text-start", "text-delta", "text-delta", "text-end", "finish"])
      assert.strictEqual(parts.map((part) => (part.type === "text-delta" ? part.delta : "")).join(""), "Hello.")
      const last = parts.at(-1)
      assert.strictEqual(last?.type === "finish" && last.usage.inputTokens.total, 3)
      assert.deepInclude(endpoint.asked[0]?.body, { stream: true, stream_options: { include_usage: true } })
    })
  )

  it.effect("is calls, whole or in pieces that come in turn", () =>
    Effect.gen(function* () {
      const piece = (index: number, fields: object, fn: object) =>
        Shapes.chunk({ tool_calls: [{ index, ...fields, function: fn }] })
      const { parts } = yield* streamed(
        FakeEndpoint.events(
          piece(0, { id: "call_1", type: "function" }, { name: "schedule_list", arguments: "{}" }),
          piece(1, { id: "call_2", type: "function" }, { name: "schedule_create", arguments: "" }),
          piece(1, {}, { arguments: '{"prompt":"tea",' }),
          piece(1, {}, { name: null, arguments: '"after_seconds":300}' }),
          Shapes.chunk({}, "tool_calls")
        )
      )
      const made = parts.flatMap((part) => (part.type === "tool-call" ? [part] : []))
      assert.deepStrictEqual(callsOf({ toolCalls: made }), madeCalls)
      assert.strictEqual(parts.at(-1)?.type, "finish")
    })
  )

  it.effect("may fail before it begins, while it runs, or by ending without an end", () =>
    Effect.gen(function* () {
      const begun = Shapes.chunk({ content: "Hel" })
      const reasons: Array<AiError.AiError["reason"]["_tag"]> = []
      for (const reply of [
        FakeEndpoint.json(Shapes.error("slow down", "requests", "rate_limit_exceeded"), 429),
        FakeEndpoint.events(begun, Shapes.error("The context length is exceeded", "BadRequestError", 400)),
        FakeEndpoint.events(begun, Shapes.error("upstream is gone", "server_error")),
        FakeEndpoint.events(begun),
        FakeEndpoint.cut(`data: ${JSON.stringify(begun)}\n\n`, "text/event-stream")
      ]) {
        reasons.push((yield* Effect.flip(streamed(reply))).reason._tag)
      }
      assert.deepStrictEqual(reasons, [
        "RateLimitError",
        "InvalidRequestError",
        "InternalProviderError",
        "InvalidResponseError",
        "NetworkError"
      ])
    })
  )
})

describe("Why an OpenAI-compatible endpoint fails", () => {
  const refusal = (status: number, message: string, type: string, code: string | number | null = null) =>
    FakeEndpoint.json(Shapes.error(message, type, code), status)

  it.effect("is told by the status", () =>
    Effect.gen(function* () {
      const cases = [
        [refusal(401, "Incorrect API key provided: sk-x", "invalid_request_error", "invalid_api_key"), "InvalidKey"],
        [refusal(403, "You are not allowed", "invalid_request_error"), "InsufficientPermissions"]
      ] as const
      for (const [reply, kind] of cases)
        assert.deepInclude(yield* reasonFor(reply), { _tag: "AuthenticationError", kind })
      const tags = [
        [
          refusal(429, "You exceeded your current quota", "insufficient_quota", "insufficient_quota"),
          "QuotaExhaustedError"
        ],
        [refusal(429, "Rate limit reached", "requests", "rate_limit_exceeded"), "RateLimitError"],
        [FakeEndpoint.text("<html>503</html>", 503, "text/html"), "RateLimitError"],
        [refusal(500, "The server had an error", "server_error"), "InternalProviderError"],
        [FakeEndpoint.text("Bad gateway", 502, "text/plain"), "InternalProviderError"],
        [refusal(408, "timed out", "timeout"), "NetworkError"],
        [refusal(400, "The prompt was filtered", "invalid_request_error", "content_filter"), "ContentPolicyError"],
        [refusal(400, "messages: expected an array", "invalid_request_error"), "InvalidRequestError"]
      ] as const
      for (const [reply, tag] of tags) assert.strictEqual((yield* reasonFor(reply))._tag, tag)
    })
  )

  it.effect("is told by the text where the status does not: no such model, too long, no tools, wrong address", () =>
    Effect.gen(function* () {
      const limit =
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 8227 tokens."
      const cases = [
        [refusal(404, "The model `x` does not exist", "invalid_request_error", "model_not_found"), "model"],
        [refusal(404, 'model "x" not found, try pulling it first', "api_error"), "model"],
        [FakeEndpoint.text("404 page not found", 404, "text/plain"), "url"],
        [FakeEndpoint.json({ detail: "Not Found" }, 404), "url"],
        [FakeEndpoint.json({}, 301, { location: "https://example.com/v1/chat/completions" }), "url"],
        [refusal(400, limit, "invalid_request_error", "context_length_exceeded"), "messages"],
        [FakeEndpoint.json({ object: "error", message: limit, type: "BadRequestError", code: 400 }, 400), "messages"],
        [refusal(400, "the request exceeds the available context size", "exceed_context_size_error", 400), "messages"],
        [refusal(413, "Request too large for model `x`", "tokens", "rate_limit_exceeded"), "messages"],
        [refusal(400, "x is not a valid model ID", "invalid_request_error", 400), "model"],
        [refusal(400, "registry.ollama.ai/library/llama3:8b does not support tools", "api_error"), "tools"],
        [refusal(400, '"auto" tool choice requires --enable-auto-tool-choice', "BadRequestError", 400), "tools"]
      ] as const
      for (const [reply, parameter] of cases) {
        assert.deepInclude(yield* reasonFor(reply), { _tag: "InvalidRequestError", parameter })
      }
    })
  )

  it.effect("is the network, whether nobody listens, or the connection ends before the answer does", () =>
    Effect.gen(function* () {
      for (const reply of [FakeEndpoint.hangUp, FakeEndpoint.cut('{"choices":[', "application/json")]) {
        assert.strictEqual((yield* reasonFor(reply))._tag, "NetworkError")
      }
      const refused = yield* Effect.flip(ask(yield* FakeEndpoint.nowhere))
      assert.strictEqual(refused.reason._tag, "NetworkError")
      assert.isTrue(refused.isRetryable)
    })
  )

  it.effect("is that the answer is none of a model", () =>
    Effect.gen(function* () {
      for (const reply of [
        FakeEndpoint.text('{"choices":[', 200, "application/json"),
        FakeEndpoint.text("<html>Sign in</html>", 200, "text/html"),
        FakeEndpoint.json({ choices: [] }),
        FakeEndpoint.json({ ok: true }),
        FakeEndpoint.text("", 200, "application/json")
      ]) {
        assert.strictEqual((yield* reasonFor(reply))._tag, "InvalidResponseError")
      }
    })
  )

  it.effect("says how long to wait, in any of the ways of writing it, if it makes sense", () =>
    Effect.gen(function* () {
      const date = "Tue, 01 Dec 2026 09:00:00 GMT"
      const waits: Array<number | undefined> = []
      for (const headers of [
        { "retry-after": "7" },
        { "retry-after": "2", "retry-after-ms": "1500" },
        { "retry-after": "Tue, 01 Dec 2026 09:00:30 GMT", date },
        { "retry-after": "Tue, 01 Dec 2026 08:00:00 GMT", date },
        { "retry-after": "soon" },
        { "retry-after": "-1" },
        {}
      ]) {
        const { retryAfter } = yield* Effect.flip(answerTo(FakeEndpoint.json(Shapes.error("x", "y"), 429, headers)))
        waits.push(retryAfter === undefined ? undefined : Duration.toMillis(retryAfter))
      }
      assert.deepStrictEqual(waits, [7_000, 1_500, 30_000, undefined, undefined, undefined, undefined])
    })
  )

  it.effect(
    "is told by the endpoint's own names to those alone who look for a fault, and by none of its sentences",
    () =>
      Effect.gen(function* () {
        const lines: Array<string> = []
        const logger = Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))])
        for (const status of [400, 401]) {
          const reply = refusal(status, "no hello in sk-secret", "invalid_request_error", "hello sk-secret")
          const { url } = yield* FakeEndpoint.make(reply)
          const asking = Effect.flip(ask(url, "hello", "sk-secret"))
          yield* Effect.provide(asking, [logger, Layer.succeed(References.MinimumLogLevel, "Debug")])
          yield* Effect.provide(asking, logger)
        }
        assert.strictEqual(lines.length, 2)
        assert.match(lines[0] ?? "", /level=DEBUG .*message="The endpoint answered 400, invalid_request_error\."/u)
        assert.match(lines[1] ?? "", /message="The endpoint answered 401, invalid_request_error\."/u)
        assert.notMatch(lines.join("\n"), /sk-secret|hello/u)
      })
  )

  it.effect("repeats nothing of what the endpoint wrote, nor the key", () =>
    Effect.gen(function* () {
      for (const status of [400, 401, 404, 429, 500, 503]) {
        const { url } = yield* FakeEndpoint.make(refusal(status, "wrong key sk-secret in: hello", "x", "y"))
        const error = yield* Effect.flip(ask(url, "hello", "sk-secret"))
        const told = `${error} ${JSON.stringify(error)} ${error.stack}`
        assert.notInclude(told, "sk-secret")
        assert.notInclude(told, "hello")
      }
    })
  )

  it.effect("ends the request when nobody waits for the answer any more", () =>
    Effect.gen(function* () {
      let closed = () => {}
      const whenClosed = new Promise<void>((resolve) => (closed = resolve))
      const reply: FakeEndpoint.Reply = (response) => void response.on("close", closed)
      const endpoint = yield* FakeEndpoint.make(reply)
      const asking = yield* Effect.forkChild(ask(endpoint.url), { startImmediately: true })
      yield* endpoint.heard(1)
      asking.interruptUnsafe()
      yield* Effect.promise(() => whenClosed)
    })
  )
})
