import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as EventLogMemory from "../../src/layers/EventLogMemory.ts"
import { EventLog } from "../../src/services/EventLog.ts"
import { PersistenceBarrier } from "../../src/services/PersistenceBarrier.ts"
import { change, message } from "./StoreFixture.ts"

const data = (events: ReadonlyArray<{ readonly data: unknown }>) => events.map((event) => event.data)

describe("EventLogMemory", () => {
  it.effect("goes on after a crash with what was flushed", () =>
    Effect.gen(function* () {
      const events = [{ seq: 0, ...message(0) }]
      const log = yield* EventLogMemory.make({ seedLength: 1, events })
      assert.strictEqual(log.eventLog.seedLength, 1)
      yield* log.eventLog.append([change(1)])
      yield* log.barrier.flush
      yield* log.eventLog.append([message(2)])
      yield* log.stage(message(3))
      assert.deepStrictEqual(data(yield* log.events), [0, 1, 2])
      assert.deepStrictEqual(data(yield* log.pending), [2])
      yield* log.crash
      assert.deepStrictEqual(data(yield* log.events), [0, 1])
      assert.isFalse(yield* log.unstage)
      yield* log.eventLog.append([change(4)])
      yield* log.barrier.flush
      assert.deepStrictEqual(data((yield* log.readAll(0)).events), [0, 1, 4])
    })
  )

  it.effect("is a layer of a log and its barrier", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      yield* log.append([change(1)])
      yield* (yield* PersistenceBarrier).flush
      assert.strictEqual((yield* log.read(0)).end, 1)
    }).pipe(Effect.provide(EventLogMemory.layer()))
  )
})
