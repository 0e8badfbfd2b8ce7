/**
 * The queues of the field that keep what they are given, each over a server of its own.
 */
import * as BullMq from "./BullMq.ts"
import * as GraphileWorker from "./GraphileWorker.ts"
import type { Peer } from "./Peer.ts"
import * as PgBoss from "./PgBoss.ts"
import * as Postgres from "./Postgres.ts"
import * as Redis from "./Redis.ts"

export interface Queues {
  readonly peers: ReadonlyArray<Peer>
  /** Why one is missing, and how each of the others was set up. */
  readonly notes: ReadonlyArray<string>
  stop(): Promise<void>
}

type Stop = () => Promise<void>

const onPostgres = async (folder: string, stops: Array<Stop>): Promise<ReadonlyArray<Peer>> => {
  const server = await Postgres.start(folder)
  stops.push(() => server.stop())
  return [await GraphileWorker.start(server), await PgBoss.start(server)]
}

const onRedis = async (folder: string, stops: Array<Stop>): Promise<ReadonlyArray<Peer>> => {
  if (Redis.version() === undefined) throw new Error("redis-server is not installed (apt-get install redis-server)")
  const server = await Redis.start(folder)
  stops.push(() => server.stop())
  return [await BullMq.start(server)]
}

/** Starts what can be started. */
export const start = async (folder: string): Promise<Queues> => {
  const stops: Array<Stop> = []
  const missing: Array<string> = []
  const attempt = (name: string, started: Promise<ReadonlyArray<Peer>>) =>
    started.catch((error: unknown): ReadonlyArray<Peer> => {
      missing.push(`${name} could not be started: ${error instanceof Error ? error.message : String(error)}`)
      return []
    })
  const peers = [
    ...(await attempt("PostgreSQL", onPostgres(folder, stops))),
    ...(await attempt("Redis", onRedis(folder, stops)))
  ]
  return {
    peers,
    notes: [...missing, ...peers.map(({ name, tuned }) => `${name}: ${tuned}.`)],
    stop: async () => {
      for (const peer of peers) await peer.stop()
      for (const stop of stops.toReversed()) await stop()
    }
  }
}
