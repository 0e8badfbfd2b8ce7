/**
 * A year that passes in a test.
 */
import { Effect, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { SessionWorld, VirtualTime } from "../../src/testing/index.ts"
import { interleave } from "../measure/Rounds.ts"
import * as Row from "../measure/Row.ts"
import { median } from "../measure/Statistics.ts"

const sizes = {
  full: { days: 365, sessions: 1_000, rounds: 2 },
  quick: { days: 10, sessions: 20, rounds: 1 }
}

const NOW = "2026-01-01T00:00:00.000Z"
const EVERY_SECONDS = 300
const DAY_SECONDS = 86_400

const seconds = async (work: Effect.Effect<void, unknown, Scope.Scope>): Promise<number> => {
  const begun = performance.now()
  await Effect.runPromise(Effect.provide(Effect.scoped(work), TestClock.layer()))
  return (performance.now() - begun) / 1_000
}

const expect = (delivered: number, expected: number): Effect.Effect<void> =>
  delivered === expected ? Effect.void : Effect.die(new Error(`${delivered} deliveries instead of ${expected}`))

/** Sessions of the testing kit with one reminder each, over so many days, and every delivery counted. */
const worlds = (input: object, sessions: number, days: number, deliveries: number) =>
  Effect.gen(function* () {
    yield* VirtualTime.setClock(NOW)
    const all = yield* Effect.forEach(Array.from({ length: sessions }), () => SessionWorld.make())
    yield* Effect.forEach(all, ({ reminders }) => reminders.create(input), { discard: true })
    yield* VirtualTime.advance(`${days} days`)
    yield* expect(
      all.reduce((sum, { agent }) => sum + agent.heard.length, 0),
      deliveries
    )
  })

/** Fibers that sleep and wake as often, and do nothing. */
const sleeps = (interval: number, fibers: number, days: number, wakes: number) =>
  Effect.gen(function* () {
    let woken = 0
    const sleeper = Effect.forever(
      Effect.andThen(
        Effect.sleep(interval * 1_000),
        Effect.sync(() => woken++)
      )
    )
    yield* Effect.forEach(Array.from({ length: fibers }), () => Effect.forkScoped(sleeper), { discard: true })
    yield* TestClock.adjust(`${days} days`)
    yield* expect(woken, wakes)
  })

interface Taken {
  readonly ours: ReadonlyArray<number>
  readonly bare: ReadonlyArray<number>
}

const row = (what: string, { ours, bare }: Taken): Row.Row => ({
  what,
  unit: "s",
  entries: [
    { who: "ours: SessionWorld", role: "ours", samples: ours },
    { who: "the bare sleeps", role: "floor", samples: bare }
  ],
  goals: []
})

const count = (n: number): string => n.toLocaleString("en-US")

export const run = async (size: Row.Size): Promise<Row.Section> => {
  const { days, sessions, rounds } = sizes[size]
  const often = (days * DAY_SECONDS) / EVERY_SECONDS
  const daily = days * sessions
  const everyDay = { prompt: "stretch", daily: { time: "09:00:00", time_zone: "UTC" } }
  const one = await interleave(
    {
      ours: () => seconds(worlds({ prompt: "stretch", every_seconds: EVERY_SECONDS }, 1, days, often)),
      bare: () => seconds(sleeps(EVERY_SECONDS, 1, days, often))
    },
    rounds
  )
  // Once, since it takes minutes, and all is warm by now.
  const many = {
    bare: [await seconds(sleeps(DAY_SECONDS, sessions, days, daily))],
    ours: [await seconds(worlds(everyDay, sessions, days, daily))]
  }
  const what = `${days} days of a five-minute reminder, ${count(often)} deliveries`
  return {
    rows: [
      { ...row(what, one), goals: [Row.atMost(what, median(one.ours), 20, "s")] },
      row(`${days} days of ${count(sessions)} Sessions with a daily one, ${count(daily)} deliveries`, many)
    ],
    notes: []
  }
}
