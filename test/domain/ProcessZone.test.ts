import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const program = fileURLToPath(new URL("./Answers.ts", import.meta.url))

interface Printed {
  readonly timeZone: string
  readonly answers: { readonly requests: ReadonlyArray<unknown>; readonly decisions: ReadonlyArray<unknown> }
}

const run = async (zone: string): Promise<Printed> => {
  const options = { env: { ...process.env, TZ: zone }, maxBuffer: 2 ** 26 }
  const { stdout } = await promisify(execFile)(process.execPath, [program], options)
  return JSON.parse(stdout) as Printed
}

describe("the zone of the process", () => {
  it("changes none of the answers to the test vectors", async () => {
    const zones = ["UTC", "Asia/Shanghai", "America/New_York", "Pacific/Apia"]
    const printed: Array<Printed> = []
    for (const zone of zones) printed.push(await run(zone))
    assert.deepStrictEqual(
      printed.map(({ timeZone }) => timeZone),
      zones
    )
    const [first, ...others] = printed.map(({ answers }) => answers)
    assert.isAbove(first?.requests.length ?? 0, 1_000)
    assert.isAbove(first?.decisions.length ?? 0, 200)
    for (const other of others) assert.deepStrictEqual(other, first)
  })
})
