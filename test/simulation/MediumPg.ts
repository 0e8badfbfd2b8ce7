/**
 * The real PostgreSQL store as a medium. The machine's time stands still while the store works: it runs in a thread of
 * its own, and this one sleeps until it has answered. So a history is played the same way over every medium, and each of
 * its reads, commits and openings is the real one.
 */
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads"
import type { Medium } from "./Medium.ts"
import type { Answer, Method, Question } from "./MediumPgThread.ts"

/** How long the store may take, in milliseconds. */
const PATIENCE = 30_000

export interface Store {
  /** A new Session. */
  readonly make: () => Medium
  readonly close: () => Promise<void>
}

export const open = (url: string, schema: string): Store => {
  const { port1: here, port2: there } = new MessageChannel()
  const bell = new Int32Array(new SharedArrayBuffer(4))
  const thread = new Worker(new URL("MediumPgThread.ts", import.meta.url), {
    workerData: { url, schema, port: there, bell },
    transferList: [there],
    execArgv: ["--no-warnings"]
  })
  let sessions = 0

  const ask = <M extends Method>(method: M, ...parameters: Question<M>): Answer<M> => {
    Atomics.store(bell, 0, 0)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
    here.postMessage({ method, parameters })
    if (Atomics.wait(bell, 0, 0, PATIENCE) === "timed-out") throw new Error("the store does not answer")
    const { message } = receiveMessageOnPort(here) as { message: { answer: Answer<M>; error?: string } }
    const { answer, error } = message
    if (error !== undefined) throw new Error(error)
    return answer
  }

  const medium = (id: string): Medium => {
    let key = 0
    return {
      page: (from, limit) => ask("page", id, from, limit),
      changes: (from, to) => ask("changes", id, from, to),
      own: () => {
        const owned = ask("own", id)
        key = owned.key
        return owned
      },
      isOwner: (owner) => ask("isOwner", key, owner),
      store: (owner, added) => ask("store", key, owner, added),
      fork: () => {
        const child = `s${++sessions}`
        ask("fork", id, child)
        return medium(child)
      },
      forget: () => ask("forget", id)
    }
  }

  return {
    make: () => {
      const id = `s${++sessions}`
      ask("create", id)
      return medium(id)
    },
    close: async () => {
      ask("close")
      here.close()
      await thread.terminate()
    }
  }
}
