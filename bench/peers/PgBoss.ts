/**
 * pg-boss over PostgreSQL.
 */
import { PgBoss } from "pg-boss"
import { AN_HOUR, arrivals, type Peer } from "./Peer.ts"
import * as Postgres from "./Postgres.ts"
import * as Version from "./Version.ts"

const CONNECTIONS = 32
/** Fetched at a time, and by how many workers at once: found by trying. */
const BATCH = 1_000
const WORKERS = 4

export const start = async ({ url, analyze }: Postgres.Postgres): Promise<Peer> => {
  const boss = new PgBoss({ connectionString: url, max: CONNECTIONS, schedule: false, supervise: false })
  boss.on("error", (error) => console.error(error))
  await boss.start()
  await boss.createQueue("creates")
  let herds = 0

  const herd: Peer["herd"] = async (size, due) => {
    const queue = `herd-${++herds}`
    const { lags, complete, arrive } = arrivals(size)
    await boss.createQueue(queue)
    const at = due()
    const startAfter = new Date(at)
    await boss.insert(
      queue,
      Array.from({ length: size }, (_, n) => ({ data: { n }, startAfter }))
    )
    await analyze()
    const options = {
      batchSize: BATCH,
      localConcurrency: WORKERS,
      pollingIntervalSeconds: 0.5,
      burstWhenBatchFull: true
    }
    await boss.work(queue, options, async (jobs) => arrive(at, jobs.length))
    await complete
    await boss.offWork(queue)
    return lags
  }

  return {
    name: `pg-boss ${Version.of("pg-boss")} on PostgreSQL`,
    tuned:
      `${Postgres.SETTINGS}; a pool of ${CONNECTIONS}; the herd is fetched ${BATCH} at a time by ${WORKERS} workers ` +
      "that look every 0.5 s, the least it takes, and at once after a full batch",
    create: (payload) => boss.send("creates", payload, { startAfter: new Date(Date.now() + AN_HOUR) }),
    createMany: (payloads) => {
      const startAfter = new Date(Date.now() + AN_HOUR)
      return boss.insert(
        "creates",
        payloads.map((data) => ({ data, startAfter }))
      )
    },
    herd,
    stop: () => boss.stop({ graceful: false, close: true })
  }
}
