/**
 * A host with so many live Sessions that have nothing to do: `node bench/ours/IdleHost.ts SESSIONS SECONDS`.
 */
import { Effect, Fiber, Layer } from "effect"
import { queryObjects } from "node:v8"
import { join } from "node:path"
import * as Instant from "../../src/domain/Instant.ts"
import * as ScheduleChange from "../../src/domain/ScheduleChange.ts"
import * as Resume from "../../src/host/Resume.ts"
import { Sessions } from "../../src/host/Sessions.ts"
import * as InstantQueue from "../../src/layers/InstantQueue.ts"
import * as Child from "../measure/Child.ts"
import * as Folder from "../measure/Folder.ts"
import * as Host from "./Host.ts"
import * as Raw from "./Raw.ts"

export interface Idle {
  readonly seconds: number
  /** Bytes of heap. */
  readonly perSession: number
  readonly floor: number
  readonly sleeper: number
  readonly residentMiB: number
  readonly busyMillis: number
  readonly emptyBusyMillis: number
  readonly wakeUps: number
  readonly emptyWakeUps: number
  readonly fibers: number
  readonly timers: number
  readonly resumeSeconds: number
  readonly restSeconds: number
}

process.once("disconnect", () => process.exit(1))
const HOUR = 3_600_000
const [size = 0, seconds = 0] = process.argv.slice(2).map(Number)
const due = Instant.clamp(Date.now() + HOUR)

const fill = async (file: string): Promise<void> => {
  const db = await Raw.store(file)
  Raw.addSessions(
    db,
    Array.from({ length: size }, (_, n) => `idle-${n}`)
  )
  const schedule = { id: "schedule-1", kind: "at", prompt: "stretch your legs", scheduledAt: Instant.format(due) }
  const data = JSON.stringify({ version: 1, operation: "create", schedule })
  const rows = Array.from({ length: size }, (_, n) => ({
    session: n + 1,
    seq: 0,
    at: 0,
    type: ScheduleChange.EVENT_TYPE,
    data
  }))
  Raw.inserter(db)(rows, size)
  db.close()
}

/** What is reachable, once all that is not is gone. */
const heap = async (): Promise<number> => {
  for (let n = 0; n < 5; n++) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return process.memoryUsage().heapUsed
}

const growth = async (make: () => Promise<unknown>): Promise<number> => {
  const before = await heap()
  const made = await make()
  const after = await heap()
  if (made === undefined) throw new Error("Nothing was made")
  return (after - before) / size
}

interface Fact {
  readonly id: string
  readonly prompt: string
  readonly scheduledAt: number
}

/** The least that any owner of reminders has to keep. */
const floor = () =>
  growth(async () => {
    const queue = InstantQueue.make<InstantQueue.Item & { readonly key: string }>()
    const records = new Map<string, Fact>()
    for (let n = 0; n < size; n++) {
      const key = `idle-${n}`
      records.set(key, { id: "schedule-1", prompt: `stretch your legs ${n}`, scheduledAt: due + n })
      queue.add({ at: due + n, index: -1, key })
    }
    return [queue, records]
  })

const sleepers = () => growth(async () => Array.from({ length: size }, () => Effect.runFork(Effect.sleep(HOUR))))

/** All fibers share one class, which has no name that could be imported. */
const probe = Effect.runFork(Effect.never)
const FiberClass = probe.constructor as new () => Fiber.Fiber<unknown>
const fibers = (): number => queryObjects(FiberClass, { format: "count" }) as unknown as number
const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length

/** How long the process is watched, and how much of that it may be busy to count as at rest; in milliseconds. */
const WATCHED = 1_000
const BUSY_AT_REST = 20

/** Opening a Session sets its owner going, which looks once what there is to do: waits until all have. */
const untilAtRest = async (): Promise<void> => {
  for (let busy = Infinity; busy > BUSY_AT_REST;) {
    const cpu = process.cpuUsage()
    await new Promise((resolve) => setTimeout(resolve, WATCHED))
    const { user, system } = process.cpuUsage(cpu)
    busy = (user + system) / 1_000
  }
}

interface Rest {
  readonly busyMillis: number
  readonly wakeUps: number
}

/** What the process does while it is asked nothing. */
const rest = async (): Promise<Rest> => {
  await heap()
  const cpu = process.cpuUsage()
  const { voluntaryContextSwitches } = process.resourceUsage()
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
  const { user, system } = process.cpuUsage(cpu)
  return {
    busyMillis: (user + system) / 1_000,
    wakeUps: process.resourceUsage().voluntaryContextSwitches - voluntaryContextSwitches
  }
}

const file = join(Folder.temporary(), "idle.db")
await fill(file)
const host = await Host.open(file)
const empty = await rest()
const [fibersBefore, timersBefore] = [fibers(), timers()]

let resumeSeconds = 0
let restSeconds = 0
const perSession = await growth(async () => {
  const begun = performance.now()
  await host.run(Effect.provide(Resume.run, Layer.succeed(Sessions, host.sessions)))
  resumeSeconds = (performance.now() - begun) / 1_000
  await untilAtRest()
  restSeconds = (performance.now() - begun) / 1_000
  return host
})
const residentMiB = process.memoryUsage.rss() / 2 ** 20
const busy = await rest()
const found = { fibers: fibers() - fibersBefore, timers: timers() - timersBefore }

const idle: Idle = {
  seconds,
  perSession,
  residentMiB,
  resumeSeconds,
  restSeconds,
  ...found,
  busyMillis: busy.busyMillis,
  wakeUps: busy.wakeUps,
  emptyBusyMillis: empty.busyMillis,
  emptyWakeUps: empty.wakeUps,
  floor: await floor(),
  sleeper: await sleepers()
}
await Child.answer(idle)
process.exit(0)
