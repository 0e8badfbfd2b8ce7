/**
 * A disk that is full again and again, with a server that is told so in the middle of its work, and one that is started.
 */
import { Effect, Random } from "effect"
import { join } from "node:path"
import type { Fault } from "./Fault.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import * as Server from "./Server.ts"
import * as SmallDisk from "./SmallDisk.ts"
import * as Verdict from "./Verdict.ts"

const sleep = (least: number, longest: number) => Effect.flatMap(Random.nextIntBetween(least, longest), Effect.sleep)

const REFUSAL = /^\{"code":"unusable_database","message":"The database [^\n]+: the disk [^\n]+"\}\n$/u

/** On a full disk a server starts and answers, or says in one line why not. */
const startWhileFull = (db: string) =>
  Effect.gen(function* () {
    const server = yield* Server.spawned({ db })
    const exit = yield* Effect.result(server.url)
    if (exit._tag === "Success") return []
    const { code, out } = exit.failure.ended
    return code === 1 && REFUSAL.test(out)
      ? []
      : [`started on a full disk, it ended with ${JSON.stringify([code, out])}`]
  }).pipe(Effect.scoped)

const round = Effect.fnUntraced(function* (disk: SmallDisk.SmallDisk, db: string, ledger: Ledger.Ledger) {
  const [server, url] = yield* Server.started({ db })
  yield* Load.sessions(ledger, url)
  const stop = yield* Load.start({ ledger, urls: [url], callers: 6 })
  yield* sleep(300, 900)
  yield* disk.fill
  yield* sleep(500, 2_000)
  const dies = yield* Random.nextBoolean
  if (dies) yield* server.stop("SIGKILL")
  ledger.faults.push(...(yield* startWhileFull(db)))
  yield* disk.empty
  yield* sleep(500, 1_500)
  const ended = dies ? yield* server.ended : undefined
  yield* stop
  ledger.faults.push(...(ended === undefined ? Verdict.farewell(yield* server.stop("SIGTERM")) : []))
})

const limitedRound = Effect.fnUntraced(function* (db: string, ledger: Ledger.Ledger) {
  const room = yield* Random.nextIntBetween(4, 200)
  const limit = SmallDisk.kibibytes(db) + room
  const [server, url] = yield* Server.started({ db, prefix: SmallDisk.limited(limit) })
  const stop = yield* Load.start({ ledger, urls: [url], callers: 6 })
  yield* sleep(1_000, 2_500)
  const healed = SmallDisk.unlimit(server.process.pid ?? 0)
  yield* sleep(500, 1_500)
  const ended = healed ? undefined : yield* server.stop("SIGKILL")
  yield* stop
  ledger.faults.push(...(ended === undefined ? Verdict.farewell(yield* server.stop("SIGTERM")) : []))
})

/** A quota on the files, which SQLite sees as a disk that fails to write. */
export const noGrowth = (rounds: number): Fault => ({
  name: "files that may not grow",
  run: Effect.gen(function* () {
    const db = join(yield* Server.temporaryFolder, "limited.db")
    const ledger = Ledger.make(4)
    yield* Effect.scoped(Effect.flatMap(Server.started({ db }), ([, url]) => Load.sessions(ledger, url)))
    for (let n = 0; n < rounds; n++) yield* Effect.scoped(limitedRound(db, ledger))
    return yield* Verdict.reckon(`${rounds} limits`, ledger, db)
  })
})

/** A small file system; where none can be mounted, files that may not grow. */
export const fullDisk = (rounds: number): Fault => ({
  name: "full disk",
  run: Effect.gen(function* () {
    const disk = yield* SmallDisk.mounted
    if (disk === undefined) return yield* noGrowth(rounds).run
    const ledger = Ledger.make(4)
    const db = join(disk.folder, "full.db")
    for (let n = 0; n < rounds; n++) yield* Effect.scoped(round(disk, db, ledger))
    return yield* Verdict.reckon(`${rounds} times full`, ledger, db)
  })
})
