/**
 * `npm run bench -- [SECTION …] [--quick] [--profile FOLDER]`: measures ours, its peers and its floors side by side, prints
 * the tables, and writes them to `docs/benchmarks.md`.
 */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import * as Child from "./measure/Child.ts"
import * as Machine from "./measure/Machine.ts"
import type { Section, Size } from "./measure/Row.ts"
import * as Document from "./report/Document.ts"
import * as Run from "./report/Run.ts"
import * as SectionTables from "./report/Section.ts"
import { sections } from "./sections.ts"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false }, profile: { type: "string" } }
})

const unknown = positionals.filter((name) => sections[name] === undefined)
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(", ")}; the sections are ${Object.keys(sections).join(", ")}`)
  process.exit(2)
}

/** The peers are nobody else's business, so they are installed by who measures. */
const installPeers = (): void => {
  const cwd = fileURLToPath(new URL(".", import.meta.url))
  if (existsSync(`${cwd}node_modules`)) return
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd, stdio: "inherit" })
  if (status !== 0) throw new Error("The peers could not be installed")
}

const measure = (name: string, size: Size): Promise<Section> => {
  const profile = values.profile === undefined ? [] : [resolve(values.profile)]
  return Child.run(new URL("section.ts", import.meta.url), { args: [name, size, ...profile] })
}

const main = async (): Promise<void> => {
  installPeers()
  const size = values.quick ? "quick" : "full"
  const chosen = Object.keys(sections).filter((name) => positionals.length === 0 || positionals.includes(name))
  const machine = Machine.facts()
  const run = { at: new Date().toISOString(), machine, sections: {} as Record<string, Section> }
  for (const name of chosen) {
    run.sections[name] = await measure(name, size)
    console.log(`\n${sections[name]?.title}\n\n${SectionTables.render(name, [run])}`)
    if (size === "quick") continue
    Run.keep(run)
    Document.write()
  }
}

await main()
