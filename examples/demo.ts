/**
 * The whole product in half a minute: a reminder comes back in a turn of its own; another is due while the server is
 * dead, and is delivered once after it was started again. Run it with `npm run demo`.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"

const folder = mkdtempSync(join(tmpdir(), "session-schedule-demo-"))
const session = "demo"

let running: ChildProcess | undefined

interface Server {
  readonly process: ChildProcess
  readonly url: string
}

const startServer = async (): Promise<Server> => {
  const main = new URL("../src/cli/main.ts", import.meta.url).pathname
  const child = spawn(process.execPath, [main, "serve", "--port", "0", "--db", join(folder, "demo.db")], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  running = child
  for await (const line of createInterface(child.stdout)) {
    const url = /http:\/\/[\d.:]+/u.exec(line)?.[0]
    if (url !== undefined) return { process: child, url }
  }
  throw new Error("the server ended before it listened")
}

const call = async (server: Server, path: string, body?: unknown): Promise<void> => {
  const response = await fetch(server.url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body ?? null)
  })
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
}

interface Event {
  readonly seq: number
  readonly at: string
  readonly type: string
  readonly data: any
}

/** What an event adds to the conversation, as a reader would say it. */
const tell = ({ type, data }: Event): ReadonlyArray<string> => {
  if (type === "inbox/queued") {
    const { kind, text, source } = data.message
    return [kind === "prompt" ? `You:      ${text}` : `Reminder: ${source.ids.join(", ")} is due`]
  }
  if (type !== "turn/output" || data.message.role !== "assistant") return []
  const content: string | ReadonlyArray<{ type: string; text?: string; name?: string; params?: unknown }> =
    data.message.content
  const parts = typeof content === "string" ? [{ type: "text", text: content, name: "", params: {} }] : content
  return parts.map(({ type, text, name, params }) =>
    type === "text" ? `Agent:    ${text}` : `          [${name} ${JSON.stringify(params)}]`
  )
}

const read = async (server: Server): Promise<ReadonlyArray<Event>> => {
  const response = await fetch(`${server.url}/sessions/${session}/transcript`)
  return ((await response.json()) as { readonly events: ReadonlyArray<Event> }).events
}

let told = 0
/** Prints the conversation as it grows, until something has happened so many times. */
const untilSeen = async (server: Server, count: number, happened: (event: Event) => boolean): Promise<void> => {
  for (;;) {
    const events = await read(server)
    for (const event of events.slice(told))
      for (const line of tell(event)) console.log(`${event.at.slice(11, 19)}  ${line}`)
    told = events.length
    if (events.filter(happened).length >= count) return
    await sleep(100)
  }
}

const say = (server: Server, text: string) =>
  call(server, `/sessions/${session}/prompts`, { text, timeZone: "Asia/Shanghai" })
const turnEnded = (event: Event) => event.type === "turn/ended"
const isDelivery = (event: Event) => event.type === "inbox/queued" && event.data.message.kind === "follow-up"

const run = async (): Promise<void> => {
  let server = await startServer()
  console.log(`A server on a fresh file: ${server.url}\n`)
  await call(server, "/sessions", { id: session })

  await say(server, "remind me in 3 seconds to stretch")
  await untilSeen(server, 2, turnEnded)

  console.log("\nRules, in the zone of who says them.\n")
  await say(server, "every weekday at 18:00 remind me to write the report")
  await untilSeen(server, 3, turnEnded)
  await say(server, "on the 1st of every month at 10 remind me to pay the rent")
  await untilSeen(server, 4, turnEnded)
  await say(server, "what reminders do I have?")
  await untilSeen(server, 5, turnEnded)

  console.log("\nAnother one; then the server is killed before it is due.\n")
  await say(server, "remind me in 3 seconds to drink some water")
  await untilSeen(server, 6, turnEnded)
  server.process.kill("SIGKILL")
  await once(server.process, "exit")
  console.log("\nSIGKILL. Nobody is there when the reminder comes due.")
  await sleep(5_000)

  server = await startServer()
  console.log(`Started again: ${server.url}; the Session is opened.\n`)
  await call(server, `/sessions/${session}/open`)
  await untilSeen(server, 7, turnEnded)
  await sleep(1_500)
  const deliveries = (await read(server)).filter(isDelivery).length
  server.process.kill("SIGTERM")
  await once(server.process, "exit")
  console.log(`\nDelivered: ${deliveries} reminders, each once.`)
  if (deliveries !== 2) throw new Error(`expected 2 deliveries, saw ${deliveries}`)
}

const cleanUp = () => {
  running?.kill("SIGKILL")
  rmSync(folder, { recursive: true, force: true })
}
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => (cleanUp(), process.exit(130)))

try {
  await run()
} finally {
  cleanUp()
}
