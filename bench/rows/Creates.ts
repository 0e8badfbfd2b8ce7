/**
 * Durable creates, with so many Sessions at once.
 */
import { Effect } from "effect"
import { join } from "node:path"
import * as Instant from "../../src/domain/Instant.ts"
import * as ScheduleChange from "../../src/domain/ScheduleChange.ts"
import { SessionId } from "../../src/domain/Session.ts"
import * as SessionLogSql from "../../src/layers/SessionLogSql.ts"
import { SessionStore } from "../../src/layers/SessionStore.ts"
import * as Disk from "../measure/Disk.ts"
import * as Folder from "../measure/Folder.ts"
import { type Contender, interleave } from "../measure/Rounds.ts"
import * as Row from "../measure/Row.ts"
import { median } from "../measure/Statistics.ts"
import * as Host from "../ours/Host.ts"
import * as Raw from "../ours/Raw.ts"
import type { Peer } from "../peers/Peer.ts"
import * as Queues from "../peers/Queues.ts"

const sizes = {
  full: { sessions: [1, 8, 64, 512], rounds: 5, millis: 600 },
  quick: { sessions: [1, 64], rounds: 1, millis: 100 }
}

/** A Session gets no more reminders than people have; then the next one takes its place. */
const EACH = 32
/** The most creates of one round, for each Session at once. */
const MOST = 1_024
const NAMED = { prompt: "stretch your legs", after_seconds: 86_400 }

/** What one of them can do: one more durable create. */
type Create = () => Promise<unknown>

/** How many creates a second they manage, each one after the other, until the time is over or all are done. */
const perSecond = async (creates: ReadonlyArray<Create>, most: number, millis: number): Promise<number> => {
  const begun = performance.now()
  let done = 0
  const loop = async (create: Create) => {
    for (let n = 0; n < most && performance.now() - begun < millis; n++) {
      await create()
      done++
    }
  }
  await Promise.all(creates.map(loop))
  return (done * 1_000) / (performance.now() - begun)
}

/** The same for ours: the fibers of one Effect. */
const effectsPerSecond = (
  creators: ReadonlyArray<ReadonlyArray<Effect.Effect<unknown, unknown>>>,
  millis: number
): Effect.Effect<number> =>
  Effect.gen(function* () {
    const begun = performance.now()
    let done = 0
    const loop = Effect.fnUntraced(function* (creates: ReadonlyArray<Effect.Effect<unknown, unknown>>) {
      for (const create of creates) {
        for (let n = 0; n < EACH && performance.now() - begun < millis; n++) {
          yield* create
          done++
        }
      }
    })
    yield* Effect.forEach(creators, loop, { concurrency: "unbounded", discard: true })
    return (done * 1_000) / (performance.now() - begun)
  }).pipe(Effect.orDie)

let made = 0
/** For each of those who create at once, the ids of the Sessions that they fill one after the other. */
const newIds = (atOnce: number, millis: number): ReadonlyArray<ReadonlyArray<SessionId>> => {
  const turns = Math.max(1, Math.min(MOST, Math.ceil((millis * 10) / atOnce)) / EACH)
  return Array.from({ length: atOnce }, () =>
    Array.from({ length: Math.ceil(turns) }, () => SessionId.make(`s${++made}`))
  )
}

/** Through everything that a call of a tool goes through. */
const throughHost = async (host: Host.Host, atOnce: number, millis: number): Promise<number> => {
  const ids = newIds(atOnce, millis)
  const creators = Effect.gen(function* () {
    yield* Host.create(host.sessions, ids.flat())
    return yield* Effect.forEach(ids, (turns) =>
      Effect.forEach(turns, (id) => Effect.map(host.sessions.reminders(id), ({ create }) => create(NAMED)))
    )
  })
  const rate = await host.run(Effect.flatMap(Effect.orDie(creators), (creates) => effectsPerSecond(creates, millis)))
  await host.run(Effect.forEach(ids.flat(), (id) => host.sessions.close(id), { discard: true }))
  return rate
}

const change = (n: number): unknown =>
  ScheduleChange.encode({
    version: 1,
    operation: "create",
    schedule: {
      id: `schedule-${n}` as never,
      kind: "after",
      prompt: NAMED.prompt as never,
      afterSeconds: NAMED.after_seconds,
      scheduledAt: Instant.clamp(Date.now() + NAMED.after_seconds * 1_000)
    }
  })

