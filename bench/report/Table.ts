/**
 * A table in Markdown, which a terminal shows well, too.
 */
export type Cells = ReadonlyArray<string>

const line = (cells: Cells, widths: ReadonlyArray<number>): string =>
  `| ${cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(" | ")} |`

export const render = (head: Cells, rows: ReadonlyArray<Cells>): string => {
  const widths = head.map((_, n) => Math.max(3, ...[head, ...rows].map((cells) => cells[n]?.length ?? 0)))
  const rule = widths.map((width) => "-".repeat(width))
  return [head, rule, ...rows].map((cells) => line(cells, widths)).join("\n")
}
