/**
 * Two servers on one file, both under load on the same Sessions; now and then one is suspended, or killed and started
 * again.
 */
import { Effect, Random, Scope, Exit } from "effect"
import { join } from "node:path"
import type { Fault } from "./Fault.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import * as Server from "./Server.ts"
import * as Verdict from "./Verdict.ts"

const sleep = (least: number, longest: number) => Effect.flatMap(Random.nextIntBetween(least, longest), Effect.sleep)

/** Stops in the middle of anything, and goes on when the other has taken over. */
const suspend = Effect.fnUntraced(function* (server: Server.Server) {
  yield* server.signal("SIGSTOP")
  yield* sleep(500, 2_500)
  yield* server.signal("SIGCONT")
})

const round = Effect.fnUntraced(function* (db: string, ledger: Ledger.Ledger) {
  const scope = yield* Scope.make()
  const server = Effect.provideService(Server.started({ db }), Scope.Scope, scope)
  const [[a, atA], [b, atB]] = yield* Effect.all([server, server], { concurrency: 2 })
  yield* Load.sessions(ledger, atA)
  const stop = yield* Load.start({ ledger, urls: [atA, atB], callers: 8 })
  yield* sleep(500, 1_500)
  yield* suspend((yield* Random.nextBoolean) ? a : b)
  yield* sleep(500, 1_500)
  const [first, second] = (yield* Random.nextBoolean) ? [a, b] : [b, a]
  const { err } = yield* first.stop("SIGKILL")
  yield* stop
  ledger.faults.push(...Server.unclear(err), ...Verdict.farewell(yield* second.stop("SIGTERM")))
  yield* Scope.close(scope, Exit.void)
})

export const twoServers = (rounds: number): Fault => ({
  name: "two servers",
  run: Effect.gen(function* () {
    const db = join(yield* Server.temporaryFolder, "shared.db")
    const ledger = Ledger.make(4)
    for (let n = 0; n < rounds; n++) yield* Effect.scoped(round(db, ledger))
    return yield* Verdict.reckon(`${rounds} times two`, ledger, db)
  })
})
