/**
 * What one call of a tool costs, as its Session's log and its active reminders grow.
 */
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { join } from "node:path"
import * as ScheduleChange from "../../src/domain/ScheduleChange.ts"
import { SessionEvent } from "../../src/domain/Session.ts"
import * as AlarmClock from "../../src/layers/AlarmClock.ts"
import * as EventLogMemory from "../../src/layers/EventLogMemory.ts"
import * as EventRow from "../../src/layers/EventRow.ts"
import * as SessionReminders from "../../src/layers/SessionReminders.ts"
import { AgentQueue } from "../../src/services/AgentQueue.ts"
import { Reminders } from "../../src/services/Reminders.ts"
import * as Folder from "../measure/Folder.ts"
import * as Row from "../measure/Row.ts"
import { median } from "../measure/Statistics.ts"
import * as Host from "../ours/Host.ts"
import * as Raw from "../ours/Raw.ts"

const sizes = {
  full: { logs: [100, 1_000, 10_000, 100_000], active: [100, 1_000, 10_000], cycles: 2_000, warmUp: 500 },
  quick: { logs: [100, 2_000], active: [100, 500], cycles: 50, warmUp: 10 }
}

/** How many reminders are active while the log grows. */
const FEW = 10

/** Medians are taken of so many parts of the run, so that one sees how much they differ. */
const PARTS = 5

const AT = "2999-01-01T00:00:00.000Z"
const record = (n: number): object => ({
  id: `schedule-${n}`,
  kind: "at",
  prompt: "stretch your legs",
  scheduledAt: AT
})

/** A log of so many events: many reminders that were created and deleted, and so many that are active. */
const events = (length: number, active: number): ReadonlyArray<Raw.Row> => {
  const dead = Array.from({ length: (length - active) >> 1 }, (_, n) => n + 1)
  const changes = [
    ...dead.flatMap((n) => [
      { version: 1, operation: "create", schedule: record(n) },
      { version: 1, operation: "delete", id: `schedule-${n}` }
    ]),
    ...Array.from({ length: active }, (_, n) => ({
      version: 1,
      operation: "create",
      schedule: record(dead.length + n + 1)
    }))
  ]
  return changes.map((change, seq) => ({
    session: 0,
    seq,
    at: 0,
    type: ScheduleChange.EVENT_TYPE,
    data: JSON.stringify(change)
  }))
}

type Front = Reminders["Service"]

const CALLS = ["create", "list", "delete", "the three, and what they set going,"] as const
type Times = Readonly<Record<(typeof CALLS)[number], Array<number>>>

/** More yields than the owner of reminders takes to look again after a call. */
const YIELDS = 30

/** Each call begins at rest: what the one before set going is no part of its time. */
const rest = Effect.forEach(Array.from({ length: YIELDS }), () => Effect.yieldNow, { discard: true })

/** One create, one list and one delete, each timed in microseconds; the log ends as it began, and two events longer. */
const cycle = (reminders: Front, times: Times): Effect.Effect<void, unknown> => {
  const timed = <A, E>(call: (typeof CALLS)[number], effect: Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      const begun = performance.now()
      return Effect.tap(effect, () => Effect.sync(() => times[call].push((performance.now() - begun) * 1_000)))
    })
  const three = Effect.gen(function* () {
    const { id } = yield* timed("create", reminders.create({ prompt: "stretch your legs", at: AT }))
    yield* rest
    yield* timed("list", reminders.list)
    yield* rest
    yield* timed("delete", reminders.delete(id))
    yield* rest
  })
  return timed(CALLS[3], three)
}

const newTimes = (): Times => ({ create: [], list: [], delete: [], [CALLS[3]]: [] })

/** In turns, so that the noise of the machine hits all sizes alike; another one begins each time. */
const measure = (
  fronts: ReadonlyArray<Front>,
  cycles: number,
  warmUp: number
): Effect.Effect<ReadonlyArray<Times>, unknown> =>
  Effect.gen(function* () {
    const times = fronts.map(newTimes)
    for (let n = -warmUp; n < cycles; n++) {
      for (let turn = 0; turn < fronts.length; turn++) {
        const at = (n + warmUp + turn) % fronts.length
        yield* cycle(fronts[at] as Front, n < 0 ? newTimes() : (times[at] as Times))
      }
    }
    return times
  })

