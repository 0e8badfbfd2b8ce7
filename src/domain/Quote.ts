/**
 * A caller's text inside a message of ours: one line, no control or invisible characters, never long.
 */

const MAX_LENGTH = 60

const invisible = /(?! )[\p{C}\p{Z}]/gu

const escape = (character: string): string =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("")

/** The text as a JSON string in which nothing is invisible; of a long text its beginning and its length. */
export const quote = (text: string): string => {
  const quoted = JSON.stringify(text.slice(0, MAX_LENGTH)).replace(invisible, escape)
  return text.length > MAX_LENGTH ? `${quoted}... (${text.length} characters)` : quoted
}
