import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem } from "effect"
import { connect, type Socket } from "node:net"
import { json, run } from "./Cli.ts"
import { folder, serve, start, startWith } from "./Process.ts"

const request = (method: string, url: string, body?: unknown) =>
  Effect.promise((signal) =>
    fetch(url, {
      method,
      signal,
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  )

/** A request that never ends, and holds up whoever waits for it. */
const unfinished = (port: number) =>
  Effect.acquireRelease(
    Effect.callback<Socket>((resume) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.write("POST /sessions HTTP/1.1\r\nHost: loc", () => resume(Effect.succeed(socket)))
      })
      socket.on("error", () => socket.destroy())
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

describe("serve", () => {
  it.live("tells its address, keeps what it acknowledged, and stops with exit code 0 when told to", () =>
    Effect.gen(function* () {
      const db = `${yield* folder}/new/schedule.db`
      const first = yield* serve(db)
      const { url } = JSON.parse(yield* first.firstLine)
      assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/u)
      assert.strictEqual((yield* request("POST", `${url}/sessions`, { id: "demo" })).status, 201)
      const at = ["--session", "demo", "--json", "--url"]
      const created = json(yield* run(["create", '{"prompt":"Tea","after_seconds":3600}', ...at, url]))
      const events = yield* request("GET", `${url}/sessions/demo/events`)
      yield* first.signal("SIGTERM")
      assert.deepInclude(yield* first.ended, { code: 0, err: "" })
      assert.include(yield* Effect.promise(() => events.text()), '"schedule-1"')

      const second = yield* serve(db)
      const again = JSON.parse(yield* second.firstLine).url
      const [summary] = json(yield* run(["sessions", "--json", "--url", again]))
      assert.deepInclude(summary, { id: "demo", state: "cold", activeReminders: 1, nextTarget: created.scheduledAt })
      assert.deepStrictEqual(json(yield* run(["list", ...at, again])), [created])
      yield* second.signal("SIGINT")
      assert.strictEqual((yield* second.ended).code, 0)
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("waits for no one once it is told to stop a second time", () =>
    Effect.gen(function* () {
      const { ended, firstLine, signal } = yield* serve(`${yield* folder}/schedule.db`)
      const { url } = JSON.parse(yield* firstLine)
      yield* request("POST", `${url}/sessions`, { id: "demo" })
      const events = yield* request("GET", `${url}/sessions/demo/events`)
      yield* unfinished(Number(new URL(url).port))
      yield* signal("SIGTERM")
      yield* Effect.promise(() => events.text())
      yield* signal("SIGINT")
      assert.strictEqual((yield* ended).code, 130)
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("writes its log output as JSON if it is asked to, by a flag or by the environment", () =>
    Effect.gen(function* () {
      const files = yield* folder
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { url } = JSON.parse(yield* (yield* serve(`${files}/a.db`)).firstLine)
          yield* request("POST", `${url}/sessions`, { id: "demo" })
          yield* request("POST", `${url}/sessions/demo/reminders`, { prompt: "Tea", after_seconds: 3600 })
        })
      )
      const args = ["serve", "--port", "0", "--json", "--db", `${files}/a.db`]
      for (const { env, flags } of [
        { env: { SESSION_SCHEDULE_LOG_FORMAT: "json" }, flags: [] },
        { env: { SESSION_SCHEDULE_LOG_FORMAT: "logfmt" }, flags: ["--log-format", "json"] }
      ]) {
        const server = yield* startWith({ env }, ...args, ...flags)
        yield* server.firstLine
        while (!(yield* server.logged).includes("\n")) yield* Effect.sleep(50)
        yield* server.signal("SIGTERM")
        const { err } = yield* server.ended
        const [entry] = err
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
        assert.deepInclude(entry, { level: "INFO" })
        assert.match(entry.message, /have something to do: 1/u)
      }
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("says in one line that telemetry can't be sent where it is told to", () =>
    Effect.gen(function* () {
      const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "s3cret" }
      const server = yield* startWith({ env }, "serve", "--port", "0", "--db", `${yield* folder}/a.db`)
      const { code, err } = yield* server.ended
      assert.strictEqual(code, 1)
      assert.match(err, /^session-schedule: Telemetry can't be sent: OTEL_EXPORTER_OTLP_ENDPOINT has [^\n]+\n$/u)
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("says in one line that a port is taken", () =>
    Effect.gen(function* () {
      const db = `${yield* folder}/schedule.db`
      const { firstLine } = yield* serve(db)
      const { port } = new URL(JSON.parse(yield* firstLine).url)
      const { ended } = yield* start("serve", "--port", port, "--db", db)
      const { code, out, err } = yield* ended
      assert.deepStrictEqual([code, out], [1, ""])
      assert.match(
        err,
        /^session-schedule: The host can't listen on 127\.0\.0\.1, port \d+: another program [^\n]+\n$/u
      )
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("says in one line that a database can't be used", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const damaged = `${yield* folder}/damaged.db`
      yield* files.writeFileString(damaged, "no database, but long enough to be taken for one".repeat(100))
      for (const db of [damaged, yield* folder, "/proc/schedule.db"]) {
        const ran = yield* run(["serve", "--port", "0", "--db", db])
        assert.deepStrictEqual([ran.code, ran.out, ran.err.length], [1, [], 1])
        assert.match(ran.err[0] ?? "", /^session-schedule: The database [^\n]+$/u)
        assert.strictEqual(json(yield* run(["serve", "--db", db, "--json"])).code, "unusable_database")
      }
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
