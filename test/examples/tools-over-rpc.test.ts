import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const example = fileURLToPath(new URL("../../examples/tools-over-rpc.ts", import.meta.url))

it.live("the tools' RPC endpoint works in a server of someone else's, for those who know its token", () =>
  Effect.gen(function* () {
    const { stdout } = yield* Effect.promise((signal) => promisify(execFile)(process.execPath, [example], { signal }))
    const [refused, listed, ...heard] = stdout.trim().split("\n")
    assert.strictEqual(refused, "without the token: unauthorized")
    assert.strictEqual(listed, "schedule-1 (after): stretch")
    assert.include(heard, 'reminder_prompt: "stretch"')
  })
)
