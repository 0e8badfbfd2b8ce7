import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Latch } from "effect"
import type { Instant } from "../../src/domain/Instant.ts"
import * as AlarmClock from "../../src/layers/AlarmClock.ts"
import * as EventLogMemory from "../../src/layers/EventLogMemory.ts"
import * as SessionReminders from "../../src/layers/SessionReminders.ts"
import { AgentBusy, AgentQueue } from "../../src/services/AgentQueue.ts"
import { Alarm } from "../../src/services/Alarm.ts"
import { EventLog } from "../../src/services/EventLog.ts"
import { PersistenceBarrier } from "../../src/services/PersistenceBarrier.ts"
import { Reminders } from "../../src/services/Reminders.ts"
import * as ScriptedAgent from "../../src/testing/ScriptedAgent.ts"
import { advance, settle } from "../../src/testing/VirtualTime.ts"

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

  it.effect("takes a busy Agent as an answer, and looks again", () =>
    Effect.gen(function* () {
      const memory = yield* EventLogMemory.make()
      const agent = yield* ScriptedAgent.make
      let refusals = 3
      const busy = AgentQueue.of({
        ...agent.queue,
        maintain: (effect) =>
          Effect.suspend(() => (refusals-- > 0 ? Effect.fail(new AgentBusy()) : agent.queue.maintain(effect)))
      })
      const services = Context.make(Alarm, yield* AlarmClock.make).pipe(
        Context.add(EventLog, memory.eventLog),
        Context.add(PersistenceBarrier, memory.barrier),
        Context.add(AgentQueue, busy)
      )
      const session = yield* Effect.provideContext(SessionReminders.make, services)
      yield* Context.get(session, Reminders).create({ prompt: "p", after_seconds: 60 })
      yield* advance("1 minute")
      assert.strictEqual(refusals, -1)
      assert.strictEqual(agent.heard.length, 1)
    })
  )
})
