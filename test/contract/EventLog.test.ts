import { Context, Effect, Layer } from "effect"
import * as EventLogMemory from "../../src/layers/EventLogMemory.ts"
import * as GroupCommit from "../../src/layers/GroupCommit.ts"
import type { Hooks } from "../../src/layers/SessionLog.ts"
import * as SessionLogSql from "../../src/layers/SessionLogSql.ts"
import * as SessionStore from "../../src/layers/SessionStore.ts"
import { header } from "../layers/StoreFixture.ts"
import { contract } from "./EventLog.contract.ts"
import { stores } from "./SqlStores.ts"

contract("in memory", EventLogMemory.stored())

for (const { name, make } of stores) {
  contract(
    name,
    Effect.gen(function* () {
      const services = Layer.mergeAll(SessionStore.layer, GroupCommit.layer).pipe(Layer.provideMerge(yield* make))
      const context = yield* Layer.build(Layer.orDie(services))
      const store = Context.get(context, SessionStore.SessionStore)
      yield* Effect.orDie(store.create(header("s")))
      return {
        open: (hooks?: Hooks) =>
          Effect.orDie(store.open(header("s").id)).pipe(
            Effect.flatMap((owner) => SessionLogSql.make(owner, hooks)),
            Effect.provideContext(context)
          )
      }
    })
  )
}
