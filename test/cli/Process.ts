/**
 * The command as a process of its own, ended with the test.
 */
import { Effect, FileSystem } from "effect"
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

export const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url))

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Options {
  /** What is started instead of the checkout's command on this Node. */
  readonly command?: readonly [string, ...ReadonlyArray<string>]
  readonly env?: Readonly<Record<string, string>>
  /** What its standard input holds; it has none without. */
  readonly stdin?: string
  /** The user that it runs as, which only the superuser may name. */
  readonly uid?: number | undefined
}

export const startWith = (
  { command: [file, ...first] = [process.execPath, main], env, stdin, uid }: Options,
  ...args: ReadonlyArray<string>
) =>
  Effect.gen(function* () {
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(file, [...first, ...args], {
          stdio: [stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
          env: { ...process.env, ...env },
          ...(uid === undefined ? {} : { uid })
        })
      ),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    )
    let out = ""
    let err = ""
    child.stdout?.setEncoding("utf8").on("data", (part: string) => (out += part))
    child.stderr?.setEncoding("utf8").on("data", (part: string) => (err += part))
    child.stdin?.end(stdin)
    const ended = Effect.callback<Ended>((resume) => {
      const done = () => resume(Effect.succeed({ code: child.exitCode, out, err }))
      if (child.exitCode !== null || child.signalCode !== null) done()
      else child.once("close", done)
    })
    const firstLine = Effect.callback<string>((resume) => {
      const look = () => (out.includes("\n") ? resume(Effect.succeed(out.trim())) : undefined)
      child.stdout?.on("data", look)
      child.once("close", () => resume(Effect.die(new Error(err))))
      look()
    })
    return {
      ended,
      firstLine,
      pid: child.pid,
      logged: Effect.sync(() => err),
      signal: (name: NodeJS.Signals) => Effect.sync(() => child.kill(name))
    }
  })

export const start = (...args: ReadonlyArray<string>) => startWith({}, ...args)

/** The host on a port that is free. */
export const serve = (db: string, ...args: ReadonlyArray<string>) =>
  start("serve", "--port", "0", "--db", db, "--json", ...args)

export const folder = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())
