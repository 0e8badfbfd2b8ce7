/**
 * What is logged, one line for each entry, whatever text it holds: prompts and ids are anyone's words.
 */
import { Layer, Logger } from "effect"

/** What could begin a line of its own in some viewer, move its cursor, or turn its text around. */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

const escape = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, n) => `\\u${character.charCodeAt(n).toString(16).padStart(4, "0")}`
  ).join("")

/** An entry as `key=value` pairs. */
export const format = Logger.map(Logger.formatLogFmt, (line) => line.replaceAll(CONTROLS, escape))

/** Logs beside the output, which is for what was asked for. */
export const layer = Layer.mergeAll(
  Logger.layer([Logger.withConsoleError(format)]),
  Layer.succeed(Logger.LogToStderr, true)
)
