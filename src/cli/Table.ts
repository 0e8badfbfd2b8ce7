/**
 * Rows of text in columns, for people.
 */

/** Text that moves no cursor, wherever it came from: prompts are anyone's words. */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")

/** Text cut to a number of characters. */
export const shorten = (text: string, length: number): string => {
  const characters = Array.from(printable(text))
  return characters.length <= length ? characters.join("") : `${characters.slice(0, length - 1).join("")}…`
}

/** The rows under their titles, each column as wide as its widest cell. */
export const render = (titles: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const all = [titles, ...rows]
  const widths = titles.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}
