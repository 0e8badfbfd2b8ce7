/** A process of its own over one store, for tests: `node StoreProcess.ts PLACE SESSION COMMITS`. */
import { Effect, Layer } from "effect"
import { SessionId } from "../../src/domain/Session.ts"
import * as GroupCommit from "../../src/layers/GroupCommit.ts"
import * as PgStore from "../../src/layers/PgStore.ts"
import * as SessionLogSql from "../../src/layers/SessionLogSql.ts"
import * as SessionStore from "../../src/layers/SessionStore.ts"
import * as SqliteStore from "../../src/layers/SqliteStore.ts"
import { at } from "../postgres/Place.ts"
import { change, header } from "./StoreFixture.ts"

const [, , place = "", session = "", commits = "0"] = process.argv

const program = Effect.gen(function* () {
  const store = yield* SessionStore.SessionStore
  yield* Effect.catchTag(store.create(header(session)), "SessionExists", () => Effect.void)
  const log = yield* SessionLogSql.make(yield* store.open(SessionId.make(session)))
  for (let n = 0; n < Number(commits); n++) {
    yield* log.eventLog.append([change(n)])
    yield* log.barrier.flush
    process.stdout.write(`${n}\n`)
  }
})

const store = place.startsWith("postgres:") ? PgStore.layer(at(place)) : SqliteStore.layer(place)
const layer = Layer.mergeAll(SessionStore.layer, GroupCommit.layer).pipe(Layer.provideMerge(store))

Effect.runPromise(Effect.provide(program, layer)).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`)
  process.exitCode = 1
})
