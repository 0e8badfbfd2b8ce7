/**
 * What the environment variables of OpenTelemetry may hold, by its specification and by what can be done here. The
 * library takes any number and address, and would export without pause, or to nowhere.
 */
import { Config, Effect, Option } from "effect"

interface Rule {
  readonly names: ReadonlyArray<string>
  readonly isUsable: (value: string) => boolean
  /** What to write instead. */
  readonly expected: string
}

const SIGNALS = ["TRACES", "METRICS", "LOGS"] as const

/** The variable for all signals, and those for one. */
const otlp = (what: string) => [
  `OTEL_EXPORTER_OTLP_${what}`,
  ...SIGNALS.map((signal) => `OTEL_EXPORTER_OTLP_${signal}_${what}`)
]

const oneOf = (names: ReadonlyArray<string>, ...values: ReadonlyArray<string>): Rule => ({
  names,
  isUsable: (value) => values.includes(value),
  expected: values.join(" or ")
})

const positive = (names: ReadonlyArray<string>, unit: string): Rule => ({
  names,
  isUsable: (value) => /^[1-9]\d{0,8}$/u.test(value),
  expected: `a whole number of ${unit}, from 1 to 999999999`
})

const isAddress = (value: string): boolean => /^https?:$/u.test(URL.parse(value)?.protocol ?? "")

const isHeader = (pair: string): boolean => /^[\w!#$%&'*+\-.^`|~]+\s*=[^\r\n]*$/u.test(pair.trim())

const isExporters = (value: string): boolean => value.split(",").every((name) => /^(?:otlp|none)?$/iu.test(name.trim()))

const rules: ReadonlyArray<Rule> = [
  { names: otlp("ENDPOINT"), isUsable: isAddress, expected: "an address such as http://127.0.0.1:4318" },
  {
    names: otlp("HEADERS"),
    isUsable: (value) => value.split(",").every(isHeader),
    expected: "key=value, several with commas between them"
  },
  oneOf(otlp("PROTOCOL"), "http/protobuf", "http/json"),
  oneOf(otlp("COMPRESSION"), "gzip", "none"),
  oneOf(["OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE"], "cumulative", "delta"),
  { names: SIGNALS.map((signal) => `OTEL_${signal}_EXPORTER`), isUsable: isExporters, expected: "otlp or none" },
  positive(
    [
      ...otlp("TIMEOUT"),
      ...["BSP", "BLRP"].flatMap((batch) => [`OTEL_${batch}_SCHEDULE_DELAY`, `OTEL_${batch}_EXPORT_TIMEOUT`]),
      "OTEL_METRIC_EXPORT_INTERVAL",
      "OTEL_METRIC_EXPORT_TIMEOUT"
    ],
    "milliseconds"
  ),
  positive(["OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "OTEL_BLRP_MAX_EXPORT_BATCH_SIZE"], "entries")
]

/** The value; an empty variable is one that is not set. */
const valueOf = (name: string): Effect.Effect<string> => Effect.orDie(Config.String(name).pipe(Config.withDefault("")))

/** Whether anything is to be sent: the variables of a host that sends nothing may be meant for other programs. */
export const isSending = Effect.gen(function* () {
  if ((yield* valueOf("OTEL_SDK_DISABLED")).toLowerCase() === "true") return false
  return (yield* Effect.forEach(otlp("ENDPOINT"), valueOf)).some((value) => value !== "")
})

/** Protocols of single signals are not told apart. */
const otherProtocol = Effect.gen(function* () {
  const [all = "", ...single] = yield* Effect.forEach(otlp("PROTOCOL"), valueOf)
  const at = single.findIndex((value) => value !== "" && value !== (all || "http/protobuf"))
  return at < 0
    ? Option.none<string>()
    : Option.some(`${otlp("PROTOCOL")[at + 1]} can't differ: write OTEL_EXPORTER_OTLP_PROTOCOL, for all signals.`)
})

/** What can't be used, and what to write instead: the name of the variable, and never its value, which may be a key. */
export const fault: Effect.Effect<Option.Option<string>> = Effect.gen(function* () {
  for (const { names, isUsable, expected } of rules) {
    for (const name of names) {
      const value = (yield* valueOf(name)).trim()
      if (value !== "" && !isUsable(value)) {
        return Option.some(`${name} has a value that can't be used: write ${expected}.`)
      }
    }
  }
  return yield* otherProtocol
})
