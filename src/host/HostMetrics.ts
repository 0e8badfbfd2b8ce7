/**
 * What the host tells of all its live Sessions together: turns as they end, and, whenever somebody asks, what is there.
 */
import { Clock, Context, Effect, Metric, type Scope } from "effect"
import type { Outcome } from "./HostEvent.ts"
import * as Census from "./Census.ts"

const OUTCOMES = ["completed", "failed", "interrupted"] as const satisfies ReadonlyArray<Outcome>

/** Seconds, from a local model to one that takes minutes and calls tools. */
const TURN_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 120, 300, 600]

const turns = (outcome: Outcome) =>
  Metric.counter("session_schedule_turns_total", {
    description: "Turns that ended, by outcome.",
    attributes: { outcome },
    incremental: true
  })
const turnsOf = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, turns(outcome)])) as Record<
  Outcome,
  Metric.Counter<number>
>

const duration = Metric.histogram("session_schedule_turn_duration_seconds", {
  description: "How long a turn took, from its durable beginning to its durable end.",
  boundaries: TURN_SECONDS
})

/** Counts a turn that a crash, or the end of its Session, cut off. */
export const interrupted: Effect.Effect<void> = Metric.update(turnsOf.interrupted, 1)

/** Counts a turn that took so many nanoseconds. */
export const ended = (outcome: Outcome, nanos: bigint): Effect.Effect<void> =>
  Effect.andThen(Metric.update(turnsOf[outcome], 1), Metric.update(duration, Number(nanos) / 1e9))

const gauge = (name: string, description: string, attributes: Record<string, string> = {}) =>
  Metric.gauge(`session_schedule_${name}`, { description, attributes })

const QUEUED = "Messages that wait for a turn, by kind."

const gauges: ReadonlyArray<readonly [Metric.Gauge<number>, (census: Census.Census) => number]> = [
  [gauge("sessions_live", "Live Sessions."), ({ live }) => live],
  [
    gauge("sessions_faulted", "Live Sessions whose reminders or turns stopped, and which must be reopened or mended."),
    ({ faulted }) => faulted
  ],
  [gauge("reminders_active", "Active reminders of live Sessions."), ({ active }) => active],
  [gauge("reminders_overdue", "Active reminders of live Sessions whose time has come."), ({ overdue }) => overdue],
  [
    gauge("reminders_overdue_age_seconds", "How long the oldest of these has been overdue; 0 without any."),
    ({ overdueMillis }) => overdueMillis / 1_000
  ],
  [gauge("messages_queued", QUEUED, { kind: "prompt" }), ({ prompts }) => prompts],
  [gauge("messages_queued", QUEUED, { kind: "follow-up" }), ({ followUps }) => followUps]
]

/** The census of this very moment; all gauges that are read in one go share it. */
const shared = (take: (now: number) => Census.Census): ((now: number) => Census.Census) => {
  let taken: Census.Census | undefined
  return (now) => {
    if (taken !== undefined) return taken
    queueMicrotask(() => {
      taken = undefined
    })
    return (taken = take(now))
  }
}

const clockOf = (context: Context.Context<never>): Clock.Clock => Context.get(context, Clock.Clock)

/** Shows all series, for as long as the scope is open. What Sessions hold is counted only when it is read. */
export const register = Effect.fnUntraced(function* (
  glimpses: () => Iterable<Census.Glimpse>
): Effect.fn.Return<void, never, Scope.Scope> {
  yield* Effect.all([...Object.values(turnsOf).map((metric) => Metric.value(metric)), Metric.value(duration)])
  const context = yield* Effect.context<never>()
  const census = shared((now) => Census.take(glimpses(), now))
  for (const [metric, read] of gauges) {
    const get = (context: Context.Context<never>) => ({
      value: read(census(clockOf(context).currentTimeMillisUnsafe()))
    })
    const hooks = { get, update: () => {}, modify: () => {} }
    const registration = Metric.registerUnsafe(metric, context, hooks)
    yield* Effect.addFinalizer(() => Effect.sync(registration.remove))
  }
})
