import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Latch } from "effect"
import type { Instant } from "../../src/domain/Instant.ts"
import * as EventLogMemory from "../../src/layers/EventLogMemory.ts"
import * as SessionReminders from "../../src/layers/SessionReminders.ts"
import { AgentQueue } from "../../src/services/AgentQueue.ts"
import { Alarm } from "../../src/services/Alarm.ts"
import { EventLog } from "../../src/services/EventLog.ts"
import { PersistenceBarrier } from "../../src/services/PersistenceBarrier.ts"
import { Reminders } from "../../src/services/Reminders.ts"
import * as ScriptedAgent from "../../src/testing/ScriptedAgent.ts"
import { settle } from "../../src/testing/VirtualTime.ts"

describe("SchedulerDrive", () => {
  it.effect("looks again if something changed while it was setting the alarm", () =>
    Effect.gen(function* () {
      const memory = yield* EventLogMemory.make()
      const agent = yield* ScriptedAgent.make
      const gate = Latch.makeUnsafe(true)
      const settings: Array<Instant | null> = []
      const slow = Alarm.of({
        make: () =>
          Effect.succeed({
            set: (at) =>
              Effect.andThen(
                gate.await,
                Effect.sync(() => void settings.push(at))
              )
          })
      })
      const services = Context.make(Alarm, slow).pipe(
        Context.add(EventLog, memory.eventLog),
        Context.add(PersistenceBarrier, memory.barrier),
        Context.add(AgentQueue, agent.queue)
      )
      const session = yield* Effect.provideContext(SessionReminders.make, services)
      yield* settle
      yield* gate.close
      const reminders = Context.get(session, Reminders)
      yield* reminders.list
      yield* settle
      const { scheduledAt } = yield* reminders.create({ prompt: "p", after_seconds: 60 })
      yield* settle
      yield* gate.open
      yield* settle
      assert.deepStrictEqual(settings, [null, null, scheduledAt])
    })
  )
})
