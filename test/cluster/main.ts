/**
 * Real faults against a real cluster: `node test/cluster/main.ts [--seed TEXT] [--sessions N] [--rounds N]`. Exits with 1
 * if anything that was acknowledged is not so in the end.
 */
import { parseArgs } from "node:util"
import { Effect } from "effect"
import * as Fault from "../torture/Fault.ts"
import * as Blows from "./Blows.ts"
import * as Torture from "./Torture.ts"

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Date.now()) },
    sessions: { type: "string", default: "300" },
    rounds: { type: "string", default: "3" }
  }
})

const { kill, freeze, stop, noStore, noPeers, alone, crash, cutOff } = Blows
const blows = [kill, freeze, stop, noStore, noPeers, alone, crash, cutOff]

const main = Effect.gen(function* () {
  console.log(`Seed: ${values.seed}`)
  const { did, counts, faults, seconds } = yield* Fault.run(
    Torture.torture({
      sessions: Number(values.sessions),
      callers: 24,
      blows: Array.from({ length: Number(values.rounds) }, () => blows).flat(),
      millis: [6_000, 10_000]
    }),
    values.seed
  )
  console.log(`From each blow to the last reminder that was late for it:\n  ${did.replaceAll("; ", "\n  ")}`)
  console.log(
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(", ")
  )
  console.log(`${seconds} seconds: ${faults.length === 0 ? "well" : `${faults.length} FAULTS`}`)
  for (const fault of faults.slice(0, 40)) console.log(`  ${fault}`)
  process.exitCode = faults.length === 0 ? 0 : 1
})

const controller = new AbortController()
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => controller.abort())
await Effect.runPromise(main, { signal: controller.signal })
