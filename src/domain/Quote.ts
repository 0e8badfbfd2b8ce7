/**
 * A caller's text inside a message of ours: one line, no control or invisible characters, never long.
 */

const MAX_LENGTH = 60
const MAX_LINE = 200

const invisible = /(?! )[\p{C}\p{Z}]/gu

const escape = (character: string): string =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("")

const visible = (text: string): string => text.replace(invisible, escape)

/** The beginning of a text that came from elsewhere, in one line: nothing in it moves a cursor, or ends the line. */
export const line = (text: string): string =>
  Array.from(visible(text.replaceAll(/\s+/gu, " ")))
    .slice(0, MAX_LINE)
    .join("")

/** The text as a JSON string in which nothing is invisible; of a long text its beginning and its length. */
export const quote = (text: string): string => {
  const quoted = visible(JSON.stringify(text.slice(0, MAX_LENGTH)))
  return text.length > MAX_LENGTH ? `${quoted}... (${text.length} characters)` : quoted
}
