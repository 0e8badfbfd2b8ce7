import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import * as Database from "../postgres/Database.ts"
import { run } from "./Cli.ts"
import { change, events, every, folder, header } from "./LogText.ts"
import { startWith } from "./Process.ts"

const SECRET = "secret"

const request = (method: string, url: string, body?: unknown) =>
  Effect.promise(async () => {
    const headers = { "content-type": "application/json" }
    const answer = await fetch(url, { method, ...(body === undefined ? {} : { headers, body: JSON.stringify(body) }) })
    return answer.json()
  })

const serve = Effect.fnUntraced(function* (url: string, ...flags: ReadonlyArray<string>) {
  const env = { SESSION_SCHEDULE_DATABASE_URL: url }
  const server = yield* startWith({ env }, "serve", "--port", "0", "--json", ...flags)
  return { ...server, url: JSON.parse(yield* server.firstLine).url as string }
})

/** A Node that finds no driver of PostgreSQL. */
const WITHOUT_DRIVER = `--import "data:text/javascript,import { registerHooks } from 'node:module'; registerHooks({ resolve(name, context, next) { if (!name.startsWith('@effect/sql-pg')) return next(name, context); throw Object.assign(new Error('Cannot find package @effect/sql-pg'), { code: 'ERR_MODULE_NOT_FOUND' }) } })"`

describe("serve on PostgreSQL", () => {
  it.live("keeps Sessions there, from one server to the next, and shows nobody the password", () =>
    Effect.gen(function* () {
      const database = yield* Database.make
      const first = yield* serve(database)
      yield* request("POST", `${first.url}/sessions`, { id: "demo" })
      yield* request("POST", `${first.url}/sessions/demo/reminders`, { prompt: "Tea", after_seconds: 3_600 })
      yield* first.signal("SIGTERM")
      const ended = yield* first.ended
      assert.strictEqual(ended.code, 0)
      const second = yield* serve(database)
      const [reminder] = yield* request("GET", `${second.url}/sessions/demo/reminders`)
      assert.strictEqual(reminder.prompt, "Tea")
      yield* second.signal("SIGTERM")
      assert.notInclude(ended.err + ended.out + (yield* second.ended).err, SECRET)
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("goes on in a cluster with the Sessions that were imported", () =>
    Effect.gen(function* () {
      const database = yield* Database.make
      const here = yield* folder
      const log = yield* here.write(
        "demo",
        header("demo") +
          events(
            every("schedule-1"),
            change({ operation: "dispatch", id: "schedule-1", acceptedAt: "2026-12-01T00:05:00.000Z" })
          )
      )
      const imported = yield* run(["import", log, "--database-url", database])
      assert.deepStrictEqual([imported.code, imported.out], [0, ["Imported demo, 2 events."]])
      const again = yield* run(["import", log, "--database-url", database])
      assert.notInclude(again.err.join(), SECRET)
      assert.match(again.err.join(), /There is a Session demo in the PostgreSQL database already/u)
      const runner = yield* serve(database, "--cluster", "--runner-port", "34477", "--resume")
      const [reminder] = yield* request("GET", `${runner.url}/sessions/demo/reminders`)
      assert.strictEqual(reminder.id, "schedule-1")
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("says in one line what is missing", () =>
    Effect.gen(function* () {
      const env = { SESSION_SCHEDULE_DATABASE_URL: "postgres://me:secret@127.0.0.1:1/none" }
      for (const [options, flags, message] of [
        [{ env: { ...env, NODE_OPTIONS: WITHOUT_DRIVER } }, [], /npm install @effect\/sql-pg$/u],
        [{ env: { ...env, NODE_OPTIONS: WITHOUT_DRIVER } }, ["--cluster"], /npm install @effect\/sql-pg$/u],
        [{ env }, [], /The database postgres:\/\/127\.0\.0\.1:1\/none cannot be used: its server cannot be reached/u],
        [{ env }, ["--cluster"], /its server cannot be reached/u],
        [{}, ["--cluster"], /--cluster needs --database-url/u],
        [{}, ["--db", "a.db", "--database-url", "postgres://host/a"], /give one of them/u]
      ] as const) {
        const { code, out, err } = yield* (yield* startWith(options, "serve", "--port", "0", ...flags)).ended
        assert.isAbove(code ?? 0, 0)
        assert.match((err + out).trim(), message)
        assert.notInclude(err + out, SECRET)
      }
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