/** The medians of the parts of a run. */
const parts = (times: ReadonlyArray<number>): ReadonlyArray<number> => {
  const size = Math.ceil(times.length / PARTS)
  return Array.from({ length: PARTS }, (_, n) => median(times.slice(n * size, (n + 1) * size)))
}

/** A Session in memory, with an Agent that is always busy. */
const inMemory = (rows: ReadonlyArray<Raw.Row>) =>
  Layer.build(
    SessionReminders.layer.pipe(
      Layer.provide([
        EventLogMemory.layer({ events: rows.map(EventRow.decode).map((event): SessionEvent => event) }),
        AlarmClock.layer,
        Layer.succeed(
          AgentQueue,
          AgentQueue.of({
            awaitIdle: Effect.never,
            maintain: (effect) => effect,
            followUp: () => Effect.void
          })
        )
      ])
    )
  ).pipe(Effect.map(Context.get(Reminders)))

type Stored = ReadonlyArray<ReadonlyArray<Raw.Row>>

const memory = async (logs: Stored, cycles: number, warmUp: number): Promise<ReadonlyArray<Times>> => {
  const scope = await Effect.runPromise(Scope.make())
  const opened = Effect.provideService(Effect.forEach(logs, inMemory), Scope.Scope, scope)
  const times = await Effect.runPromise(Effect.flatMap(opened, (fronts) => measure(fronts, cycles, warmUp)))
  await Effect.runPromise(Scope.close(scope, Exit.void))
  return times
}

const sqlite = async (logs: Stored, cycles: number, warmUp: number): Promise<ReadonlyArray<Times>> => {
  const file = join(Folder.temporary(), "management.db")
  const db = await Raw.store(file)
  const ids = logs.map((_, n) => `s${n + 1}`)
  Raw.addSessions(db, ids)
  const insert = Raw.inserter(db)
  for (const [n, rows] of logs.entries()) {
    insert(
      rows.map((row) => ({ ...row, session: n + 1 })),
      rows.length
    )
  }
  db.close()
  const host = await Host.open(file)
  const fronts = Effect.forEach(ids, (id) => host.sessions.reminders(id))
  const times = await host.run(Effect.flatMap(fronts, (fronts) => measure(fronts, cycles, warmUp)))
  await host.close()
  return times
}

const stores = { "in memory": memory, "in SQLite": sqlite }

/** A row for each call, with an entry for each size. */
const rowsOf = (
  store: string,
  names: ReadonlyArray<string>,
  times: ReadonlyArray<Times>,
  goal: (what: string, growth: number) => ReadonlyArray<Row.Goal>
): ReadonlyArray<Row.Row> =>
  CALLS.map((call) => {
    const samples = times.map((times) => parts(times[call]))
    const growth = median(samples.at(-1) ?? []) / median(samples[0] ?? [])
    return {
      what: `${call} ${store}`,
      unit: "µs",
      entries: names.map((who, n) => ({ who, role: n === 0 ? "ours" : "peer", samples: samples[n] ?? [] })),
      goals: goal(`${call} ${store}: ${names.at(-1)} to ${names[0]}`, growth)
    }
  })

const count = (n: number): string => n.toLocaleString("en-US")

export const run = async (size: Row.Size): Promise<Row.Section> => {
  const { logs, active, cycles, warmUp } = sizes[size]
  const rows: Array<Row.Row> = []
  for (const [store, times] of Object.entries(stores)) {
    const grown = await times(
      logs.map((length) => events(length, FEW)),
      cycles,
      warmUp
    )
    const names = logs.map((length) => `${count(length)} events`)
    rows.push(...rowsOf(`${store}, ${FEW} active`, names, grown, (what, growth) => [Row.atMost(what, growth, 1.2)]))
    const many = await times(
      active.map((active) => events(active, active)),
      Math.ceil(cycles / 10),
      Math.ceil(warmUp / 10)
    )
    rows.push(
      ...rowsOf(
        store,
        active.map((active) => `${count(active)} active`),
        many,
        () => []
      )
    )
  }
  return { rows, notes: [] }
}
