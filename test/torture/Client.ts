/**
 * Calls over HTTP as any program makes them, which may stay without an answer.
 */
import { Effect } from "effect"
import type { Event, Ledger, Told, View } from "./Ledger.ts"

export interface Answer {
  readonly status: number
  readonly json: any
}

/** Longer than a server waits for a locked database. */
const PATIENCE_MILLIS = 15_000

/** How long a caller rests that got no answer. */
const REST_MILLIS = 100

const ask = async (url: string, method: string, path: string, body: unknown): Promise<Answer | undefined> => {
  try {
    const answer = await fetch(url + path, {
      method,
      signal: AbortSignal.timeout(PATIENCE_MILLIS),
      ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) })
    })
    const text = await answer.text()
    return { status: answer.status, json: text === "" ? undefined : JSON.parse(text) }
  } catch (error) {
    // An answer that is no JSON is the server's fault; all else is what a server that dies looks like.
    if (error instanceof SyntaxError) return { status: 0, json: error.message }
    return undefined
  }
}

/** The answers that a server may give that is in no trouble of its own making. */
const isFair = ({ status, json }: Answer): boolean =>
  status >= 200 &&
  (status < 300 || (typeof json?.code === "string" && typeof json.message === "string" && status !== 500))

/** The answer; none if there is none. One that no server should give is written down as a fault. */
export const call = (
  ledger: Ledger,
  url: string,
  method: string,
  path: string,
  body?: unknown
): Effect.Effect<Answer | undefined> =>
  Effect.gen(function* () {
    const answer = yield* Effect.promise(() => ask(url, method, path, body))
    ledger.calls[answer === undefined ? "unanswered" : "answered"]++
    if (answer === undefined) yield* Effect.sleep(REST_MILLIS)
    else if (!isFair(answer)) {
      ledger.faults.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.json)}`)
    }
    return answer
  })

/** What a call came to. Only a refusal says that nothing was done. */
export const told = (answer: Answer | undefined): Told => {
  if (answer === undefined || answer.status >= 500) return "unknown"
  return answer.status < 300 ? "acknowledged" : "refused"
}

/** The events of a transcript from a place on; none if the server does not say. */
export const transcript = (ledger: Ledger, url: string, session: string, from = 0) =>
  Effect.gen(function* () {
    const events: Array<Event> = []
    for (;;) {
      const path = `/sessions/${session}/transcript?limit=1000&from=${from + events.length}`
      const answer = yield* call(ledger, url, "GET", path)
      if (told(answer) !== "acknowledged") return undefined
      const page: ReadonlyArray<Event> = answer?.json.events
      if (page.length === 0) return events
      events.push(...page)
    }
  })

/** The active reminders of a Session; none if the server does not say. */
export const list = (ledger: Ledger, url: string, session: string) =>
  Effect.map(call(ledger, url, "GET", `/sessions/${session}/reminders`), (answer) =>
    told(answer) === "acknowledged" ? (answer?.json as ReadonlyArray<View>) : undefined
  )
