/**
 * The tables of one section, with a column for each run that is shown.
 */
import { type Entry, type Goal, isMet, type Row } from "../measure/Row.ts"
import { median } from "../measure/Statistics.ts"
import * as Figure from "./Figure.ts"
import type { Run } from "./Run.ts"
import * as Table from "./Table.ts"

/** The rows of a section, in one run. */
type Rows = ReadonlyArray<Row>

const oursIn = ({ entries }: Row): Entry | undefined => entries.find(({ role }) => role === "ours")

/** How many times ours it is; nothing for what is not compared. */
const ratio = (row: Row, entry: Entry): string => {
  const ours = oursIn(row)
  if (ours === undefined || entry.role === "fact" || entry.unit !== undefined || entry === ours) return ""
  return ` · ${Figure.format(median(entry.samples) / median(ours.samples))} × ours`
}

const cell = (row: Row | undefined, who: string): string => {
  const entry = row?.entries.find((entry) => entry.who === who)
  if (row === undefined || entry === undefined) return ""
  return `${Figure.summary(entry.samples, entry.unit ?? row.unit)}${ratio(row, entry)}`
}

const same = (rows: Rows, { what }: Row): Row | undefined => rows.find((row) => row.what === what)

const nameOf = ({ who, role }: Entry): string => {
  if (role === "ours") return `**${who}**`
  return role === "floor" ? `floor: ${who}` : who
}

/** What was measured, by the last run. */
const measures = (last: Rows, runs: ReadonlyArray<Rows>): ReadonlyArray<Table.Cells> =>
  last.flatMap((row) =>
    row.entries.map((entry, n) => [
      n === 0 ? row.what : "",
      nameOf(entry),
      ...runs.map((rows) => cell(same(rows, row), entry.who))
    ])
  )

const verdict = (goal: Goal | undefined): string =>
  goal === undefined ? "" : `${Figure.withUnit(goal.value, goal.unit)}, ${isMet(goal) ? "met" : "**missed**"}`

const goalIn = (rows: Rows, what: string): Goal | undefined =>
  rows.flatMap(({ goals }) => goals).find((goal) => goal.what === what)

const goals = (last: Rows, runs: ReadonlyArray<Rows>): ReadonlyArray<Table.Cells> =>
  last.flatMap((row) =>
    row.goals.map((goal) => [
      goal.what,
      `${goal.sense} ${Figure.withUnit(goal.limit, goal.unit)}`,
      ...runs.map((rows) => verdict(goalIn(rows, goal.what)))
    ])
  )

/** The tables of a section, and what its last run saw besides. */
export const render = (name: string, runs: ReadonlyArray<Run>): string => {
  const found = runs.map(({ sections }) => sections[name]?.rows ?? [])
  const last = found.at(-1) ?? []
  const times = runs.map(({ at }) => at.slice(0, 16).replace("T", " "))
  const judged = goals(last, found)
  return [
    ...(judged.length === 0 ? [] : [Table.render(["goal", "limit", ...times], judged), ""]),
    Table.render(["what", "who", ...times], measures(last, found)),
    ...(runs.at(-1)?.sections[name]?.notes ?? []).map((note) => `\n- ${note}`)
  ].join("\n")
}
