/**
 * The end of every fault: a healthy server on the file, all Sessions opened and come to rest, and the reckoning.
 */
import { Effect, type Scope } from "effect"
import * as Account from "./Account.ts"
import * as Client from "./Client.ts"
import type { Event, Ledger, View } from "./Ledger.ts"
import * as Load from "./Load.ts"
import * as Server from "./Server.ts"

/** What became of a fault. */
export interface Verdict {
  /** What was done, such as "100 kills". */
  readonly did: string
  readonly counts: Account.Counts
  readonly faults: ReadonlyArray<string>
}

export const NOTHING: Account.Counts = { answered: 0, acknowledged: 0, unknown: 0, delivered: 0, active: 0, deleted: 0 }

/** How long a healthy server may take until nothing is due, waits or runs any more. */
const REST_MILLIS = 60_000

/** A one-shot of ours is due within seconds, so none may be left; and no message may wait, no turn be open. */
const isAtRest = (events: ReadonlyArray<Event>, views: ReadonlyArray<View>): boolean => {
  const of = (type: string) => events.filter((event) => event.type === type)
  const taken = new Set(of("turn/started").flatMap(({ data }) => data.messages))
  return (
    views.every(({ kind }) => kind !== "after" && kind !== "at") &&
    of("inbox/queued").every(({ data }) => taken.has(data.message.id)) &&
    of("turn/ended").length === of("turn/started").length
  )
}

/** A Session once it came to rest; without it, as it was when the time was over. */
const seen = Effect.fnUntraced(function* (ledger: Ledger, url: string, session: string, until: number) {
  const events: Array<Event> = []
  for (;;) {
    const views = yield* Client.list(ledger, url, session)
    const more = yield* Client.transcript(ledger, url, session, events.length)
    events.push(...(more ?? []))
    if (views !== undefined && more !== undefined && isAtRest(events, views)) return { session, events, views }
    if (Date.now() > until) {
      ledger.faults.push(`${session} did not come to rest`)
      return { session, events, views: views ?? [] }
    }
    yield* Effect.sleep(200)
  }
})

/** All Sessions of a running server, once they came to rest. */
export const atRest = (ledger: Ledger, url: string): Effect.Effect<ReadonlyArray<Account.Seen>> =>
  Effect.forEach(ledger.sessions, (session) => seen(ledger, url, session, Date.now() + REST_MILLIS), {
    concurrency: "unbounded"
  })

/** What is wrong with how a server ended that was told to stop. */
export const farewell = ({ code, err }: Server.Ended): ReadonlyArray<string> => [
  ...(code === 0 ? [] : [`told to stop, it ended with code ${code}`]),
  ...Server.unclear(err).map((line) => `it wrote: ${line}`)
]

/** Lets all come to rest on a healthy server, stops it, and reckons. */
export const conclude = Effect.fnUntraced(function* (
  did: string,
  ledger: Ledger,
  file: string,
  [server, url]: readonly [Server.Server, string]
): Effect.fn.Return<Verdict> {
  const all = yield* atRest(ledger, url)
  const goodbye = farewell(yield* server.stop("SIGTERM"))
  return {
    did,
    counts: Account.counts(ledger, all),
    faults: [
      ...ledger.faults,
      ...goodbye,
      ...all.flatMap((one) => Account.checkSession(ledger, one)),
      ...Account.checkFile(file)
    ]
  }
})

/** The same on a server of its own, which finds what the fault left behind. */
export const reckon = (
  did: string,
  ledger: Ledger,
  file: string
): Effect.Effect<Verdict, Server.NotStarted, Scope.Scope> =>
  Effect.gen(function* () {
    const healthy = yield* Server.started({ db: file })
    yield* Load.sessions(ledger, healthy[1])
    return yield* conclude(did, ledger, file, healthy)
  })
