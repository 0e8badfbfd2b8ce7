/**
 * Programs of the benchmark in processes of their own: what one leaves in memory, or in the compiler, is no other's burden.
 */
import { type ChildProcess, fork } from "node:child_process"

const alive = new Set<ChildProcess>()
process.on("exit", () => {
  for (const child of alive) child.kill("SIGTERM")
})

export interface Options {
  readonly args?: ReadonlyArray<string>
  readonly flags?: ReadonlyArray<string>
}

/** A program that runs until it is told to end, or does by itself. */
export const start = (program: URL, { args = [], flags = [] }: Options = {}): ChildProcess => {
  const child = fork(program, [...args], {
    execArgv: ["--expose-gc", "--no-warnings", ...flags],
    stdio: ["ignore", "inherit", "inherit", "ipc"]
  })
  alive.add(child)
  child.once("exit", () => alive.delete(child))
  return child
}

/** The first message of a program; fails if it ends without one. */
export const firstMessage = <A>(child: ChildProcess): Promise<A> =>
  new Promise((resolve, reject) => {
    child.once("message", (message) => resolve(message as A))
    child.once("exit", (code, signal) => reject(new Error(`${child.spawnargs[3]} ended with ${code ?? signal}`)))
  })

/** Runs a program to its end, and answers the one message that it sent. */
export const run = async <A>(program: URL, options?: Options): Promise<A> => {
  const child = start(program, options)
  const ended = new Promise((resolve) => child.once("exit", resolve))
  const answer = await firstMessage<A>(child)
  await ended
  return answer
}

/** Sends the answer of this program. */
export const answer = (message: unknown): Promise<void> =>
  new Promise((resolve, reject) => {
    process.send?.(message, (error: Error | null) => (error === null ? resolve() : reject(error)))
  })
