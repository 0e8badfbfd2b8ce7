/**
 * How soon Sessions go on after each blow, with nothing else to do: `node test/cluster/resume.ts`. Each of 60 Sessions has
 * a reminder that falls due 2 seconds after the blow; printed is when the last of them was dispatched, after the blow.
 */
import { Effect } from "effect"
import * as Client from "../torture/Client.ts"
import * as Ledger from "../torture/Ledger.ts"
import * as Load from "../torture/Load.ts"
import * as Blows from "./Blows.ts"
import * as Runners from "./Runners.ts"

const SESSIONS = 60
const DUE_MILLIS = 4_000
const PATIENCE_MILLIS = 60_000

const dispatchedAt = (ledger: Ledger.Ledger, url: string, session: string, prompt: string) =>
  Effect.map(Client.transcript(ledger, url, session), (events = []) => {
    const created = events.find(({ data }) => data.operation === "create" && data.schedule.prompt === prompt)
    const id = created?.data.schedule.id
    return events.find(({ data }) => data.operation === "dispatch" && data.id === id)?.at
  })

const last = Effect.fnUntraced(function* (ledger: Ledger.Ledger, url: string, prompts: ReadonlyMap<string, string>) {
  const until = Date.now() + PATIENCE_MILLIS
  const waiting = new Map(prompts)
  const times: Array<number> = []
  while (waiting.size > 0 && Date.now() < until) {
    for (const [session, prompt] of waiting) {
      const at = yield* dispatchedAt(ledger, url, session, prompt)
      if (at === undefined) continue
      times.push(Date.parse(at))
      waiting.delete(session)
    }
    yield* Effect.sleep(200)
  }
  return waiting.size > 0 ? Number.NaN : Math.max(...times)
})

const measure = Effect.fnUntraced(function* (
  ledger: Ledger.Ledger,
  seats: ReadonlyArray<Runners.Seat>,
  postgres: Effect.Success<typeof Runners.postgres>,
  blow: Blows.Blow
) {
  const [healthy, victim] = seats
  if (healthy === undefined || victim === undefined) return
  const due = Date.now() + DUE_MILLIS
  const prompts = new Map(ledger.sessions.map((session) => [session, ledger.newText()]))
  yield* Effect.forEach(
    prompts,
    ([session, prompt]) =>
      Client.call(ledger, healthy.url, "POST", `/sessions/${session}/reminders`, {
        prompt,
        at: new Date(due).toISOString()
      }),
    { concurrency: 8, discard: true }
  )
  yield* Effect.sleep(Math.max(0, due - 2_000 - Date.now()))
  const at = Date.now()
  const mend = yield* blow.hit(victim, postgres)
  const end = yield* last(ledger, healthy.url, prompts)
  console.log(`${blow.name}: ${((end - at) / 1_000).toFixed(1)} s`)
  yield* mend
  yield* Effect.sleep(8_000)
})

const main = Effect.gen(function* () {
  const postgres = yield* Runners.postgres
  const ledger = Ledger.make(SESSIONS)
  const seats = [yield* Runners.seat(postgres, "a")]
  for (const name of ["b", "c"]) seats.push(yield* Runners.seat(postgres, name))
  yield* Effect.sleep(4_000)
  yield* Load.sessions(ledger, seats[0]?.url ?? "")
  const { kill, freeze, stop, noStore, noPeers, alone, crash, cutOff } = Blows
  for (const blow of [kill, kill, freeze, freeze, stop, noStore, noPeers, alone, crash, cutOff]) {
    yield* measure(ledger, seats, postgres, blow)
  }
}).pipe(Effect.scoped)

await Effect.runPromise(main)
