/**
 * BullMQ over Redis.
 */
import { Queue, Worker } from "bullmq"
import { AN_HOUR, arrivals, type Peer } from "./Peer.ts"
import * as Redis from "./Redis.ts"
import * as Version from "./Version.ts"

/** How many jobs one worker has under way: found by trying. */
const CONCURRENCY = 200

export const start = async ({ port }: Redis.Redis): Promise<Peer> => {
  const connection = { host: "127.0.0.1", port, enableAutoPipelining: true }
  const creates = new Queue("creates", { connection })
  await creates.waitUntilReady()
  const herds = new Queue("herd", { connection })

  const herd: Peer["herd"] = async (size, due) => {
    const { lags, complete, arrive } = arrivals(size)
    const at = due()
    const delay = () => Math.max(0, at - Date.now())
    await herds.addBulk(
      Array.from({ length: size }, (_, n) => ({
        name: "herd",
        data: { n },
        opts: { delay: delay(), removeOnComplete: true }
      }))
    )
    const worker = new Worker("herd", async () => arrive(at, 1), { connection, concurrency: CONCURRENCY })
    await complete
    await worker.close()
    return lags
  }

  return {
    name: `BullMQ ${Version.of("bullmq")} on Redis ${Redis.version()}`,
    tuned: `${Redis.SETTINGS}; commands pipelined; the herd is taken by a worker of ${CONCURRENCY} at a time`,
    create: (payload) => creates.add("later", payload, { delay: AN_HOUR }),
    createMany: (payloads) =>
      creates.addBulk(payloads.map((data) => ({ name: "later", data, opts: { delay: AN_HOUR } }))),
    herd,
    stop: async () => {
      await creates.close()
      await herds.close()
    }
  }
}
