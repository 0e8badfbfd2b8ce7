/**
 * Three runners under load, hit again and again; in the end all that was acknowledged must be so, and nothing twice.
 */
import { Effect, Exit, Random, Scope } from "effect"
import * as Account from "../torture/Account.ts"
import * as Client from "../torture/Client.ts"
import type { Fault } from "../torture/Fault.ts"
import * as Ledger from "../torture/Ledger.ts"
import * as Load from "../torture/Load.ts"
import * as Verdict from "../torture/Verdict.ts"
import type { Blow } from "./Blows.ts"
import * as Resumption from "./Resumption.ts"
import * as Runners from "./Runners.ts"

export interface Options {
  readonly sessions: number
  readonly callers: number
  readonly blows: ReadonlyArray<Blow>
  /** How long a blow lasts, and how long all goes well until the next, in milliseconds. */
  readonly millis: readonly [hit: number, well: number]
}

interface Struck {
  readonly name: string
  readonly at: number
}

const load = (ledger: Ledger.Ledger, seats: ReadonlyArray<Runners.Seat>, callers: number) =>
  Load.start({ ledger, urls: seats.map(({ url }) => url), callers, pauseMillis: 60 })

/** Callers keep to the address of their runner, so there are new ones for each blow. */
const strike = Effect.fnUntraced(function* (
  ledger: Ledger.Ledger,
  seats: ReadonlyArray<Runners.Seat>,
  postgres: Effect.Success<typeof Runners.postgres>,
  blow: Blow,
  { callers, millis: [hit, well] }: Options
) {
  const victim = seats[Math.floor((yield* Random.next) * seats.length)]
  if (victim === undefined) return []
  const calls = yield* Scope.make()
  const stop = yield* Effect.provideService(load(ledger, seats, callers), Scope.Scope, calls)
  yield* Effect.sleep(well / 2)
  const at = Date.now()
  const mend = yield* blow.hit(victim, postgres)
  yield* Effect.sleep(hit)
  yield* mend
  yield* Effect.sleep(well / 2)
  yield* stop
  yield* Scope.close(calls, Exit.void)
  return [{ name: blow.name, at }] satisfies ReadonlyArray<Struck>
})

/** A runner whose clock is a minute behind joins, works, and is killed. */
const skew = Effect.fnUntraced(function* (
  ledger: Ledger.Ledger,
  seats: ReadonlyArray<Runners.Seat>,
  postgres: Effect.Success<typeof Runners.postgres>,
  { callers, millis: [, well] }: Options
) {
  const behind = yield* Runners.seat(postgres, "behind", true)
  const stop = yield* load(ledger, [...seats, behind], callers)
  yield* Effect.sleep(well)
  yield* behind.server.stop("SIGKILL")
  yield* stop
}, Effect.scoped)

const seconds = (millis: number): string => `${(millis / 1_000).toFixed(1)} s`

/** Each blow with the time until the last late reminder came. */
const report = (struck: ReadonlyArray<Struck>, all: ReadonlyArray<Account.Seen>): string =>
  [...Map.groupBy(struck, ({ name }) => name)]
    .map(([name, times]) => `${name}: ${times.map(({ at }) => seconds(Resumption.after(all, at))).join(", ")}`)
    .join("; ")

export const torture = (options: Options): Fault => ({
  name: "cluster",
  run: Effect.gen(function* () {
    const postgres = yield* Runners.postgres
    const ledger = Ledger.make(options.sessions)
    const seats = [yield* Runners.seat(postgres, "a")]
    for (const name of ["b", "c"]) seats.push(yield* Runners.seat(postgres, name))
    yield* Load.sessions(ledger, seats[0]?.url ?? "")
    const struck: Array<Struck> = []
    for (const blow of options.blows) struck.push(...(yield* strike(ledger, seats, postgres, blow, options)))
    yield* skew(ledger, seats, postgres, options)
    const all = yield* Verdict.atRest(ledger, seats[0]?.url ?? "")
    const overview = yield* Client.call(ledger, seats[1]?.url ?? "", "GET", "/sessions")
    const faults = [
      ...ledger.faults,
      ...(overview?.json.length === options.sessions ? [] : ["another runner lists other Sessions"]),
      ...all.flatMap((seen) => Account.checkSession(ledger, seen))
    ]
    return { did: report(struck, all), counts: Account.counts(ledger, all), faults }
  })
})
