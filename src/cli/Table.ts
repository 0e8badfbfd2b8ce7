/**
 * Rows of text in columns, for people.
 */
import * as Style from "./Style.ts"

/** Text that moves no cursor, wherever it came from: prompts are anyone's words. */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")

/** Text cut to a number of characters. */
export const shorten = (text: string, length: number): string => {
  const characters = Array.from(printable(text))
  return characters.length <= length ? characters.join("") : `${characters.slice(0, length - 1).join("")}…`
}

const width = (cell: string): number => Style.strip(cell).length

const line = (cells: ReadonlyArray<string>, widths: ReadonlyArray<number>): string =>
  cells
    .map((cell, column) => cell + " ".repeat(Math.max(0, (widths[column] ?? 0) - width(cell))))
    .join("  ")
    .trimEnd()

const widest = (rows: ReadonlyArray<ReadonlyArray<string>>, column: number): number =>
  rows.reduce((most, row) => Math.max(most, width(row[column] ?? "")), 0)

/** The rows under their titles, each column as wide as its widest cell. */
export const render = (titles: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = titles.map((_, column) => widest([titles, ...rows], column))
  return [Style.bold(line(titles, widths)), ...rows.map((row) => line(row, widths))].join("\n")
}
