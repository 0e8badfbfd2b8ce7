/**
 * Copies of a database and of its log, each damaged at another place: cut off, a bit turned over, a part wiped out. What
 * opens must be right as far as SQLite can tell, and what does not must say so.
 */
import { spawn } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect, Random } from "effect"
import * as Account from "./Account.ts"
import type { Fault } from "./Fault.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import * as Server from "./Server.ts"
import type { Found, Surveyed } from "./Survey.ts"
import * as Verdict from "./Verdict.ts"

type Part = "" | "-wal"
const PARTS: ReadonlyArray<Part> = ["", "-wal"]

/** A way to damage bytes at a place between 0 and 1. */
const damages = {
  cut: (bytes, at) => bytes.subarray(0, Math.floor(bytes.length * at)),
  "turned bit": (bytes, at, roll) => {
    const place = Math.floor(bytes.length * at)
    bytes.writeUInt8((bytes[place] ?? 0) ^ (1 << Math.floor(roll * 8)), place)
    return bytes
  },
  wiped: (bytes, at, roll) => {
    const place = Math.floor(bytes.length * at)
    return bytes.fill(0, place, Math.min(bytes.length, place + Math.ceil(roll * 4_096)))
  },
  scrambled: (bytes, at, roll) => {
    const place = Math.floor(bytes.length * at)
    for (let n = place; n < Math.min(bytes.length, place + 64); n++) bytes.writeUInt8((n * 151 + roll * 255) & 255, n)
    return bytes
  }
} satisfies Readonly<Record<string, (bytes: Buffer, at: number, roll: number) => Buffer>>

interface Copy {
  readonly file: string
  readonly part: Part
  readonly what: string
}

const copy = (file: string, to: string): void => {
  for (const part of PARTS) if (existsSync(file + part)) copyFileSync(file + part, to + part)
}

const damaged = Effect.fnUntraced(function* (file: string, folder: string, n: number) {
  const [at, roll, ofLog] = [yield* Random.next, yield* Random.next, yield* Random.nextBoolean]
  const [what, damage] = Object.entries(damages)[n % 4] ?? ["cut", damages.cut]
  const part: Part = ofLog ? "-wal" : ""
  const to = join(folder, `${n}.db`)
  copy(file, to)
  const bytes = readFileSync(to + part)
  writeFileSync(to + part, damage(bytes, at, roll))
  return { file: to, part, what: `${part === "" ? "database" : "log"} ${what} at ${Math.floor(bytes.length * at)}` }
})

const SURVEY = fileURLToPath(new URL("Survey.ts", import.meta.url))

/** What a process of its own finds in the files; fewer answers than files if it dies. */
const survey = (ids: ReadonlyArray<string>, files: ReadonlyArray<string>) =>
  Effect.callback<{ readonly surveyed: ReadonlyArray<Surveyed>; readonly err: string; readonly end: string }>(
    (resume) => {
      const child = spawn(process.execPath, ["--no-warnings", SURVEY, ids.join(","), ...files], {
        stdio: ["ignore", "pipe", "pipe"]
      })
      let [out, err] = ["", ""]
      child.stdout.setEncoding("utf8").on("data", (part: string) => (out += part))
      child.stderr.setEncoding("utf8").on("data", (part: string) => (err += part))
      child.on("close", (code, signal) => {
        const surveyed = out.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Surveyed]))
        resume(Effect.succeed({ surveyed, err, end: `${code ?? signal}` }))
      })
      return Effect.sync(() => child.kill("SIGKILL"))
    }
  )

/** Whether SQLite itself can tell that a file is damaged; it is asked of a copy, since whoever asks repairs the log. */
const isTold = ({ file }: Copy, folder: string): boolean => {
  const probe = join(folder, "probe.db")
  copy(file, probe)
  try {
    return Account.checkFile(probe).length > 0
  } catch {
    return true
  } finally {
    for (const part of ["", "-wal", "-shm"]) rmSync(probe + part, { force: true })
  }
}

const shorter = (found: any, whole: any): boolean =>
  found.events.every((event: unknown, n: number) => JSON.stringify(event) === JSON.stringify(whole.events[n]))

/** What was found where something else was to be found. A log may have lost its end, as one does when it is cut off. */
const judge = (found: Found, whole: Found, id: string, isLog: boolean): "right" | "told" | "never" | "silent" => {
  if (found.kind === "defect") return "never"
  if (found.kind === "failure") return found.message.includes("\n") ? "never" : "told"
  if (whole.kind !== "answer" || JSON.stringify(found) === JSON.stringify(whole)) return "right"
  return isLog && (id === "*" || shorter(found.value, whole.value)) ? "right" : "silent"
}

interface Tally {
  right: number
  told: number
  silent: number
  readonly faults: Array<string>
}

const reckon = (tally: Tally, { opened, sessions }: Surveyed, whole: Surveyed, copy: Copy, told: boolean): void => {
  const all = Object.entries({ opened, ...sessions })
  for (const [id, found] of all) {
    const verdict = judge(found, id === "opened" ? whole.opened : (whole.sessions[id] ?? found), id, copy.part !== "")
    if (verdict === "never") tally.faults.push(`${copy.what}, ${id}: ${JSON.stringify(found)}`)
    else if (verdict === "silent" && told) tally.faults.push(`${copy.what}, ${id}: wrong, and SQLite can tell`)
    else tally[verdict]++
  }
}

/** A database with all kinds of events, of which a part is in its log alone, as a server that is killed leaves it. */
const grown = Effect.fnUntraced(function* (folder: string, ledger: Ledger.Ledger) {
  const file = join(folder, "whole.db")
  const serve = Effect.gen(function* () {
    const [server, url] = yield* Server.started({ db: file })
    yield* Load.sessions(ledger, url)
    const stop = yield* Load.start({ ledger, urls: [url], callers: 6 })
    yield* Effect.sleep(1_500)
    yield* stop
    yield* Verdict.atRest(ledger, url)
    return server
  })
  yield* Effect.scoped(Effect.flatMap(serve, (server) => server.stop("SIGTERM")))
  yield* Effect.scoped(Effect.flatMap(serve, (server) => server.stop("SIGKILL")))
  return file
})

export const damage = (copies: number): Fault => ({
  name: "damaged files",
  run: Effect.gen(function* () {
    const folder = yield* Server.temporaryFolder
    const ledger = Ledger.make(3)
    const file = yield* grown(folder, ledger)
    mkdirSync(join(folder, "copies"))
    const whole = join(folder, "copies", "whole.db")
    copy(file, whole)
    const all = yield* Effect.forEach(Array.from({ length: copies }), (_, n) =>
      damaged(file, join(folder, "copies"), n)
    )
    const told = all.map((one) => isTold(one, folder))
    const { surveyed, err, end } = yield* survey(ledger.sessions, [whole, ...all.map(({ file }) => file)])
    const tally: Tally = { right: 0, told: 0, silent: 0, faults: Server.unclear(err).slice() }
    const [first, ...rest] = surveyed
    if (first === undefined || rest.length < copies) {
      tally.faults.push(`it ended with ${end} at ${all[rest.length]?.what}: ${err.slice(-500)}`)
    }
    for (const [n, found] of rest.entries()) {
      const one = all[n]
      if (one !== undefined && first !== undefined) reckon(tally, found, first, one, told[n] ?? false)
    }
    ledger.faults.push(...tally.faults)
    const did = `${copies} copies: ${tally.right} right, ${tally.told} refused, ${tally.silent} undetectable`
    return yield* Verdict.reckon(did, ledger, file)
  })
})
