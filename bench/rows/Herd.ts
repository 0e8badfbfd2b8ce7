/**
 * Many live Sessions, all due at one instant.
 */
import { Effect, Stream } from "effect"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { DatabaseSync } from "node:sqlite"
import { join } from "node:path"
import * as Instant from "../../src/domain/Instant.ts"
import * as ScheduleChange from "../../src/domain/ScheduleChange.ts"
import type { Entry } from "../../src/layers/EventWriter.ts"
import * as Folder from "../measure/Folder.ts"
import * as Patience from "../measure/Patience.ts"
import * as Row from "../measure/Row.ts"
import { median, percentile } from "../measure/Statistics.ts"
import * as Host from "../ours/Host.ts"
import * as Raw from "../ours/Raw.ts"
import type { Peer } from "../peers/Peer.ts"
import * as Queues from "../peers/Queues.ts"

const sizes = {
  full: { sessions: 10_000, rounds: 3, leadMillis: { ours: 20_000, peers: 8_000 } },
  quick: { sessions: 300, rounds: 1, leadMillis: { ours: 3_000, peers: 1_500 } }
}

/** As many events as the store puts into one transaction. */
const BATCH = 1_024
/** When, after the herd is due, someone says something, and how long one may wait for the answer, in milliseconds. */
const SPOKEN_AFTER = 50
const PATIENCE = 1_000
/** A herd that takes longer, in milliseconds, has lost some. */
const LONGEST = 120_000

interface Lag {
  readonly p50: number
  readonly p99: number
  readonly last: number
}

const lagOf = (lags: ReadonlyArray<number>): Lag => ({
  p50: percentile(lags, 0.5),
  p99: percentile(lags, 0.99),
  last: Math.max(...lags)
})

const isDispatch = ({ type, data }: Entry["events"][number]): boolean =>
  type === ScheduleChange.EVENT_TYPE && data.includes('"dispatch"')

/** What one herd of ours came to, in milliseconds. */
interface Herd {
  readonly lag: Lag
  /** From when someone spoke until the answer was durable. */
  readonly answered: number
  readonly loopP99: number
  readonly loopLongest: number
}

/** The host, and what it wrote of the herd that is under way. */
interface Running {
  readonly file: string
  readonly host: Host.Host
  readonly ids: ReadonlyArray<string>
  due: number
  onLag: (lag: number) => void
}

const SPEAKER = "speaker"

const start = async (file: string, size: number): Promise<Running> => {
  const running = { file, due: 0, onLag: (_: number): void => {} }
  const onWritten: Host.OnWritten = (entries) => {
    const lag = Date.now() - running.due
    for (const { events } of entries) for (const event of events) if (isDispatch(event)) running.onLag(lag)
  }
  const host = await Host.open(file, onWritten)
  const ids = Array.from({ length: size }, (_, n) => `herd-${n}`)
  await host.run(Host.create(host.sessions, [SPEAKER, ...ids]))
  return Object.assign(running, { host, ids })
}

const sleepUntil = (instant: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, instant - Date.now())))

/** Says something while the herd is delivered, and waits until the end of its turn is durable. */
const speak = async ({ host, due }: Running): Promise<number> => {
  const spoken = due + SPOKEN_AFTER
  const { end } = await host.run(host.sessions.transcript(SPEAKER, 0, 1_000))
  await sleepUntil(spoken)
  const answered = host.sessions.follow(SPEAKER, end).pipe(
    Stream.filter(({ type }) => type === "turn/ended"),
    Stream.take(1),
    Stream.runDrain
  )
  await host.run(Effect.andThen(host.sessions.prompt(SPEAKER, { text: "Are you there?" }), answered))
  return Date.now() - spoken
}

const remind = ({ host: { sessions }, ids, due }: Running) => {
  const input = { prompt: "stretch your legs", at: Instant.format(Instant.clamp(due)) }
  return Effect.forEach(ids, (id) => Effect.flatMap(sessions.reminders(id), ({ create }) => create(input)), {
    concurrency: 512,
    discard: true
  })
}

const ours = async (running: Running, leadMillis: number): Promise<Herd> => {
  running.due = Date.now() + leadMillis
  const lags: Array<number> = []
  const complete = new Promise<void>((resolve) => {
    running.onLag = (lag) => {
      if (lags.push(lag) === running.ids.length) resolve()
    }
  })
  await running.host.run(remind(running))
  if (lags.length > 0) throw new Error("The herd was due before it was created")
  globalThis.gc?.()
  await sleepUntil(running.due - 200)
  const loop = monitorEventLoopDelay({ resolution: 1 })
  loop.enable()
  const spoken = speak(running)
  await Patience.within(LONGEST, complete, () => `${lags.length} of ${running.ids.length} were delivered`)
  const answered = await spoken
  loop.disable()
  return { lag: lagOf(lags), answered, loopP99: loop.percentile(99) / 1e6, loopLongest: loop.max / 1e6 }
}

/** What ours stored to queue the last herd: each message, and its dispatch. */
const storedBy = (file: string, size: number): ReadonlyArray<Raw.Row> => {
  const db = new DatabaseSync(file, { readOnly: true })
  const rows = db
    .prepare(
      `SELECT e.session, e.seq, e.at, e.type, e.data FROM events e
        WHERE type = 'schedule/change' AND data LIKE '%"dispatch"%'
          OR type = 'inbox/queued' AND data LIKE '%"follow-up"%'
        ORDER BY position DESC LIMIT ?`
    )
    .all(2 * size)
  db.close()
  return rows.toReversed() as unknown as ReadonlyArray<Raw.Row>
}

