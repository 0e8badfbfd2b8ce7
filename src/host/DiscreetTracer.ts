/**
 * A tracer whose spans never carry what people said. Libraries put what they please into spans, such as the arguments of
 * a model's tool call; only attributes that are known to be ours or harmless pass, and of a failure only its name.
 */
import { Cause, Exit, Option, Tracer } from "effect"

type SpanOptions = Parameters<Tracer.Tracer["span"]>[0]

/** Ours. */
const OWN = [
  "session_id",
  "schedule_id",
  "occurrence_at",
  "scheduled_at",
  "accepted_at",
  "kind",
  "stage",
  "turn",
  "messages",
  "outcome",
  "tool"
]

/** Those of OpenTelemetry that name no text of anyone: neither headers, paths, queries, nor what a model said. */
const STANDARD =
  /^(?:http\.(?:request\.method|route|response\.status_code)|server\.(?:address|port)|error\.type|db\.(?:system|operation)(?:\.name)?|db\.query\.text|rpc\.(?:system|method|service)(?:\.name)?|gen_ai\.(?:operation\.name|provider\.name|system|request\.model|response\.model|usage\.\w+))$/u

const own: ReadonlySet<string> = new Set(OWN)

const isKnown = (key: string): boolean => own.has(key) || STANDARD.test(key)

const nameOf = (error: unknown): string => {
  const { _tag, name } = Object(error) as { readonly _tag?: unknown; readonly name?: unknown }
  return [_tag, name].find((label) => typeof label === "string" && /^\w{1,64}$/u.test(label))?.toString() ?? "Error"
}

/** An error of that name, and of nothing else. */
const nameless = (error: unknown): Error => {
  const bare = new Error("")
  bare.name = nameOf(error)
  bare.stack = bare.name
  return bare
}

const discreet = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> =>
  Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? exit : Exit.fail(nameless(Cause.squash(exit.cause)))

/** A statement that no operation waits for: those of many Sessions that the store's writer commits together. */
const isStray = ({ kind, parent }: SpanOptions): boolean => kind === "client" && Option.isNone(parent)

/** The tracer, told less. A span's events are left out: they repeat the log output, which has its own place. */
export const make = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    ...tracer,
    span: (options) => {
      const span = tracer.span(isStray(options) ? { ...options, sampled: false } : options)
      const attribute = span.attribute.bind(span)
      const end = span.end.bind(span)
      return Object.assign(span, {
        attribute: (key: string, value: unknown) => (isKnown(key) ? attribute(key, value) : undefined),
        event: () => {},
        end: (endTime: bigint, exit: Exit.Exit<unknown, unknown>) => end(endTime, discreet(exit))
      })
    }
  })
