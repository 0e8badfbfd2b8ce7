/**
 * One fiber and one queue of alarms by instant. It reads the wall clock again at least once a minute, because machines
 * sleep and clocks are set.
 */
import { Clock, Context, Effect, Layer, Queue } from "effect"
import type { Instant } from "../domain/Instant.ts"
import { Alarm } from "../services/Alarm.ts"
import * as InstantQueue from "./InstantQueue.ts"

/** The longest time between two looks at the wall clock, in milliseconds. */
export const LongestWait = Context.Reference("effect-session-schedule/LongestWait", { defaultValue: () => 60_000 })

interface Entry extends InstantQueue.Item {
  readonly ring: Effect.Effect<void>
}

export const make = Effect.gen(function* () {
  const longestWait = yield* LongestWait
  const entries = InstantQueue.make<Entry>()
  const earlier = yield* Queue.sliding<void>(1)

  const ringDue = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    for (let entry = entries.peek(); entry !== undefined && entry.at <= now; entry = entries.peek()) {
      entries.remove(entry)
      yield* entry.ring
    }
    return (entries.peek()?.at ?? Number.POSITIVE_INFINITY) - now
  })

  const loop = Effect.flatMap(ringDue, (millis) => {
    const signal = Queue.take(earlier)
    return Number.isFinite(millis) ? Effect.timeoutOption(signal, Math.min(millis, longestWait)) : signal
  }).pipe(Effect.forever)
  yield* Effect.forkScoped(loop)

  const set = (entry: Entry, at: Instant | null): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (InstantQueue.isQueued(entry)) {
        if (entry.at === at) return Effect.void
        entries.remove(entry)
      }
      if (at === null) return Effect.void
      entry.at = at
      entries.add(entry)
      return entries.peek() === entry ? Effect.asVoid(Queue.offer(earlier, undefined)) : Effect.void
    })

  return Alarm.of({
    make: (ring) =>
      Effect.sync(() => {
        const entry: Entry = { at: 0, index: -1, ring }
        return { set: (at) => set(entry, at) }
      })
  })
})

export const layer: Layer.Layer<Alarm> = Layer.effect(Alarm, make)
