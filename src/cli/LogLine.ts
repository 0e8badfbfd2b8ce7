/**
 * What is logged, one line for each entry, whatever text it holds: prompts and ids are anyone's words.
 */
import { Formatter, Layer, Logger } from "effect"

/** What could begin a line of its own in some viewer, move its cursor, or turn its text around. */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

const escape = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, n) => `\\u${character.charCodeAt(n).toString(16).padStart(4, "0")}`
  ).join("")

/** An entry as `key=value` pairs. */
export const format = Logger.map(Logger.formatLogFmt, (line) => line.replaceAll(CONTROLS, escape))

/** An entry as a JSON object, with the ids of the span that it belongs to where there is one. */
export const formatJson = Logger.make((options: Logger.Options<unknown>): string => {
  const { span } = options.fiber.cache
  const trace =
    span === undefined || !options.fiber.cache.tracerEnabled ? {} : { trace_id: span.traceId, span_id: span.spanId }
  return Formatter.formatJson({ ...Logger.formatStructured.log(options), ...trace }).replaceAll(CONTROLS, escape)
})

export const FORMATS = ["logfmt", "json"] as const
export type Format = (typeof FORMATS)[number]

/** Logs beside the output, which is for what was asked for. */
export const layerOf = (as: Format) =>
  Layer.mergeAll(
    Logger.layer([Logger.withConsoleError(as === "json" ? formatJson : format)]),
    Layer.succeed(Logger.LogToStderr, true)
  )

export const layer = layerOf("logfmt")
