/**
 * Writes each deliberate fault into a copy of the source, runs the tests that must notice, and says which did not.
 * `node test/mutants/main.ts [WORD]` runs those whose fault or file has the word.
 */
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Mutant } from "./Mutant.ts"
import { mutants } from "./mutants.ts"

const root = new URL("../..", import.meta.url).pathname
const copy = mkdtempSync(join(tmpdir(), "session-schedule-mutants-"))

const prepare = () => {
  for (const part of ["src", "test", "examples", "package.json", "tsconfig.json", "vitest.config.ts"]) {
    cpSync(join(root, part), join(copy, part), { recursive: true })
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"))
}

const runTests = (tests: ReadonlyArray<string>): boolean => {
  const vitest = join(root, "node_modules/vitest/vitest.mjs")
  const options = ["run", "--bail", "1", "--testTimeout", "10000", "--hookTimeout", "5000"]
  const { status } = spawnSync(process.execPath, [vitest, ...options, ...tests], {
    cwd: copy,
    stdio: "ignore",
    timeout: 180_000
  })
  return status === 0
}

const survives = ({ file, find, replace, tests }: Mutant): boolean => {
  const path = join(copy, "src", file)
  const source = readFileSync(path, "utf8")
  for (const test of tests) if (!existsSync(join(copy, test))) throw new Error(`There is no ${test}`)
  if (source.split(find).length !== 2) throw new Error(`${file} must have this text exactly once: ${find}`)
  writeFileSync(
    path,
    source.replace(find, () => replace)
  )
  try {
    return runTests(tests)
  } finally {
    writeFileSync(path, source)
  }
}

const [word = ""] = process.argv.slice(2)
const chosen = mutants.filter(({ fault, file }) => `${fault} ${file}`.includes(word))
try {
  prepare()
  if (!runTests([...new Set(chosen.flatMap(({ tests }) => tests))])) throw new Error("the tests fail without a fault")
  const survivors: ReadonlyArray<Mutant> = chosen.filter((mutant) => {
    const survived = survives(mutant)
    console.log(`${survived ? "SURVIVED" : "killed  "}  ${mutant.file.padEnd(30)}  ${mutant.fault}`)
    return survived
  })
  console.log(`\n${chosen.length - survivors.length} of ${chosen.length} faults were noticed.`)
  process.exitCode = survivors.length === 0 ? 0 : 1
} finally {
  rmSync(copy, { recursive: true, force: true })
}
