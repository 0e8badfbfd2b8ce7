import { spawnSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"

describe("The PostgreSQL of the tests", () => {
  it("leaves it to the process that started it with which code it ends", () => {
    const server = JSON.stringify(new URL("PgServer.ts", import.meta.url))
    const script = `const { make } = await import(${server}); await (await make()).remove(); process.exitCode = 3`
    const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
      timeout: 60_000
    })
    assert.deepStrictEqual([status, stderr], [3, ""])
  })
})
