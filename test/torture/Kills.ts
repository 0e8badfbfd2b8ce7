/**
 * SIGKILL at random moments under load, again and again on one database; some before the server even listens.
 */
import { Effect, Random } from "effect"
import { join } from "node:path"
import type { Fault } from "./Fault.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import * as Server from "./Server.ts"
import * as Verdict from "./Verdict.ts"

const sleep = (longest: number) => Effect.flatMap(Random.nextIntBetween(0, longest), Effect.sleep)

/** Killed while it opens the database, most likely. */
const early = (db: string) =>
  Effect.gen(function* () {
    const server = yield* Server.spawned({ db })
    yield* sleep(700)
    yield* server.stop("SIGKILL")
  })

const late = (db: string, ledger: Ledger.Ledger) =>
  Effect.gen(function* () {
    const [server, url] = yield* Server.started({ db })
    const first = ledger.claims.length === 0
    if (first) yield* Load.sessions(ledger, url)
    const stop = yield* Load.start({ ledger, urls: [url], callers: 12, pauseMillis: 5 })
    yield* sleep(1_200)
    const { err } = yield* server.stop("SIGKILL")
    yield* stop
    ledger.faults.push(...Server.unclear(err).map((line) => `it wrote: ${line}`))
  })

export const kills = (rounds: number): Fault => ({
  name: "killed under load",
  run: Effect.gen(function* () {
    const file = join(yield* Server.temporaryFolder, "kills.db")
    const ledger = Ledger.make(6)
    for (let round = 0; round < rounds; round++) {
      const isEarly = round > 0 && (yield* Random.next) < 0.15
      yield* Effect.scoped(isEarly ? early(file) : late(file, ledger))
    }
    return yield* Verdict.reckon(`${rounds} kills`, ledger, file)
  })
})

/** How long a server may take to stop that is told to in the middle of its work. */
const STOP_MILLIS = 10_000

const stopped = Effect.fnUntraced(function* (db: string, ledger: Ledger.Ledger) {
  const [server, url] = yield* Server.started({ db })
  yield* Load.sessions(ledger, url)
  const stop = yield* Load.start({ ledger, urls: [url], callers: 8 })
  yield* sleep(1_200)
  const begun = Date.now()
  const ended = yield* server.stop("SIGTERM")
  const millis = Date.now() - begun
  yield* stop
  ledger.faults.push(
    ...Verdict.farewell(ended),
    ...(millis > STOP_MILLIS ? [`told to stop, it took ${millis} ms`] : [])
  )
})

/** The same with SIGTERM, on which the server ends by itself: in time, in order, and with nothing to complain of. */
export const stops = (rounds: number): Fault => ({
  name: "stopped under load",
  run: Effect.gen(function* () {
    const file = join(yield* Server.temporaryFolder, "stops.db")
    const ledger = Ledger.make(6)
    for (let round = 0; round < rounds; round++) yield* Effect.scoped(stopped(file, ledger))
    return yield* Verdict.reckon(`${rounds} stops`, ledger, file)
  })
})
