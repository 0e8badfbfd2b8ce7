/**
 * The host as a process of its own on a file, which can be ended and started again in the same place.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url))

export interface HostProcess {
  readonly url: string
  /** Ends the process. */
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Starts it again on the same file and port. */
  start(): Promise<void>
  /** Ends it, and removes its file. */
  remove(): Promise<void>
}

const serve = async (db: string, port: string, env: NodeJS.ProcessEnv): Promise<readonly [ChildProcess, string]> => {
  const child = spawn(process.execPath, [main, "serve", "--port", port, "--db", db], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env }
  })
  for await (const line of createInterface(child.stdout)) {
    const url = /http:\/\/[\d.:]+/u.exec(line)?.[0]
    if (url !== undefined) return [child, url]
  }
  throw new Error("The host ended before it listened.")
}

/** A host on a fresh file and a free port. */
export const start = async (env: NodeJS.ProcessEnv = {}): Promise<HostProcess> => {
  const folder = mkdtempSync(join(tmpdir(), "session-schedule-"))
  const db = join(folder, "host.db")
  let [child, url] = await serve(db, "0", env)
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, "exit")
  }
  return {
    url,
    stop,
    start: async () => {
      ;[child] = await serve(db, new URL(url).port, env)
    },
    remove: async () => {
      await stop("SIGKILL")
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
