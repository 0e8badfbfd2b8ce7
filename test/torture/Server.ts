/**
 * The real server as a child process: started, signalled, and judged by what it wrote beside its output.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Data, Effect, type Scope } from "effect"

const program = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** The command as users run it. */
const MAIN = program("../../src/cli/main.ts")

/** A process that ended: with a code, or by a signal. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
}

/** The server ended before it listened. */
export class NotStarted extends Data.TaggedError("NotStarted")<{ readonly ended: Ended }> {
  override get message() {
    return `The server ended before it listened: ${JSON.stringify(this.ended)}`
  }
}

export interface Options {
  /** The file of its database, if it has one. */
  readonly db?: string
  /** Further arguments. */
  readonly args?: ReadonlyArray<string>
  /** The program to run instead of the command, with the command's arguments. */
  readonly main?: string
  /** What goes in front of the program, such as a shell that sets limits. */
  readonly prefix?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  /** Run as this user, if we are the superuser. */
  readonly uid?: number
}

export interface Server {
  readonly process: ChildProcess
  /** Where it listens; waits until it does. */
  readonly url: Effect.Effect<string, NotStarted>
  readonly ended: Effect.Effect<Ended>
  signal(name: NodeJS.Signals): Effect.Effect<void>
  /** Ends it with a signal, and waits for its end. */
  stop(name: NodeJS.Signals): Effect.Effect<Ended>
  /** What it wrote beside its output so far. */
  readonly err: string
}

const alive = new Set<ChildProcess>()
process.on("exit", () => {
  for (const child of alive) child.kill("SIGKILL")
})

const run = ({ db, args = [], main = MAIN, prefix = [], env = {}, uid }: Options): ChildProcess => {
  const file = db === undefined ? [] : ["--db", db]
  const line = [...prefix, process.execPath, main, "serve", "--port", "0", "--json", ...file, ...args]
  const child = spawn(line[0] ?? "", line.slice(1), {
    stdio: ["ignore", "pipe", "pipe", ...(main === MAIN ? [] : ["ipc" as const])],
    env: { ...process.env, ...env },
    ...(uid === undefined ? {} : { uid, gid: uid })
  })
  alive.add(child)
  child.once("close", () => alive.delete(child))
  return child
}

const make = (child: ChildProcess): Server => {
  let out = ""
  let err = ""
  child.stdout?.setEncoding("utf8").on("data", (part: string) => (out += part))
  child.stderr?.setEncoding("utf8").on("data", (part: string) => (err += part))
  const ended = Effect.callback<Ended>((resume) => {
    const done = () => resume(Effect.succeed({ code: child.exitCode, signal: child.signalCode, out, err }))
    if (alive.has(child)) child.once("close", done)
    else done()
  })
  const signal = (name: NodeJS.Signals) => Effect.sync(() => void child.kill(name))
  const listening = Effect.callback<string>((resume) => {
    const look = () => {
      const url = out.includes("\n") ? JSON.parse(out).url : undefined
      if (url !== undefined) resume(Effect.succeed(url))
    }
    child.stdout?.on("data", look)
    look()
  })
  return {
    process: child,
    ended,
    signal,
    url: Effect.raceFirst(
      listening,
      Effect.flatMap(ended, (ended) => Effect.fail(new NotStarted({ ended })))
    ),
    stop: (name) => Effect.andThen(signal(name), ended),
    get err() {
      return err
    }
  }
}

/** A server that is gone with the scope, whether it listens by then or not. */
export const spawned = (options: Options): Effect.Effect<Server, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => make(run(options))),
    (server) => server.stop("SIGKILL")
  )

/** The same, once it listens. */
export const started = (options: Options): Effect.Effect<readonly [Server, string], NotStarted, Scope.Scope> =>
  Effect.flatMap(spawned(options), (server) => Effect.map(server.url, (url) => [server, url] as const))

/** A folder of its own, for as long as the scope is open. */
export const temporaryFolder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "session-schedule-torture-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** A line of the log output, or the one line that says why the command fails. */
const LINE = /^(?:timestamp=\S+ level=(?:INFO|WARN|ERROR) .+|session-schedule: .+)$/u

/** What nobody at a terminal should have to read: lines of another form, stack traces. */
export const unclear = (err: string): ReadonlyArray<string> =>
  err.split("\n").filter((line) => line !== "" && (!LINE.test(line) || /\n\s+at |\\n\s+at /u.test(line)))
