/**
 * A Session's log and barrier whose steps can be broken, slowed and mended. Each step yields before and after it works,
 * so that whoever races it gets the chance.
 */
import { Effect, Latch } from "effect"
import { EventLogError, type EventLog } from "../services/EventLog.ts"
import { BarrierError, type PersistenceBarrier } from "../services/PersistenceBarrier.ts"
import * as Crashes from "./Crashes.ts"

/**
 * How a step goes wrong. `fails`: it does nothing, and says so; `lost`: it does its work and then fails, so that the
 * caller can't know; `dies`: it does nothing, and ends in a defect; `gives up`: it does nothing, and interrupts itself.
 */
export type Fault = "fails" | "lost" | "dies" | "gives up"
/** `read` and `append` of the log, `flush` of the barrier. */
export type Step = "read" | "append" | "flush"

export interface FaultyStore {
  readonly eventLog: EventLog["Service"]
  readonly barrier: PersistenceBarrier["Service"]
  /** From now on that step goes wrong (`fails` if nothing else is said), so many times, or until it is mended. */
  break(step: Step, fault?: Fault, times?: number): Effect.Effect<void>
  mend(step: Step): Effect.Effect<void>
  /** From now on that step waits before it works, until it is released. */
  hold(step: Step): Effect.Effect<void>
  release(step: Step): Effect.Effect<void>
  /** How often that step was begun. */
  calls(step: Step): number
  /** The process that used it is gone: who is inside a step never comes out of it, and who did not work does not. */
  readonly crash: Effect.Effect<void>
}

const cause = "broken by the test"

/** The log and the barrier given, with nothing wrong yet. */
export const make = (eventLog: EventLog["Service"], barrier: PersistenceBarrier["Service"]): FaultyStore => {
  const faults = new Map<Step, { readonly fault: Fault; times: number }>()
  const counts = { read: 0, append: 0, flush: 0 }
  const gates = { read: Latch.makeUnsafe(true), append: Latch.makeUnsafe(true), flush: Latch.makeUnsafe(true) }
  const crashes = Crashes.make()

  /** How the step goes wrong this time. */
  const happens = (name: Step): Fault | undefined => {
    const found = faults.get(name)
    if (found === undefined) return undefined
    if (--found.times === 0) faults.delete(name)
    return found.fault
  }

  const step = <A, E, F>(name: Step, work: Effect.Effect<A, E>, failure: () => F): Effect.Effect<A, E | F> =>
    Effect.gen(function* () {
      counts[name]++
      const alive = crashes.survived()
      yield* Effect.yieldNow
      yield* gates[name].await
      yield* alive
      const fault = happens(name)
      if (fault === "fails") return yield* Effect.fail(failure())
      if (fault === "dies") return yield* Effect.die(new Error(`${name} died`))
      if (fault === "gives up") return yield* Effect.interrupt
      const value = yield* work
      yield* Effect.yieldNow
      yield* alive
      return fault === "lost" ? yield* Effect.fail(failure()) : value
    })

  return {
    eventLog: {
      seedLength: eventLog.seedLength,
      read: (from) => step("read", eventLog.read(from), () => new EventLogError({ operation: "read", cause })),
      append: (events) =>
        step("append", eventLog.append(events), () => new EventLogError({ operation: "append", cause }))
    },
    barrier: { flush: step("flush", barrier.flush, () => new BarrierError({ cause })) },
    break: (name, fault = "fails", times = Number.POSITIVE_INFINITY) =>
      Effect.sync(() => void faults.set(name, { fault, times })),
    mend: (name) => Effect.sync(() => void faults.delete(name)),
    hold: (name) => Effect.asVoid(gates[name].close),
    release: (name) => Effect.asVoid(gates[name].open),
    calls: (name) => counts[name],
    crash: crashes.crash
  }
}
