/**
 * A Redis server of our own, which loses nothing that it confirmed.
 */
import { spawn, spawnSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import * as Port from "./Port.ts"

export interface Redis {
  readonly port: number
  stop(): Promise<void>
}

export const SETTINGS = "appendfsync always"

/** Its version; none where it is not installed. */
export const version = (): string | undefined =>
  /v=([\d.]+)/u.exec(spawnSync("redis-server", ["--version"], { encoding: "utf8" }).stdout ?? "")?.[1]

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy()
      resolve(true)
    })
    socket.once("error", () => resolve(false))
  })

export const start = async (folder: string): Promise<Redis> => {
  const port = await Port.free()
  const dir = join(folder, "redis")
  mkdirSync(dir)
  const options = { port, dir, bind: "127.0.0.1", appendonly: "yes", appendfsync: "always", save: "" }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
  const server = spawn("redis-server", args, { stdio: "ignore" })
  process.on("exit", () => server.kill("SIGKILL"))
  while (!(await listens(port))) await new Promise((resolve) => setTimeout(resolve, 20))
  return {
    port,
    stop: () =>
      new Promise((resolve) => {
        server.once("exit", () => resolve())
        server.kill("SIGTERM")
      })
  }
}
