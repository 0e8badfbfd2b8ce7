import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const example = fileURLToPath(new URL("../../examples/demo.ts", import.meta.url))

it.live("the demo shows a reminder, and one that was due while the server was dead, each once", () =>
  Effect.gen(function* () {
    const { stdout } = yield* Effect.promise((signal) => promisify(execFile)(process.execPath, [example], { signal }))
    const lines = stdout.trim().split("\n")
    const due = lines.filter((line) => line.includes("Reminder: ")).filter((line) => line.endsWith("is due"))
    assert.deepStrictEqual(
      due.map((line) => line.slice("00:00:00  ".length)),
      ["Reminder: schedule-1 is due", "Reminder: schedule-4 is due"]
    )
    assert.isBelow(lines.indexOf("SIGKILL. Nobody is there when the reminder comes due."), lines.indexOf(due[1] ?? ""))
    assert.strictEqual(lines.at(-1), "Delivered: 2 reminders, each once.")
  })
)
