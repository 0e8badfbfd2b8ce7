/**
 * Which model `serve` runs with: the local one, or one behind an OpenAI-compatible endpoint. Neither is loaded before it
 * is chosen.
 */
import { Config, Effect, Layer, Option, Redacted } from "effect"
import type { LanguageModel } from "effect/ai"
import { Flag } from "effect/cli"
import { type Refusal, refuse, type WrongUsage, wrongUsage } from "./Output.ts"

export const flags = {
  modelUrl: Flag.String("model-url").pipe(
    Flag.withMetavar("URL"),
    Flag.optional,
    Flag.withDescription(
      "An OpenAI-compatible API, such as http://127.0.0.1:11434/v1; its key is read from SESSION_SCHEDULE_MODEL_KEY " +
        "(default: the local model, which needs none)"
    )
  ),
  model: Flag.String("model").pipe(
    Flag.withMetavar("NAME"),
    Flag.optional,
    Flag.withDescription("The model to ask for there")
  )
}

interface Flags {
  readonly modelUrl: Option.Option<string>
  readonly model: Option.Option<string>
}

export type ModelLayer = Layer.Layer<LanguageModel.LanguageModel>

/** The key, as it can be sent in a header; `undefined` if there is none. */
const readKey = Effect.gen(function* () {
  const given = yield* Effect.orDie(Config.option(Config.Redacted("SESSION_SCHEDULE_MODEL_KEY")))
  const key = Option.match(given, { onNone: () => "", onSome: (key) => Redacted.value(key).trim() })
  if (/[^!-~]/u.test(key)) {
    return yield* refuse("invalid_model_key", "SESSION_SCHEDULE_MODEL_KEY is no key: write its characters alone.")
  }
  return key === "" ? undefined : Redacted.make(key)
})

/** The address without what would be appended to in vain, or would have to be kept secret. */
const readUrl = (text: string): Effect.Effect<string, Refusal> => {
  const { protocol = "", username, password, search, hash } = URL.parse(text) ?? {}
  return /^https?:$/u.test(protocol) && [username, password, search, hash].join("") === ""
    ? Effect.succeed(text.trim().replace(/\/+$/u, ""))
    : refuse(
        "invalid_model_url",
        "--model-url is no address of an API: write one such as http://127.0.0.1:11434/v1, without a key in it."
      )
}

const local: Effect.Effect<ModelLayer> = Effect.map(
  Effect.promise(() => import("../host/LocalModel.ts")),
  ({ layer }) => layer
)

const remote = Effect.fnUntraced(function* (address: string, model: string) {
  const options = { url: yield* readUrl(address), model, key: yield* readKey }
  const { layer } = yield* Effect.promise(() => import("../host/OpenAiModel.ts"))
  return layer(options)
})

/** The model that the flags name. */
export const choose = ({ modelUrl, model }: Flags): Effect.Effect<ModelLayer, Refusal | WrongUsage> => {
  const [url, name] = [modelUrl, model].map((flag) => Option.getOrElse(flag, () => "").trim())
  if (Option.isNone(modelUrl) && Option.isNone(model)) return local
  return url && name ? remote(url, name) : wrongUsage("--model-url and --model go together: give both, or neither.")
}
