/** What tests of the store share: a folder that is removed afterwards, processes, headers, events. */
import { spawn, type SpawnOptions } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import * as Instant from "../../src/domain/Instant.ts"
import { type NewEvent, type SessionHeader, SessionId } from "../../src/domain/Session.ts"

/** A folder of its own, for as long as the scope is open. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "session-schedule-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const at = Instant.clamp(1_796_115_600_000)

export const header = (id: string): SessionHeader => ({ version: 1, id: SessionId.make(id), createdAt: at })

export const change = (data: unknown): NewEvent => ({ at, type: "schedule/change", data })

export const message = (data: unknown): NewEvent => ({ at, type: "inbox/queued", data })

const program = fileURLToPath(new URL("StoreProcess.ts", import.meta.url))

/**
 * A process that opens a Session of the store and commits so many changes to it, one by one; see `StoreProcess.ts`. It is
 * killed once it has confirmed as many as `kill`, and with the scope. Answers what it wrote.
 */
export const runProcess = Effect.fnUntraced(function* (
  place: string,
  session: string,
  commits: number,
  { kill = Number.POSITIVE_INFINITY, ...options }: SpawnOptions & { readonly kill?: number } = {}
) {
  const start = Effect.sync(() =>
    spawn(process.execPath, ["--no-warnings", program, place, session, `${commits}`], options)
  )
  const child = yield* Effect.acquireRelease(start, (child) => Effect.sync(() => child.kill("SIGKILL")))
  return yield* Effect.callback<{ readonly code: number | null; readonly output: string; readonly errors: string }>(
    (resume) => {
      let output = ""
      let errors = ""
      child.stdout?.on("data", (chunk) => {
        output += String(chunk)
        if (output.split("\n").length > kill) child.kill("SIGKILL")
      })
      child.stderr?.on("data", (chunk) => {
        errors += String(chunk)
      })
      child.on("close", (code) => resume(Effect.succeed({ code, output, errors })))
    }
  )
})
