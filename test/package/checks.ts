/**
 * What the installed package must do on every Node that it supports.
 */
import { Effect, type Scope } from "effect"
import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { cp, rm } from "node:fs/promises"
import { delimiter, dirname, join } from "node:path"
import { startWith } from "../cli/Process.ts"
import * as Project from "./Project.ts"

/** The project, and the Node that runs what is in it. */
export interface Place {
  readonly folder: string
  readonly node: string
}

export interface Check {
  /** One sentence. */
  readonly name: string
  readonly run: (place: Place) => Effect.Effect<void, Project.Failed, Scope.Scope>
}

/** What a module of the project prints. */
const printed = ({ folder, node }: Place, ...args: ReadonlyArray<string>) =>
  Effect.map(Project.execute(node, args, { cwd: folder }), (text) => text.split("\n"))

const environment = ({ node }: Place) => ({ ...process.env, PATH: dirname(node) + delimiter + process.env["PATH"] })

const commandOf = ({ folder }: Place) => join(folder, "node_modules/.bin/session-schedule")

const command = (place: Place, ...args: ReadonlyArray<string>) =>
  Project.execute(commandOf(place), args, { cwd: place.folder, env: environment(place) })

const loads = (entry: string, expected: ReadonlyArray<string>): Check => ({
  name: `loads ${expected.join(" and ")} with ${entry}, besides itself`,
  run: Effect.fnUntraced(function* (place) {
    const [loaded = ""] = yield* printed(place, "Loaded.ts", entry)
    const others = loaded.split(" ").filter((name) => name !== Project.NAME)
    assert.deepEqual(others, expected)
  })
})

/** The driver of PostgreSQL, for as long as the scope is open. */
const installed = (driver: string, { folder }: Place) => {
  const there = join(folder, "node_modules", driver)
  return Effect.acquireRelease(
    Effect.promise(() => cp(join(Project.root, "node_modules", driver), there, { recursive: true })),
    () => Effect.promise(() => rm(there, { recursive: true }))
  )
}

/** What a program says that fails. */
const refusal = <A>(program: Effect.Effect<A, Project.Failed>) =>
  Effect.match(program, { onFailure: ({ message }) => message, onSuccess: () => assert.fail("nothing failed") })

const cluster: Check = {
  name: "asks for the driver of PostgreSQL where it is needed, and nowhere else",
  run: Effect.fnUntraced(function* (place) {
    const driver = "@effect/sql-pg"
    const load = printed(place, "Loaded.ts", `${Project.NAME}/cluster`)
    assert.match(yield* refusal(load), new RegExp(`Cannot find package '${driver}'`, "u"))
    const serve = command(place, "serve", "--json", "--database-url", "postgres://nobody@127.0.0.1:1/nothing")
    assert.match(yield* refusal(serve), /"missing_driver"/u)
    yield* installed(driver, place)
    assert.ok((yield* load).join().split(" ").includes(driver))
  })
}

const composed: Check = {
  name: "brings a reminder back to an Agent of one's own",
  run: Effect.fnUntraced(function* (place) {
    const lines = yield* printed(place, "Composed.ts")
    assert.ok(lines.includes('reminder_prompt: "stretch"'), lines.join("\n"))
  })
}

const example: Check = {
  name: "runs an example of the checkout",
  run: Effect.fnUntraced(function* ({ node }) {
    const text = yield* Project.execute(node, [join(Project.root, "examples/custom-store.ts")])
    assert.match(text, /^taken over: schedule-1/u)
  })
}

const virtual: Check = {
  name: "jumps a year with its testing kit",
  run: Effect.fnUntraced(function* (place) {
    assert.deepEqual(yield* printed(place, "VirtualYear.ts"), ["2027-12-01T09:00:00.000Z renew the passport"])
  })
}

const host: Check = {
  name: "serves Sessions in a process of one's own, to clients over HTTP and WebSocket",
  run: Effect.fnUntraced(function* (place) {
    const [events = "", sessions] = yield* printed(place, "OwnHost.ts")
    assert.match(events, /^schedule\/change .*turn\/started .*turn\/ended$/u)
    assert.equal(sessions, "tea live")
  })
}

const help: Check = {
  name: "has a command that says what it can do, and which version it is",
  run: Effect.fnUntraced(function* (place) {
    assert.match(yield* command(place, "--help"), /serve[^]*preview[^]*replay/u)
    assert.ok((yield* command(place, "--version")).endsWith(`v${Project.VERSION}`))
  })
}

const ask = (url: string, body?: unknown) =>
  Effect.promise(async (signal) => {
    const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }
    const response = await fetch(url, body === undefined ? { signal } : { ...post, signal })
    return [response.status, response.headers.get("content-type"), await response.text()] as const
  })

const serve: Check = {
  name: "has a command that serves the page and the API, and stops when it is told to",
  run: Effect.fnUntraced(function* (place) {
    const options = { command: [commandOf(place)] as const, env: environment(place) }
    const db = join(place.folder, `${randomUUID()}.db`)
    const { ended, firstLine, signal } = yield* startWith(options, "serve", "--port", "0", "--db", db, "--json")
    const { url } = JSON.parse(yield* firstLine)
    for (const path of ["/", "/docs"]) {
      const [status, type, text] = yield* ask(url + path)
      assert.deepEqual([status, type], [200, "text/html; charset=utf-8"])
      assert.match(text, /^<!doctype html>/iu)
    }
    assert.equal((yield* ask(`${url}/sessions`, { id: "tea" }))[0], 201)
    const [status, , created] = yield* ask(`${url}/sessions/tea/reminders`, { prompt: "tea", after_seconds: 3600 })
    assert.equal(status, 201, created)
    const listed = yield* command(place, "list", "--session", "tea", "--json", "--url", url)
    assert.deepEqual(JSON.parse(listed), [JSON.parse(created)])
    yield* signal("SIGTERM")
    assert.equal((yield* ended).code, 0)
  })
}

export const checks: ReadonlyArray<Check> = [
  loads(Project.NAME, ["effect", "node:crypto"]),
  loads(`${Project.NAME}/rpc`, ["effect"]),
  loads(`${Project.NAME}/testing`, ["effect", "node:assert"]),
  cluster,
  composed,
  example,
  virtual,
  host,
  help,
  serve
]
