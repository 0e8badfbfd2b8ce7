/**
 * One Session in the world: what outlives its owners, what is wrong with it, and whether it is live.
 */
import { Context, Effect, Exit, Scope, Semaphore } from "effect"
import * as SessionLog from "../../src/layers/SessionLog.ts"
import { Alarm } from "../../src/services/Alarm.ts"
import { Scheduler, type SchedulerStatus } from "../../src/services/Scheduler.ts"
import * as FaultyStore from "../../src/testing/FaultyStore.ts"
import * as Disk from "./Disk.ts"
import type * as Home from "./Home.ts"
import type { Process } from "./Machine.ts"
import type { Medium } from "./Medium.ts"
import type { Oracle } from "./Oracle.ts"
import type { Fault, Part } from "./Step.ts"

export interface Site {
  readonly name: string
  readonly disk: Disk.Disk
  readonly home: Home.Home
  /** The Session as it is live now. */
  readonly opened: Home.Opened | undefined
  /** Whether it is live, or soon will be. */
  readonly isOpen: boolean
  /** Whether anything is wrong with its log. */
  readonly isFaulty: boolean
  /** Whether something makes its log wait. */
  readonly isHeld: boolean
  /** Whether nothing is wrong, and nothing keeps its Agent busy. */
  readonly isWell: boolean
  /** Whether an append may have failed since it was opened: it may have stopped until it is opened again. */
  readonly mayHaveStopped: boolean
  readonly isRefusing: boolean
  readonly status: SchedulerStatus
  open(process: Process, alarm: Alarm["Service"]): void
  close(process: Process): void
  /** Its owner is killed, or goes on in a process that nobody asks any more. */
  lose(killed: boolean): void
  break(part: Part, fault: Fault, times: number): void
  mend(part: Part): void
  hold(part: Part): void
  release(part: Part): void
  refuse(refused: boolean): void
}

export interface Options {
  readonly name: string
  readonly medium: Medium
  /** How many of its events are inherited. */
  readonly seedLength: number
  readonly home: Home.Home
  /** Who breaks and mends. */
  readonly outside: Process
  readonly oracle: Oracle
  /** The ears at a new owner; it is asked whether it still is the owner. */
  readonly ears: (isOwner: () => boolean) => Home.Ears
}

type State = "cold" | "opening" | "live" | "closing"

/** One owner of the Session. */
interface Owner {
  readonly scope: Scope.Closeable
  readonly log: SessionLog.SessionLog
  readonly store: FaultyStore.FaultyStore
}

const inStore = (part: Part): part is FaultyStore.Step => part !== "commit"

export const make = ({ name, medium, seedLength, home, outside, oracle, ears }: Options): Site => {
  const disk = Disk.make(medium)
  const faults = new Map<Part, { readonly fault: Fault; readonly times: number }>()
  const holds = new Set<Part>()
  let [refusing, mayHaveStopped, hadOther] = [false, false, false]
  let state: State = "cold"
  let door = Semaphore.makeUnsafe(1)
  let owner: Owner | undefined
  let opened: Home.Opened | undefined
  let stores: Array<FaultyStore.FaultyStore> = []

  const isFaulty = () => faults.size > 0 || holds.size > 0
  const inEveryStore = (change: (store: FaultyStore.FaultyStore) => Effect.Effect<void>) => {
    for (const store of stores) outside.run(change(store))
  }

  /** A new owner meets the faults that there are, and gives up once it hears that it is not the owner any more. */
  const own = (process: Process): Owner => {
    const scope = Scope.makeUnsafe()
    const onStale = () => void process.run(Scope.close(scope, Exit.void))
    const { storage, length } = disk.open(process)
    const log = SessionLog.make(storage, seedLength, length, { onStale })
    const store = FaultyStore.make(log.eventLog, log.barrier)
    stores.push(store)
    for (const [part, { fault, times }] of faults) {
      if (inStore(part)) outside.run(store.break(part, fault as FaultyStore.Fault, times))
    }
    for (const part of holds) if (inStore(part)) outside.run(store.hold(part))
    return { scope, log, store }
  }

  const opening = (process: Process) =>
    Effect.gen(function* () {
      if (state === "live") return
      state = "opening"
      oracle.fault(name)
      mayHaveStopped = faults.has("append")
      if (hadOther) oracle.disturb(name)
      hadOther = false
      const mine = (owner = own(process))
      const ground = { ...mine, rows: disk.rows(), ears: ears(() => owner === mine) }
      const session = yield* Effect.provideService(home.open(ground), Scope.Scope, mine.scope)
      if (owner !== mine) return
      opened = session
      state = "live"
    })

  const closing = Effect.gen(function* () {
    const [mine, session] = [owner, opened]
    if (mine === undefined || session === undefined) return
    state = "closing"
    opened = undefined
    if (isFaulty()) oracle.disturb(name)
    yield* session.rest
    yield* Scope.close(mine.scope, Exit.void)
    if (isFaulty() || home.losesTurns) oracle.disturb(name)
    if (owner === mine) state = "cold"
  })

  return {
    name,
    disk,
    home,
    get opened() {
      return opened
    },
    get isOpen() {
      return state === "live" || state === "opening"
    },
    get isFaulty() {
      return isFaulty()
    },
    get isHeld() {
      return holds.size > 0
    },
    get isWell() {
      return state === "live" && !isFaulty() && !refusing && !mayHaveStopped && !home.isBusy
    },
    get mayHaveStopped() {
      return mayHaveStopped
    },
    get isRefusing() {
      return refusing
    },
    get status() {
      return opened === undefined ? "running" : Effect.runSync(Context.get(opened.services, Scheduler).status)
    },
    open: (process, alarm) => void process.run(Effect.provideService(door.withPermit(opening(process)), Alarm, alarm)),
    close: (process) => void process.run(door.withPermit(closing)),
    lose: (killed) => {
      state = "cold"
      owner = undefined
      opened = undefined
      door = Semaphore.makeUnsafe(1)
      oracle.disturb(name)
      hadOther = !killed
      if (!killed) return
      stores = []
      home.crash()
    },
    break: (part, fault, times) => {
      faults.set(part, { fault, times })
      oracle.fault(name)
      if (part === "append") {
        mayHaveStopped = true
        oracle.disturb(name)
      }
      if (inStore(part)) inEveryStore((store) => store.break(part, fault as FaultyStore.Fault, times))
      else disk.break(fault === "stored" ? "stored" : "fails", times)
    },
    mend: (part) => {
      oracle.fault(name)
      if (part === "append" && faults.has(part)) oracle.disturb(name)
      faults.delete(part)
      if (inStore(part)) inEveryStore((store) => store.mend(part))
      else disk.mend()
    },
    hold: (part) => {
      holds.add(part)
      if (inStore(part)) inEveryStore((store) => store.hold(part))
      else disk.hold()
    },
    release: (part) => {
      holds.delete(part)
      if (inStore(part)) inEveryStore((store) => store.release(part))
      else disk.release()
    },
    refuse: (refused) => void (refusing = refused)
  }
}
