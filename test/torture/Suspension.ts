/**
 * A process that is stopped for longer than its reminders wait, as a laptop's lid does, and goes on.
 */
import { Effect, Random } from "effect"
import { join } from "node:path"
import * as Client from "./Client.ts"
import type { Fault } from "./Fault.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import * as Server from "./Server.ts"
import * as Verdict from "./Verdict.ts"

/** How long what came due meanwhile may stay overdue, on a machine that has more to do. */
const SOON_MILLIS = 15_000

const isOverdue = (ledger: Ledger.Ledger, url: string, since: number) =>
  Effect.map(
    Effect.forEach(ledger.sessions, (session) => Client.list(ledger, url, session)),
    (lists) =>
      lists.some((views) => views?.some(({ kind, scheduledAt }) => kind === "after" && Date.parse(scheduledAt) < since))
  )

const deliveredSoon = Effect.fnUntraced(function* (ledger: Ledger.Ledger, url: string) {
  const since = Date.now()
  while (yield* isOverdue(ledger, url, since)) {
    if (Date.now() - since > SOON_MILLIS) return [`overdue ${SOON_MILLIS} ms after the server went on`]
    yield* Effect.sleep(50)
  }
  return []
})

const round = Effect.fnUntraced(function* (server: Server.Server, url: string, ledger: Ledger.Ledger) {
  const stop = yield* Load.start({ ledger, urls: [url], callers: 6 })
  yield* Effect.sleep(yield* Random.nextIntBetween(200, 800))
  yield* server.signal("SIGSTOP")
  yield* Effect.sleep(yield* Random.nextIntBetween(2_500, 4_000))
  yield* server.signal("SIGCONT")
  yield* stop
  for (const session of ledger.sessions) yield* Client.call(ledger, url, "POST", `/sessions/${session}/open`)
  ledger.faults.push(...(yield* deliveredSoon(ledger, url)))
})

export const suspension = (rounds: number): Fault => ({
  name: "suspended process",
  run: Effect.gen(function* () {
    const db = join(yield* Server.temporaryFolder, "suspended.db")
    const ledger = Ledger.make(4)
    const [server, url] = yield* Server.started({ db })
    yield* Load.sessions(ledger, url)
    for (let n = 0; n < rounds; n++) yield* Effect.scoped(round(server, url, ledger))
    return yield* Verdict.conclude(`${rounds} suspensions`, ledger, db, [server, url])
  })
})
