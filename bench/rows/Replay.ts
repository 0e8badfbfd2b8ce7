/**
 * Logs read back: a million changes folded, and a long conversation opened.
 */
import { Effect, HashMap, Result, Stream } from "effect"
import { join } from "node:path"
import * as LogFile from "../../src/cli/LogFile.ts"
import * as ScheduleLog from "../../src/domain/ScheduleLog.ts"
import { SessionId } from "../../src/domain/Session.ts"
import * as EventRow from "../../src/layers/EventRow.ts"
import * as SessionLogSql from "../../src/layers/SessionLogSql.ts"
import { SessionStore } from "../../src/layers/SessionStore.ts"
import * as Folder from "../measure/Folder.ts"
import { type Contender, interleave } from "../measure/Rounds.ts"
import * as Row from "../measure/Row.ts"
import { median } from "../measure/Statistics.ts"
import * as Host from "../ours/Host.ts"
import * as Raw from "../ours/Raw.ts"
import * as BareFold from "../peers/BareFold.ts"
import * as Validators from "../peers/Validators.ts"
import * as Changes from "./Changes.ts"

const sizes = {
  full: { changes: 1_000_000, events: 100_000, rounds: 3 },
  quick: { changes: 10_000, events: 5_000, rounds: 1 }
}

/** How many events of the long conversation are ours. */
const OURS = 10

