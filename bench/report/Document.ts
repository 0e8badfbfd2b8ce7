/**
 * `docs/benchmarks.md`, made of the runs that are kept.
 */
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { type Section, sections } from "../sections.ts"
import * as Figure from "./Figure.ts"
import * as Run from "./Run.ts"
import * as SectionTables from "./Section.ts"
import * as Table from "./Table.ts"

const file = fileURLToPath(new URL("../../docs/benchmarks.md", import.meta.url))

const INTRODUCTION = `# Benchmarks

Made by \`npm run bench\`: peers, floors and ours side by side in one run, so that the noise of the machine hits all of
them alike. Look at the ratios: figures of two machines, or of two hours on one, can't be compared. The columns of each
table are the last two runs of its section. A cell is the median of several rounds and, in brackets, the smallest and the
largest of them, then how many times ours that is. A floor is what no implementation could beat: the same outcome by the
least that the disk, SQLite or the processor has to do.

\`npm run bench -- creates herd\` runs some of the sections, \`npm run bench -- --quick\` shows only that all run and keeps
nothing. Peers are installed in \`bench/\` by the first run; PostgreSQL and Redis are started for it and stopped.
PostgreSQL comes with \`npm ci\`, Redis is \`apt-get install redis-server\`, and its peer is left out where that is missing.`

const machineOf = ({ at, machine, sections }: Run.Run): Table.Cells => [
  at.slice(0, 16).replace("T", " "),
  Object.keys(sections).join(", "),
  `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB`,
  `${machine.system}, Node ${machine.node}, SQLite ${machine.sqlite}`,
  `${Figure.format(machine.syncsPerSecond)} /s`,
  Figure.format(machine.load),
  machine.commit
]

const machines = (runs: ReadonlyArray<Run.Run>): string =>
  Table.render(
    ["run (UTC)", "sections", "machine", "software", "fdatasync", "load before", "commit"],
    runs.map(machineOf)
  )

const section = ([name, { title, says, missed }]: readonly [string, Section], runs: ReadonlyArray<Run.Run>): string => {
  const shown = Run.lastTwo(runs, name)
  const tables = shown.length === 0 ? "Not measured yet." : SectionTables.render(name, shown)
  const why = missed === undefined ? "" : `\n\nWhy goals are missed: ${missed}`
  return `## ${title}\n\n\`npm run bench -- ${name}\`. ${says}${why}\n\n${tables}`
}

export const write = (): void => {
  const runs = Run.all()
  const named = Object.entries(sections)
  const shown = runs.filter((run) => named.some(([name]) => Run.lastTwo(runs, name).includes(run)))
  const parts = [INTRODUCTION, machines(shown), ...named.map((entry) => section(entry, runs))]
  writeFileSync(file, `${parts.join("\n\n")}\n`)
}
