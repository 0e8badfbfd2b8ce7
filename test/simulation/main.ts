/**
 * `node test/simulation/main.ts [--histories 10000] [--seed 1]` plays so many histories, of that seed and the ones after
 * it, and stops at the first that fails.
 */
import { parseArgs } from "node:util"
import * as Report from "./Report.ts"

const { values } = parseArgs({
  options: { histories: { type: "string", default: "10000" }, seed: { type: "string", default: "1" } }
})
const [histories, first] = [Number(values.histories), Number(values.seed)]
if (!Number.isSafeInteger(histories) || histories < 1 || !Number.isSafeInteger(first)) {
  console.error("--histories and --seed are whole numbers")
  process.exit(2)
}

const tally: Report.Tally = new Map()
const begun = performance.now()
const rate = (played: number) => `${Math.round((played * 1_000) / (performance.now() - begun))} a second`

let failure: string | undefined
let played = 0
while (played < histories && failure === undefined) {
  failure = Report.play(first + played++, tally)
  if (played % 500 === 0) console.error(`${played} of ${histories} histories, ${rate(played)}`)
}
console.log(Report.table(tally))
console.log(`\n${played} histories from seed ${first}, ${rate(played)}`)
if (failure !== undefined) {
  console.log(`\n${failure}`)
  process.exitCode = 1
}
