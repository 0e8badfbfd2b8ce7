/**
 * What a page of the documentation shows: its blocks of code, and its tables.
 */
import { existsSync, readFileSync } from "node:fs"

const root = new URL("../../", import.meta.url)

/** A file of the project by its path, from the root on. */
export const read = (path: string): string => readFileSync(new URL(path, root), "utf8")

export const exists = (path: string): boolean => existsSync(new URL(path, root))

const FENCE = /^```(\w*)\n([^]*?)^```$/gmu

/** The blocks of code in that language, in order. */
export const blocks = (page: string, language: string): ReadonlyArray<string> =>
  Array.from(page.matchAll(FENCE), ([, found = "", text = ""]) => ({ found, text }))
    .filter(({ found }) => found === language)
    .map(({ text }) => text)

/** The text without its blocks of code. */
export const prose = (page: string): string => page.replaceAll(FENCE, "")

const cellsOf = (line: string): ReadonlyArray<string> =>
  line
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim())

/** A cell that is nothing but code, as that code. */
export const code = (cell = ""): string => /^`([^`]*)`$/u.exec(cell)?.[1] ?? cell

/** All code that a cell holds. */
export const codes = (cell = ""): ReadonlyArray<string> =>
  Array.from(cell.matchAll(/`([^`]+)`/gu), ([, text = ""]) => text)

/** The rows of the table whose head has these words, without the head. */
export const table = (page: string, ...head: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const lines = page.split("\n")
  const start = lines.indexOf(`| ${head.join(" | ")} |`.replaceAll("  ", " "))
  if (start < 0) throw new Error(`no table ${head.join(", ")}`)
  const rows = lines.slice(start + 2)
  return rows
    .slice(
      0,
      rows.findIndex((line) => !line.startsWith("|"))
    )
    .map(cellsOf)
}
