/**
 * Real faults against the real server: `node test/torture/main.ts [--seed TEXT] [--short] [part of a name]`. Exits with
 * 1 if anything that was acknowledged is not so in the end.
 */
import { parseArgs } from "node:util"
import { Effect } from "effect"
import * as Fault from "./Fault.ts"
import * as Faults from "./Faults.ts"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string", default: String(Date.now()) }, short: { type: "boolean", default: false } }
})

const COUNTS = ["answered", "acknowledged", "unknown", "delivered", "active", "deleted"] as const
const columns = ["fault", "did", ...COUNTS, "seconds", "verdict"]

const row = ({ name, did, counts, seconds, faults }: Fault.Outcome): ReadonlyArray<string> => [
  name,
  did,
  ...COUNTS.map((count) => String(counts[count])),
  String(seconds),
  faults.length === 0 ? "well" : `${faults.length} faults`
]

const table = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = columns.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)))
  return rows.map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")).join("\n")
}

const main = Effect.gen(function* () {
  console.log(`Seed: ${values.seed}`)
  const chosen = Faults.all(values.short ? "short" : "long").filter(({ name }) =>
    positionals.every((part) => name.includes(part))
  )
  const outcomes: Array<Fault.Outcome> = []
  for (const fault of chosen) {
    const outcome = yield* Fault.run(fault, values.seed)
    console.log(`${outcome.name}: ${outcome.faults.length === 0 ? "well" : "FAULTS"}`)
    for (const line of outcome.faults.slice(0, 20)) console.log(`  ${line}`)
    outcomes.push(outcome)
  }
  console.log(`\n${table([columns, ...outcomes.map(row)])}`)
  const failed = outcomes.some(({ faults }) => faults.length > 0)
  if (failed) console.log(`\nAgain: node test/torture/main.ts --seed ${values.seed}`)
  process.exitCode = failed ? 1 : 0
})

const controller = new AbortController()
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => controller.abort())
await Effect.runPromise(main, { signal: controller.signal })
