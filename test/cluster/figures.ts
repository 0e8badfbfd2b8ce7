/**
 * How much one, two and three runners do on this machine, and one server without a cluster (0): `node
 * test/cluster/figures.ts [RUNNERS …]`. All of them, PostgreSQL and the callers share its cores.
 */
import { Effect } from "effect"
import { parseArgs } from "node:util"
import * as Client from "../torture/Client.ts"
import * as Ledger from "../torture/Ledger.ts"
import * as Server from "../torture/Server.ts"
import * as Runners from "./Runners.ts"

const SESSIONS = 400
const CALLERS = 64
const CREATE_MILLIS = 8_000

const open = (ledger: Ledger.Ledger, urls: ReadonlyArray<string>) =>
  Effect.forEach(
    ledger.sessions,
    (id, n) => Client.call(ledger, urls[n % urls.length] ?? "", "POST", "/sessions", { id }),
    { concurrency: 16, discard: true }
  )

const post = (ledger: Ledger.Ledger, url: string, session: string, rule: object) =>
  Client.call(ledger, url, "POST", `/sessions/${session}/reminders`, { prompt: ledger.newText(), ...rule })

/** Reminders that are acknowledged in a second, asked of all runners in turn. */
const creates = Effect.fnUntraced(function* (ledger: Ledger.Ledger, urls: ReadonlyArray<string>) {
  let [calls, done] = [0, 0]
  const begun = Date.now()
  const caller = Effect.gen(function* () {
    while (Date.now() - begun < CREATE_MILLIS) {
      const n = calls++
      const answer = yield* post(ledger, urls[n % urls.length] ?? "", ledger.sessions[n % SESSIONS] ?? "", {
        every_seconds: 86_400
      })
      if (answer?.status === 201) done++
    }
  })
  yield* Effect.all(
    Array.from({ length: CALLERS }, () => caller),
    { concurrency: "unbounded" }
  )
  return (done * 1_000) / (Date.now() - begun)
})

/** Reminders of all Sessions that fall due at once, until the last is dispatched; a second's worth. */
const dispatches = Effect.fnUntraced(function* (ledger: Ledger.Ledger, urls: ReadonlyArray<string>) {
  const due = Date.now() + 8_000
  yield* Effect.forEach(
    ledger.sessions,
    (session, n) => post(ledger, urls[n % urls.length] ?? "", session, { at: new Date(due).toISOString() }),
    { concurrency: CALLERS, discard: true }
  )
  yield* Effect.sleep(Math.max(0, due - Date.now()) + 6_000)
  const logs = yield* Effect.forEach(ledger.sessions, (session) => Client.transcript(ledger, urls[0] ?? "", session), {
    concurrency: 8
  })
  const times = logs.flatMap((events = []) =>
    events.filter(({ data }) => data.operation === "dispatch").map(({ at }) => Date.parse(at))
  )
  return times.length < SESSIONS ? Number.NaN : (SESSIONS * 1_000) / (Math.max(...times) - due)
})

const measure = (runners: number) =>
  Effect.gen(function* () {
    const postgres = yield* Runners.postgres
    const ledger = Ledger.make(SESSIONS)
    const urls: Array<string> = []
    if (runners === 0) urls.push((yield* Server.started({ args: ["--database-url", postgres.url] }))[1])
    for (let n = 0; n < runners; n++) urls.push((yield* Runners.seat(postgres, String(n))).url)
    yield* Effect.sleep(3_000)
    yield* open(ledger, urls)
    const created = yield* creates(ledger, urls)
    const dispatched = yield* dispatches(ledger, urls)
    console.log(`${runners}: ${Math.round(created)} creates/s, ${Math.round(dispatched)} dispatches/s`)
  }).pipe(Effect.scoped)

const { positionals } = parseArgs({ allowPositionals: true })
const all = positionals.length === 0 ? [0, 1, 2, 3] : positionals.map(Number)
await Effect.runPromise(Effect.forEach(all, measure, { discard: true }))
