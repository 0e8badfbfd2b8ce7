import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as EventLogMemory from "../../src/layers/EventLogMemory.ts"
import * as TransactionsSerial from "../../src/layers/TransactionsSerial.ts"
import { EventLog } from "../../src/services/EventLog.ts"
import { PersistenceBarrier } from "../../src/services/PersistenceBarrier.ts"
import * as FaultyStore from "../../src/testing/FaultyStore.ts"
import { contract } from "./Transactions.contract.ts"

const over = (eventLog: EventLog["Service"], barrier: PersistenceBarrier["Service"]) =>
  TransactionsSerial.make.pipe(
    Effect.provideService(EventLog, eventLog),
    Effect.provideService(PersistenceBarrier, barrier)
  )

contract("one at a time in this process", (events = []) =>
  Effect.gen(function* () {
    const log = yield* EventLogMemory.make({ events })
    const store = FaultyStore.make(log.eventLog, log.barrier)
    return { transactions: yield* over(store.eventLog, store.barrier), store, events: log.events, crash: log.crash }
  })
)

it.effect("Transactions read each event of the log once", () =>
  Effect.gen(function* () {
    const log = yield* EventLogMemory.make()
    const places: Array<number> = []
    const read: EventLog["Service"]["read"] = (from) => {
      places.push(from)
      return log.eventLog.read(from)
    }
    const { run } = yield* over({ ...log.eventLog, read }, log.barrier)
    const look = run(() => Effect.succeed({ changes: [], value: undefined }))
    yield* look
    yield* log.eventLog.append(Array.from({ length: 3 }, () => ({ at: 0 as never, type: "inbox/queued", data: {} })))
    yield* look
    yield* look
    assert.deepStrictEqual(places, [0, 0, 3])
  })
)
