import { Context, Effect, Layer } from "effect"
import * as EventLogMemory from "../../src/layers/EventLogMemory.ts"
import * as GroupCommit from "../../src/layers/GroupCommit.ts"
import * as SessionLogSql from "../../src/layers/SessionLogSql.ts"
import * as SessionStore from "../../src/layers/SessionStore.ts"
import * as SqliteStore from "../../src/layers/SqliteStore.ts"
import { header } from "../layers/StoreFixture.ts"
import { contract } from "./EventLog.contract.ts"

const sqlite = Layer.mergeAll(SessionStore.layer, GroupCommit.layer).pipe(
  Layer.provideMerge(SqliteStore.layer(":memory:"))
)

contract("in memory", EventLogMemory.stored())

contract(
  "in SQLite",
  Effect.gen(function* () {
    const context = yield* Layer.build(Layer.orDie(sqlite))
    const store = Context.get(context, SessionStore.SessionStore)
    yield* Effect.orDie(store.create(header("s")))
    return {
      open: (hooks) =>
        Effect.orDie(store.open(header("s").id)).pipe(
          Effect.flatMap((owner) => SessionLogSql.make(owner, hooks)),
          Effect.provideContext(context)
        )
    }
  })
)