/** An append and a flush of the log, without reminders. */
const throughLog = (host: Host.Host, atOnce: number, millis: number): Promise<number> => {
  const opened = Effect.fnUntraced(function* (id: SessionId) {
    const store = yield* SessionStore
    yield* store.create({ version: 1, id, createdAt: Instant.clamp(Date.now()) })
    const { eventLog, barrier } = yield* SessionLogSql.make(yield* store.open(id))
    let n = 0
    const append = Effect.suspend(() =>
      eventLog.append([{ at: Instant.clamp(Date.now()), type: ScheduleChange.EVENT_TYPE, data: change(++n) }])
    )
    return Effect.andThen(append, barrier.flush)
  })
  const creators = Effect.forEach(newIds(atOnce, millis), (turns) => Effect.forEach(turns, opened), {
    concurrency: 64
  })
  return host.run(Effect.flatMap(Effect.orDie(creators), (creates) => effectsPerSecond(creates, millis)))
}

/** As many rows in each transaction as there are Sessions at once. */
const raw = (insert: ReturnType<typeof Raw.inserter>, atOnce: number, millis: number): number => {
  const data = JSON.stringify(change(1))
  const begun = performance.now()
  let done = 0
  while (performance.now() - begun < millis && done < MOST * atOnce) {
    const seq = ++made
    const rows = Array.from({ length: atOnce }, (_, session) => ({
      session: session + 1,
      seq,
      at: 0,
      type: ScheduleChange.EVENT_TYPE,
      data
    }))
    insert(rows, atOnce)
    done += atOnce
  }
  return (done * 1_000) / (performance.now() - begun)
}

const contendersOf = (peer: Peer, atOnce: number, millis: number): Readonly<Record<string, Contender>> => {
  const payload = { session: "s1", ...NAMED }
  const one = () => peer.create(payload)
  const many = () => peer.createMany(Array.from({ length: atOnce }, () => payload))
  const single = {
    [peer.name]: () =>
      perSecond(
        Array.from({ length: atOnce }, () => one),
        MOST,
        millis
      )
  }
  if (atOnce === 1) return single
  return {
    ...single,
    [`${peer.name}, ${atOnce} in one call`]: async () => (await perSecond([many], MOST, millis)) * atOnce
  }
}

const OURS = "ours, through the host"
const LOG = "ours, the log alone"
const BEFORE = "fdatasync, before"
const AFTER = "fdatasync, after"
const APPENDED = "node:sqlite, one table without an index"
const INDEXED = "node:sqlite, the tables of ours"

const roleOf = (who: string): Row.Role => {
  if (who === OURS) return "ours"
  if (who === LOG) return "fact"
  return [BEFORE, AFTER, APPENDED, INDEXED].includes(who) ? "floor" : "peer"
}

const goals = (atOnce: number, ours: number, syncs: number): ReadonlyArray<Row.Goal> => {
  const ratio = ours / syncs
  if (atOnce === 1) return [Row.atLeast("one Session alone: creates for each fdatasync of the disk", ratio, 0.8)]
  return atOnce === 64 ? [Row.atLeast("64 Sessions at once: creates for each fdatasync of the disk", ratio, 20)] : []
}

export const run = async (size: Row.Size): Promise<Row.Section> => {
  const { sessions, rounds, millis } = sizes[size]
  const folder = Folder.temporary()
  const host = await Host.open(join(folder, "host.db"))
  const queues = await Queues.start(folder)
  const indexed = await Raw.store(join(folder, "indexed.db"))
  const most = Math.max(...sessions)
  Raw.addSessions(
    indexed,
    Array.from({ length: most }, (_, n) => `s${n}`)
  )
  const [appended, withIndexes] = [Raw.table(join(folder, "appended.db")), indexed].map(Raw.inserter)
  const rows: Array<Row.Row> = []
  try {
    for (const atOnce of sessions) {
      const contenders: Record<string, Contender> = {
        [BEFORE]: () => Disk.syncsPerSecond(folder, millis / 4),
        [OURS]: () => throughHost(host, atOnce, millis),
        [LOG]: () => throughLog(host, atOnce, millis),
        [APPENDED]: () => raw(appended as never, atOnce, millis),
        [INDEXED]: () => raw(withIndexes as never, atOnce, millis),
        [AFTER]: () => Disk.syncsPerSecond(folder, millis / 4)
      }
      for (const peer of queues.peers) Object.assign(contenders, contendersOf(peer, atOnce, millis))
      const samples = await interleave(contenders, rounds)
      const syncs = median([...(samples[BEFORE] ?? []), ...(samples[AFTER] ?? [])])
      rows.push({
        what: atOnce === 1 ? "durable creates, one Session alone" : `durable creates, ${atOnce} Sessions at once`,
        unit: "/s",
        entries: Object.entries(samples).map(([who, samples]) => ({ who, role: roleOf(who), samples })),
        goals: goals(atOnce, median(samples[OURS] ?? []), syncs)
      })
    }
  } finally {
    await queues.stop()
    await host.close()
  }
  return { rows, notes: queues.notes }
}
