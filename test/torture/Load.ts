/**
 * Callers who do as the dice say, and write down what they were told.
 */
import { Effect, Fiber, Random, type Scope } from "effect"
import * as Client from "./Client.ts"
import type { Claim, Ledger } from "./Ledger.ts"

/** What one caller knows: the books that all keep together, and a server. */
interface Caller {
  readonly ledger: Ledger
  readonly url: string
}

const anyOf = <A>(all: ReadonlyArray<A>) => Effect.map(Random.next, (roll) => all[Math.floor(roll * all.length)] as A)

/** Short delays, and rules that outlive every fault. */
const rules = Effect.gen(function* () {
  const millis = yield* Random.nextIntBetween(500, 2_000)
  return yield* anyOf<object>([
    ...Array.from({ length: 6 }, () => ({ after_seconds: Math.ceil(millis / 1_000) })),
    ...Array.from({ length: 2 }, () => ({ at: new Date(Date.now() + millis).toISOString() })),
    { every_seconds: 86_400 },
    { daily: { time: "03:04:05", time_zone: "Europe/Paris" } }
  ])
})

const create = Effect.fnUntraced(function* ({ ledger, url }: Caller, session: string) {
  const claim: Claim = {
    session,
    prompt: ledger.newText(),
    created: "unknown",
    id: undefined,
    scheduledAt: undefined,
    deleted: undefined
  }
  ledger.claims.push(claim)
  const body = { prompt: claim.prompt, ...(yield* rules) }
  const answer = yield* Client.call(ledger, url, "POST", `/sessions/${session}/reminders`, body)
  claim.created = Client.told(answer)
  if (claim.created !== "acknowledged") return
  claim.id = answer?.json.id
  claim.scheduledAt = Date.parse(answer?.json.scheduledAt)
})

const remove = Effect.fnUntraced(function* ({ ledger, url }: Caller, session: string) {
  const known = ledger.claims.filter((claim) => claim.session === session && claim.id !== undefined)
  const claim = yield* anyOf(known.slice(-8))
  if (claim === undefined || claim.deleted === "acknowledged") return
  claim.deleted ??= "unknown"
  const answer = yield* Client.call(ledger, url, "DELETE", `/sessions/${session}/reminders/${claim.id}`)
  if (Client.told(answer) !== "acknowledged") return
  if (answer?.json.deleted !== true) return
  claim.deleted = "acknowledged"
})

const say = Effect.fnUntraced(function* ({ ledger, url }: Caller, session: string) {
  const text = `remind me in 1 second to ${ledger.newText()}`
  const saying: Ledger["sayings"][number] = { session, text, queued: "unknown" }
  ledger.sayings.push(saying)
  saying.queued = Client.told(yield* Client.call(ledger, url, "POST", `/sessions/${session}/prompts`, { text }))
})

/**
 * What any server acknowledged before the list was asked for, and can't be over by the time it came, is in it; and nothing
 * whose deletion was.
 */
const list = Effect.fnUntraced(function* ({ ledger, url }: Caller, session: string) {
  const mine = ledger.claims.filter((claim) => claim.session === session)
  const created = mine.filter((claim) => claim.created === "acknowledged")
  const gone = new Set(mine.filter(({ deleted }) => deleted === "acknowledged").map(({ prompt }) => prompt))
  const views = yield* Client.list(ledger, url, session)
  if (views === undefined) return
  const now = Date.now()
  const listed = new Set(views.map(({ prompt }) => prompt))
  for (const { prompt, scheduledAt, deleted } of created) {
    const isActive = deleted === undefined && (scheduledAt ?? 0) > now
    if (isActive && !listed.has(prompt)) ledger.faults.push(`${session}: a list misses ${prompt}, which is not due yet`)
  }
  for (const prompt of listed)
    if (gone.has(prompt)) ledger.faults.push(`${session}: a list has ${prompt}, whose deletion was acknowledged`)
})

const read = Effect.fnUntraced(function* ({ ledger, url }: Caller, session: string) {
  const events = yield* Client.transcript(ledger, url, session)
  const before = ledger.shown.get(session)
  if (events !== undefined && events.length >= (before?.events.length ?? 0)) {
    ledger.shown.set(session, { session, events })
  }
})

const open = ({ ledger, url }: Caller, session: string) => Client.call(ledger, url, "POST", `/sessions/${session}/open`)
const close = ({ ledger, url }: Caller, session: string) =>
  Client.call(ledger, url, "POST", `/sessions/${session}/close`)
const overview = ({ ledger, url }: Caller) => Client.call(ledger, url, "GET", "/sessions")

const deeds: ReadonlyArray<
  readonly [weight: number, deed: (caller: Caller, session: string) => Effect.Effect<unknown>]
> = [
  [12, create],
  [4, remove],
  [3, say],
  [3, list],
  [1, read],
  [1, overview],
  [1, open],
  [1, close]
]
const weighted = deeds.flatMap(([weight, deed]) => Array.from({ length: weight }, () => deed))

/** Makes the Sessions, or finds them. */
export const sessions = (ledger: Ledger, url: string) =>
  Effect.forEach(
    ledger.sessions,
    (id) =>
      Effect.repeat(Client.call(ledger, url, "POST", "/sessions", { id }), {
        until: (answer) => answer === undefined || answer.status === 201 || answer.status === 409
      }),
    { discard: true }
  )

export interface Options {
  readonly ledger: Ledger
  /** The servers; each caller keeps to one. */
  readonly urls: ReadonlyArray<string>
  readonly callers: number
  /** The longest pause between two calls of a caller, in milliseconds. */
  readonly pauseMillis?: number
}

/** Callers at work until they are told to stop; what they asked by then is answered, or never will be. */
export const start = ({
  ledger,
  urls,
  callers,
  pauseMillis = 20
}: Options): Effect.Effect<Effect.Effect<void>, never, Scope.Scope> =>
  Effect.gen(function* () {
    let stopped = false
    const work = Effect.fnUntraced(function* (caller: Caller) {
      while (!stopped) {
        const deed = yield* anyOf(weighted)
        yield* deed(caller, yield* anyOf(ledger.sessions))
        yield* Effect.sleep(yield* Random.nextIntBetween(0, pauseMillis))
      }
    })
    const fibers = yield* Effect.forEach(Array.from({ length: callers }), (_, n) =>
      Effect.flatMap(Random.nextInt, (seed) =>
        Effect.forkScoped(Random.withSeed(work({ ledger, url: urls[n % urls.length] ?? "" }), String(seed)))
      )
    )
    return Effect.suspend(() => {
      stopped = true
      return Fiber.joinAll(fibers)
    })
  })