const millis = async (work: () => unknown): Promise<number> => {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/** What all who fold must agree on. */
const expect = (who: string, found: number, expected: number): void => {
  if (found !== expected) throw new Error(`${who} found ${found} active reminders instead of ${expected}`)
}

/** As a Session's owner does, which folds what it read at once. */
const foldRows = (rows: ReadonlyArray<EventRow.EventRow>): number => {
  const start = Result.getOrThrow(ScheduleLog.start(0, rows.length))
  return HashMap.size(Result.getOrThrow(ScheduleLog.evolveAll(start, EventRow.slice(rows, 0).events)).active)
}

const foldFile = async (lines: ReadonlyArray<string>): Promise<number> => {
  const encoder = new TextEncoder()
  const chunk = 512
  const bytes = Array.from({ length: Math.ceil(lines.length / chunk) }, (_, n) =>
    encoder.encode(`${lines.slice(n * chunk, (n + 1) * chunk).join("\n")}\n`)
  )
  const { events } = await Effect.runPromise(LogFile.read(Stream.fromIterable(bytes)))
  return HashMap.size(Result.getOrThrow(ScheduleLog.fold(events)).active)
}

const parseAll = (texts: ReadonlyArray<string>): number => {
  let versions = 0
  for (const text of texts) versions += (JSON.parse(text) as { readonly version: number }).version
  return versions
}

const folding = async (count: number, rounds: number): Promise<ReadonlyArray<Row.Row>> => {
  const { rows, active } = Changes.make(count)
  const texts = rows.map(({ data }) => data)
  const what = `${count.toLocaleString("en-US")} changes`
  const bare = (validate: (change: unknown) => unknown) => () => BareFold.fold(texts, validate)
  const folds: Record<string, () => number> = {
    "ours: rows of the store": () => foldRows(rows),
    "a fold of mutable maps that believes all it reads": bare((change) => change),
    ...Object.fromEntries(
      Validators.all().map(({ name, validate }) => [`${name}, and that fold`, bare(validate)] as const)
    )
  }
  const contenders: Record<string, Contender> = { "JSON.parse": () => millis(() => parseAll(texts)) }
  for (const [who, fold] of Object.entries(folds)) {
    contenders[who] = () => millis(() => expect(who, fold(), active))
  }
  const stored = await interleave(contenders, rounds)
  const lines = rows.map(
    ({ data, type, ...row }) => `{"seq":${row.seq},"at":"${Changes.at(row.at)}","type":"${type}","data":${data}}`
  )
  const file = await interleave(
    {
      "JSON.parse": () => millis(() => parseAll(lines)),
      "ours: a file of JSON Lines, as the command reads it": () =>
        millis(async () => expect("the file", await foldFile(lines), active))
    },
    rounds
  )
  return [
    rowOf(`${what} of the store, decoded strictly and folded`, stored),
    rowOf(`${what} of a file, the same`, file)
  ]
}

const rowOf = (what: string, samples: Readonly<Record<string, ReadonlyArray<number>>>): Row.Row => {
  const ours = Object.keys(samples).find((who) => who.startsWith("ours")) ?? ""
  const roleOf = (who: string): Row.Role => (who === ours ? "ours" : who === "JSON.parse" ? "floor" : "peer")
  const ratio = median(samples[ours] ?? []) / median(samples["JSON.parse"] ?? [])
  return {
    what,
    unit: "ms",
    entries: Object.entries(samples).map(([who, samples]) => ({ who, role: roleOf(who), samples })),
    goals: [Row.atMost(`${what}: to JSON.parse`, ratio, 4)]
  }
}

/** A conversation of so many events, of which ten are of reminders; and one of those ten alone. */
const fill = async (file: string, events: number): Promise<void> => {
  const db = await Raw.store(file)
  Raw.addSessions(db, ["long", "short"])
  const { rows } = Changes.make(OURS)
  const every = Math.floor(events / OURS)
  const long = Array.from({ length: events }, (_, seq) => {
    const change = seq % every === 0 ? rows[seq / every] : undefined
    const said = { turn: seq + 1, message: { role: "assistant", content: "One more thing that was said." } }
    const other = { at: 0, type: "turn/output", data: JSON.stringify(said) }
    return { ...(change ?? other), session: 1, seq }
  })
  const insert = Raw.inserter(db)
  insert(long, events)
  insert(
    rows.map((row) => ({ ...row, session: 2 })),
    OURS
  )
  db.close()
}

/** Opens a Session's log and folds it, as the owner of reminders does first of all. */
const openLog = (host: Host.Host, id: string): Promise<number> =>
  millis(() =>
    host.run(
      Effect.gen(function* () {
        const log = yield* SessionLogSql.make(yield* (yield* SessionStore).open(SessionId.make(id)))
        const { events, end } = yield* log.eventLog.read(0)
        if (events.length !== OURS) throw new Error(`${events.length} of ${end} events were read`)
        return Result.getOrThrow(ScheduleLog.evolveAll(Result.getOrThrow(ScheduleLog.start(0, end)), events))
      })
    )
  )

/** Makes the Session live in the host, and lists its reminders. */
const openHost = async (host: Host.Host, id: string): Promise<number> => {
  const taken = await millis(() => host.run(Effect.flatMap(host.sessions.reminders(id), ({ list }) => list)))
  await host.run(host.sessions.close(id))
  return taken
}

const opening = async (events: number, rounds: number): Promise<ReadonlyArray<Row.Row>> => {
  const file = join(Folder.temporary(), "long.db")
  await fill(file, events)
  const host = await Host.open(file)
  const samples = await interleave(
    {
      long: () => openLog(host, "long"),
      short: () => openLog(host, "short"),
      hostLong: () => openHost(host, "long"),
      hostShort: () => openHost(host, "short")
    },
    rounds * 5
  )
  await host.close()
  const total = events.toLocaleString("en-US")
  const row = (what: string, long: ReadonlyArray<number>, short: ReadonlyArray<number>): Row.Row => ({
    what,
    unit: "ms",
    entries: [
      { who: `ours: ${total} events, ${OURS} of reminders`, role: "ours", samples: long },
      { who: `ours: those ${OURS} events alone`, role: "peer", samples: short }
    ],
    goals: []
  })
  return [
    row("opening a Session's log and folding it", samples.long, samples.short),
    row("opening a Session in the host, conversation and all", samples.hostLong, samples.hostShort)
  ]
}

export const run = async (size: Row.Size): Promise<Row.Section> => {
  const { changes, events, rounds } = sizes[size]
  return { rows: [...(await folding(changes, rounds)), ...(await opening(events, rounds))], notes: Validators.notes }
}
