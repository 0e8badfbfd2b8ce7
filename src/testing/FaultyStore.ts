/**
 * A Session's log and barrier whose steps can be broken, slowed and mended. Each step yields before and after it works,
 * so that whoever races it gets the chance.
 */
import { Effect, Latch } from "effect"
import { EventLogError, type EventLog } from "../services/EventLog.ts"
import { BarrierError, type PersistenceBarrier } from "../services/PersistenceBarrier.ts"

/** `lost`: the step does its work and then fails, so that the caller can't know. `gives up`: it interrupts itself. */
export type Fault = "fails" | "lost" | "dies" | "gives up"
export type Step = "read" | "append" | "flush"

export interface FaultyStore {
  readonly eventLog: EventLog["Service"]
  readonly barrier: PersistenceBarrier["Service"]
  /** From now on that step goes wrong, until it is mended. */
  break(step: Step, fault?: Fault): Effect.Effect<void>
  mend(step: Step): Effect.Effect<void>
  /** From now on that step waits before it works, until it is released. */
  hold(step: Step): Effect.Effect<void>
  release(step: Step): Effect.Effect<void>
  /** How often that step was begun. */
  calls(step: Step): number
}

export const make = (eventLog: EventLog["Service"], barrier: PersistenceBarrier["Service"]): FaultyStore => {
  const faults = new Map<Step, Fault>()
  const counts = { read: 0, append: 0, flush: 0 }
  const gates = { read: Latch.makeUnsafe(true), append: Latch.makeUnsafe(true), flush: Latch.makeUnsafe(true) }

  const step = <A, E, F>(name: Step, work: Effect.Effect<A, E>, failure: () => F): Effect.Effect<A, E | F> =>
    Effect.gen(function* () {
      counts[name]++
      yield* Effect.yieldNow
      yield* gates[name].await
      if (faults.get(name) === "fails") return yield* Effect.fail(failure())
      if (faults.get(name) === "dies") return yield* Effect.die(new Error(`${name} died`))
      if (faults.get(name) === "gives up") return yield* Effect.interrupt
      const value = yield* work
      yield* Effect.yieldNow
      return faults.get(name) === "lost" ? yield* Effect.fail(failure()) : value
    })

  const cause = "broken by the test"
  return {
    eventLog: {
      seedLength: eventLog.seedLength,
      read: (from) => step("read", eventLog.read(from), () => new EventLogError({ operation: "read", cause })),
      append: (events) =>
        step("append", eventLog.append(events), () => new EventLogError({ operation: "append", cause }))
    },
    barrier: { flush: step("flush", barrier.flush, () => new BarrierError({ cause })) },
    break: (name, fault = "fails") => Effect.sync(() => void faults.set(name, fault)),
    mend: (name) => Effect.sync(() => void faults.delete(name)),
    hold: (name) => Effect.asVoid(gates[name].close),
    release: (name) => Effect.asVoid(gates[name].open),
    calls: (name) => counts[name]
  }
}
