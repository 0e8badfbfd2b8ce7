/**
 * A whole agent server over one SQLite file whose model is your own: here a parrot, which says again what it heard, a
 * second later. Any `LanguageModel` layer of `effect/ai` can stand in its place. Run it with
 * `node examples/own-model.ts PORT FILE`, and talk to it as to the server in the README.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect, Layer, Stream } from "effect"
import { LanguageModel, type Prompt, type Response } from "effect/ai"
import { HttpServer as Bound } from "effect/http"
import * as HttpServer from "../src/host/HttpServer.ts"
import * as SqliteHost from "../src/host/SqliteHost.ts"

const [port = "4319", file = "data/parrot.db"] = process.argv.slice(2)

const usage = { inputTokens: {}, outputTokens: {} }

const say = (text: string): Array<Response.PartEncoded> => [
  { type: "text", text },
  { type: "finish", reason: "stop", usage }
]

const call = (id: string, name: string, params: unknown): Array<Response.PartEncoded> => [
  { type: "tool-call", id, name, params },
  { type: "finish", reason: "tool-calls", usage }
]

/** What the last message says, if a person or a reminder wrote it. */
const heard = (prompt: Prompt.Prompt): string | undefined => {
  const last = prompt.content.at(-1)
  return last?.role === "user"
    ? last.content.map((part) => (part.type === "text" ? part.text : "")).join("")
    : undefined
}

/** The next step of the conversation: an answer, or calls of tools, which the host runs before it asks again. */
const answer = ({ prompt }: LanguageModel.ProviderOptions): Array<Response.PartEncoded> => {
  const text = heard(prompt)
  if (text === undefined) return say("Hm.")
  const reminder = /^reminder_prompt: (?<json>.*)$/mu.exec(text)?.groups
  if (reminder?.["json"] !== undefined) return say(`${JSON.parse(reminder["json"])}! ${JSON.parse(reminder["json"])}!`)
  return call(`call-${prompt.content.length}`, "schedule_create", { prompt: text, after_seconds: 1 })
}

const parrot = Layer.effect(
  LanguageModel.LanguageModel,
  LanguageModel.make({
    generateText: (options) => Effect.succeed(answer(options)),
    streamText: () => Stream.die("The host asks for whole answers.")
  })
)

const server = HttpServer.layer({ port: Number(port), host: "127.0.0.1" }).pipe(
  Layer.provide(SqliteHost.layer({ file, model: parrot }))
)

const program = Effect.gen(function* () {
  const { address } = yield* Bound.HttpServer
  yield* Console.log(`Listening on ${Bound.formatAddress(address)}`)
  return yield* Effect.never
})

NodeRuntime.runMain(Effect.provide(program, server))
