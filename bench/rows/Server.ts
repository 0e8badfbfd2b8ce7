/**
 * The page and the API under load, alone and with many open streams.
 */
import autocannon from "autocannon"
import { get, type IncomingMessage } from "node:http"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Child from "../measure/Child.ts"
import * as Folder from "../measure/Folder.ts"
import * as Row from "../measure/Row.ts"

const sizes = {
  full: { streams: 1_000, sessions: 100, seconds: 4, rounds: 2 },
  quick: { streams: 20, sessions: 5, seconds: 1, rounds: 1 }
}

/** Clients that ask, each again as soon as it is answered. */
const CONNECTIONS = 10
/** How an event of a transcript begins on the wire. */
const EVENT = /^data: \{/gmu
/** Connections besides those of the load. */
const SPARE = 100

interface Request {
  readonly name: string
  readonly path: (session: string) => string
  readonly body?: object
}

const requests: ReadonlyArray<Request> = [
  { name: "GET /", path: () => "/" },
  { name: "GET /sessions", path: () => "/sessions" },
  { name: "POST a prompt", path: (id) => `/sessions/${id}/prompts`, body: { text: "Hello." } },
  {
    name: "POST a reminder",
    path: (id) => `/sessions/${id}/reminders`,
    body: { prompt: "stretch your legs", after_seconds: 86_400 }
  }
]

interface Found {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly failures: number
}

const load = async (
  url: string,
  { path, body }: Request,
  ids: ReadonlyArray<string>,
  seconds: number
): Promise<Found> => {
  const method = body === undefined ? "GET" : "POST"
  const headers = { "content-type": "application/json" }
  const found = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    requests: ids.map((id) => ({
      method,
      path: path(id),
      ...(body === undefined ? {} : { headers, body: JSON.stringify(body) })
    }))
  })
  return {
    perSecond: found.requests.average,
    p50: found.latency.p50,
    p99: found.latency.p99,
    failures: found.non2xx + found.errors
  }
}

const post = async (url: string, body: object): Promise<void> => {
  const headers = { "content-type": "application/json" }
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
}

interface Streams {
  /** How many events came. */
  events(): number
  /** How many are still open. */
  open(): number
  close(): void
}

/** Opens streams of transcripts, and waits until each is answered. */
const openStreams = async (url: string, ids: ReadonlyArray<string>, count: number): Promise<Streams> => {
  const open = new Set<IncomingMessage>()
  let events = 0
  const listen = (id: string) =>
    new Promise<void>((resolve, reject) => {
      const request = get(`${url}/sessions/${id}/events`, { agent: false }, (response) => {
        open.add(response)
        response.on("data", (chunk: Buffer) => (events += chunk.toString().match(EVENT)?.length ?? 0))
        response.on("error", () => open.delete(response))
        response.once("close", () => open.delete(response))
        resolve()
      })
      request.on("error", reject)
    })
  for (let n = 0; n < count; n += ids.length) await Promise.all(ids.slice(0, count - n).map(listen))
  return {
    events: () => events,
    open: () => open.size,
    close: () => {
      for (const response of open) response.destroy()
    }
  }
}

const stop = (child: ReturnType<typeof Child.start>): Promise<unknown> => {
  const ended = new Promise((resolve) => child.once("exit", resolve))
  child.kill("SIGTERM")
  return ended
}

interface Samples {
  readonly alone: Array<Found>
  readonly streaming: Array<Found>
  readonly floor: Array<Found>
}

interface Setting {
  readonly ids: ReadonlyArray<string>
  readonly streams: number
  readonly seconds: number
  readonly notes: Array<string>
}

/** A server of its own for each, so that none finds what another left. */
const ours = async (request: Request, { ids, streams, seconds, notes }: Setting): Promise<Found> => {
  const server = Child.start(new URL("../ours/LoadedServer.ts", import.meta.url), {
    args: [join(Folder.temporary(), "server.db"), String(streams + CONNECTIONS + SPARE)]
  })
  const url = await Child.firstMessage<string>(server)
  for (const id of ids) await post(`${url}/sessions`, { id })
  const opened = await openStreams(url, ids, streams)
  const found = await load(url, request, ids, seconds)
  if (opened.open() < streams)
    notes.push(`${request.name}: ${opened.open()} of ${streams} streams were open at the end.`)
  if (found.failures > 0) notes.push(`${request.name}: ${found.failures} requests failed, with ${streams} streams.`)
  if (opened.events() > 0)
    notes.push(`${request.name}: ${opened.events().toLocaleString("en-US")} events were streamed.`)
  opened.close()
  await stop(server)
  return found
}

const plain = async (request: Request, { ids, seconds }: Setting): Promise<Found> => {
  const page = fileURLToPath(new URL("../../web/index.html", import.meta.url))
  const server = Child.start(new URL("../floors/PlainServer.ts", import.meta.url), { args: [page] })
  const found = await load(await Child.firstMessage<string>(server), request, ids, seconds)
  await stop(server)
  return found
}

const measure = async (request: Request, setting: Setting, rounds: number): Promise<Samples> => {
  const samples: Samples = { alone: [], streaming: [], floor: [] }
  for (let n = 0; n < rounds; n++) {
    samples.floor.push(await plain(request, setting))
    samples.alone.push(await ours(request, { ...setting, streams: 0 }))
    samples.streaming.push(await ours(request, setting))
  }
  return samples
}

const rowsOf = (name: string, { alone, streaming, floor }: Samples, streams: number): ReadonlyArray<Row.Row> => {
  const row = (what: string, unit: string, of: (found: Found) => number): Row.Row => ({
    what: `${name}: ${what}`,
    unit,
    entries: [
      { who: "ours", role: "ours", samples: alone.map(of) },
      { who: `ours, with ${streams.toLocaleString("en-US")} open streams`, role: "peer", samples: streaming.map(of) },
      { who: "node:http, which sends the page and does nothing else", role: "floor", samples: floor.map(of) }
    ],
    goals: []
  })
  return [row("requests", "/s", ({ perSecond }) => perSecond), row("p99", "ms", ({ p99 }) => p99)]
}

export const run = async (size: Row.Size): Promise<Row.Section> => {
  const { streams, sessions, seconds, rounds } = sizes[size]
  const ids = Array.from({ length: sessions }, (_, n) => `load-${n}`)
  const notes: Array<string> = []
  const rows: Array<Row.Row> = []
  for (const request of requests) {
    const samples = await measure(request, { ids, streams, seconds, notes }, rounds)
    rows.push(...rowsOf(request.name, samples, streams))
  }
  return { rows, notes }
}
