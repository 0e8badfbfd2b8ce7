/**
 * A file that may no longer be written: while the server runs, and when it is started.
 */
import { chmodSync, chownSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import type { Fault } from "./Fault.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import * as Server from "./Server.ts"
import * as Verdict from "./Verdict.ts"

/** The superuser may write anything, so somebody else has to try. */
const NOBODY = 65_534
const other = process.getuid?.() === 0 ? { uid: NOBODY } : {}

const allow = (folder: string, isAllowed: boolean) =>
  Effect.sync(() => {
    chmodSync(join(folder, "store.db"), isAllowed ? 0o644 : 0o444)
    chmodSync(folder, isAllowed ? 0o755 : 0o555)
  })

const REFUSAL =
  /^\{"code":"unusable_database","message":"The database [^\n]+: it cannot be (?:written|opened)\. [^\n]+"\}\n$/u

const refused = (db: string) =>
  Effect.gen(function* () {
    const server = yield* Server.spawned({ db, ...other })
    const exit = yield* Effect.result(server.url)
    if (exit._tag === "Success") return ["it started on a file that may not be written"]
    const { code, out, err } = exit.failure.ended
    return code === 1 && REFUSAL.test(out) && err === "" ? [] : [`it ended with ${JSON.stringify([code, out, err])}`]
  }).pipe(Effect.scoped)

const underLoad = Effect.fnUntraced(function* (db: string, ledger: Ledger.Ledger, meanwhile: Effect.Effect<void>) {
  const [server, url] = yield* Server.started({ db, ...other })
  yield* Load.sessions(ledger, url)
  const stop = yield* Load.start({ ledger, urls: [url], callers: 6 })
  yield* Effect.sleep(700)
  yield* meanwhile
  yield* Effect.sleep(1_500)
  yield* server.stop("SIGKILL")
  yield* stop
  ledger.faults.push(...Server.unclear(server.err))
})

export const readOnly = (rounds: number): Fault => ({
  name: "read-only file",
  run: Effect.gen(function* () {
    const folder = yield* Server.temporaryFolder
    if (other.uid !== undefined) chownSync(folder, NOBODY, NOBODY)
    const db = join(folder, "store.db")
    const ledger = Ledger.make(4)
    for (let n = 0; n < rounds; n++) {
      yield* Effect.scoped(underLoad(db, ledger, allow(folder, false)))
      ledger.faults.push(...(yield* refused(db)))
      yield* allow(folder, true)
    }
    return yield* Verdict.reckon(`${rounds} times read-only`, ledger, db)
  })
})
