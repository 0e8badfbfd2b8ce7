/**
 * Graphile Worker over PostgreSQL.
 */
import { Logger, makeWorkerUtils, run } from "graphile-worker"
import { Pool } from "pg"
import { AN_HOUR, arrivals, type Peer } from "./Peer.ts"
import * as Postgres from "./Postgres.ts"
import * as Version from "./Version.ts"

const CONNECTIONS = 32
/** How many handlers run at a time, and how many jobs are fetched for them: found by trying. */
const HANDLERS = 64
const BATCH = 1_000
const POLL_MILLIS = 50

const logger = new Logger(() => () => {})

export const start = async ({ url, analyze }: Postgres.Postgres): Promise<Peer> => {
  const pgPool = new Pool({ connectionString: url, max: CONNECTIONS })
  for (const event of ["error", "connect"] as const) pgPool.on(event, () => {})
  const utils = await makeWorkerUtils({ pgPool, logger })
  await utils.migrate()
  const jobs = (payloads: ReadonlyArray<object>, task: string, runAt: Date) =>
    utils.addJobs(payloads.map((payload) => ({ identifier: task, payload, runAt })))

  const herd: Peer["herd"] = async (size, due) => {
    const { lags, complete, arrive } = arrivals(size)
    const at = due()
    await jobs(
      Array.from({ length: size }, (_, n) => ({ n })),
      "herd",
      new Date(at)
    )
    await analyze()
    const runner = await run({
      pgPool,
      logger,
      noHandleSignals: true,
      taskList: { herd: async () => arrive(at, 1) },
      preset: {
        worker: {
          concurrentJobs: HANDLERS,
          pollInterval: POLL_MILLIS,
          localQueue: { size: BATCH },
          completeJobBatchDelay: 10
        }
      }
    })
    await complete
    await runner.stop()
    return lags
  }

  return {
    name: `Graphile Worker ${Version.of("graphile-worker")} on PostgreSQL`,
    tuned:
      `${Postgres.SETTINGS}; a pool of ${CONNECTIONS}; the herd is fetched ${BATCH} at a time (localQueue) for ` +
      `${HANDLERS} handlers, looked for every ${POLL_MILLIS} ms, and completed in batches`,
    create: (payload) => utils.addJob("later", payload, { runAt: new Date(Date.now() + AN_HOUR) }),
    createMany: (payloads) => jobs(payloads, "later", new Date(Date.now() + AN_HOUR)),
    herd,
    stop: async () => {
      await utils.release()
      await pgPool.end()
    }
  }
}