/** How long SQLite takes for the same rows in the same tables, with nothing else to do; in milliseconds. */
const floor = async (rows: ReadonlyArray<Raw.Row>, batch: number): Promise<number> => {
  const db = await Raw.store(join(Folder.temporary(), "floor.db"))
  const keys = [...new Set(rows.map(({ session }) => session))]
  const insertSession = db.prepare("INSERT INTO sessions (key, id, created_at) VALUES (?, ?, 0)")
  db.exec("BEGIN")
  for (const key of keys) insertSession.run(key, `s${key}`)
  db.exec("COMMIT")
  const insert = Raw.inserter(db)
  const begun = performance.now()
  insert(rows, batch)
  const millis = performance.now() - begun
  db.close()
  return millis
}

const herdOf = async (peer: Peer, size: number, leadMillis: number): Promise<Lag> => {
  globalThis.gc?.()
  const herd = peer.herd(size, () => Date.now() + leadMillis)
  return lagOf(await Patience.within(LONGEST, herd, () => peer.name))
}

type Of = "p50" | "p99" | "last"

const entries = (herds: ReadonlyArray<Herd>, peers: ReadonlyMap<string, ReadonlyArray<Lag>>, of: Of) => [
  { who: "ours: queued and durable", role: "ours" as const, samples: herds.map(({ lag }) => lag[of]) },
  ...[...peers].map(([who, lags]) => ({
    who: `${who}: handed to its handler`,
    role: "peer" as const,
    samples: lags.map((lag) => lag[of])
  }))
]

interface Measured {
  readonly herds: Array<Herd>
  readonly whole: Array<number>
  readonly batched: Array<number>
  readonly peers: Map<string, Array<Lag>>
}

const rowsOf = ({ herds, whole, batched, peers }: Measured, size: number): ReadonlyArray<Row.Row> => {
  const what = `${size.toLocaleString("en-US")} reminders due at one instant`
  const p99 = median(herds.map(({ lag }) => lag.p99))
  const least = Math.min(median(whole), median(batched))
  const floors = [
    { who: "node:sqlite, the same rows in one transaction", role: "floor" as const, samples: whole },
    { who: `node:sqlite, the same rows, ${BATCH} in a transaction`, role: "floor" as const, samples: batched }
  ]
  const ahead = [...peers].map(([who, lags]) =>
    Row.atMost(`herd: p99 of ours to that of ${who}`, p99 / median(lags.map((lag) => lag.p99)), 1)
  )
  const fact = (who: string, of: (herd: Herd) => number) => ({ who, role: "fact" as const, samples: herds.map(of) })
  return [
    {
      what: `${what}: lag, p99`,
      unit: "ms",
      entries: [...entries(herds, peers, "p99"), ...floors],
      goals: [Row.atMost("herd: p99 of ours to the quicker SQLite floor", p99 / least, 3), ...ahead]
    },
    { what: `${what}: lag, p50`, unit: "ms", entries: entries(herds, peers, "p50"), goals: [] },
    { what: `${what}: lag of the last`, unit: "ms", entries: entries(herds, peers, "last"), goals: [] },
    {
      what: "meanwhile, in ours",
      unit: "ms",
      entries: [
        fact(`a prompt ${SPOKEN_AFTER} ms after the herd is due: until its answer is durable`, (herd) => herd.answered),
        fact("event loop delay, p99", ({ loopP99 }) => loopP99),
        fact("event loop delay, the longest", ({ loopLongest }) => loopLongest)
      ],
      goals: [
        Row.atMost("herd: a prompt in the middle is answered", median(herds.map((h) => h.answered)), PATIENCE, "ms")
      ]
    }
  ]
}

/** One herd of each; what is kept of the last one that ours stored is what SQLite has to store. */
const round = async (
  running: Running,
  peers: ReadonlyArray<Peer>,
  size: Row.Size,
  measured: Measured
): Promise<void> => {
  const { sessions, leadMillis } = sizes[size]
  measured.herds.push(await ours(running, leadMillis.ours))
  const rows = storedBy(running.file, sessions)
  measured.whole.push(await floor(rows, rows.length))
  measured.batched.push(await floor(rows, BATCH))
  for (const peer of peers) {
    const lags = measured.peers.get(peer.name) ?? []
    lags.push(await herdOf(peer, sessions, leadMillis.peers))
    measured.peers.set(peer.name, lags)
  }
}

const nothing = (): Measured => ({ herds: [], whole: [], batched: [], peers: new Map() })

export const run = async (size: Row.Size): Promise<Row.Section> => {
  const { sessions, rounds } = sizes[size]
  const folder = Folder.temporary()
  const queues = await Queues.start(folder)
  const running = await start(join(folder, "host.db"), sessions)
  const measured = nothing()
  try {
    await round(running, queues.peers, size, nothing())
    for (let n = 0; n < rounds; n++) await round(running, queues.peers, size, measured)
  } finally {
    await queues.stop()
    await running.host.close()
  }
  return { rows: rowsOf(measured, sessions), notes: queues.notes }
}
