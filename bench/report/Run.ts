/**
 * One run of the benchmark, as it is kept.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Machine } from "../measure/Machine.ts"
import type { Section } from "../measure/Row.ts"

export interface Run {
  /** When it began, UTC. */
  readonly at: string
  readonly machine: Machine
  readonly sections: Readonly<Record<string, Section>>
}

const folder = fileURLToPath(new URL("../results/", import.meta.url))

const formatter = fileURLToPath(new URL("../../node_modules/.bin/oxfmt", import.meta.url))

/** Keeps a run, in a file named by its time, and formatted as every file of the project is. */
export const keep = (run: Run): void => {
  mkdirSync(folder, { recursive: true })
  const name = run.at.replaceAll(":", "-").replace(/\..*$/u, "")
  writeFileSync(`${folder}${name}.json`, JSON.stringify(run, null, 2))
  spawnSync(formatter, [`${folder}${name}.json`])
}

/** All that are kept, the oldest first. */
export const all = (): ReadonlyArray<Run> => {
  mkdirSync(folder, { recursive: true })
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"))
  return files.toSorted().map((name) => JSON.parse(readFileSync(`${folder}${name}`, "utf8")) as Run)
}

/** The last two runs that measured a section. */
export const lastTwo = (runs: ReadonlyArray<Run>, section: string): ReadonlyArray<Run> =>
  runs.filter(({ sections }) => sections[section] !== undefined).slice(-2)
