import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, Metric, Option } from "effect"
import { TestClock } from "effect/testing"
import { readFileSync } from "node:fs"
import * as BearerToken from "../../src/layers/BearerToken.ts"
import * as HttpServer from "../../src/host/HttpServer.ts"
import * as LocalModel from "../../src/host/LocalModel.ts"
import * as SqliteHost from "../../src/host/SqliteHost.ts"
import { settle } from "../../src/testing/VirtualTime.ts"
import { get, isRefused, post, raw, url } from "./HttpClient.ts"

/** A host with metrics of its own. */
const host = (options: Partial<HttpServer.Options> = {}) =>
  HttpServer.layer({ port: 0, host: "127.0.0.1", ...options }).pipe(
    Layer.provide(SqliteHost.layer({ file: ":memory:", model: LocalModel.layer })),
    Layer.provide(Layer.sync(Metric.MetricRegistry, () => new Map()))
  )

/** What Prometheus reads: series with their values. */
const scrape = Effect.gen(function* () {
  const address = yield* url
  const answer = yield* Effect.promise((signal) => fetch(`${address}/metrics`, { signal }))
  assert.strictEqual(answer.status, 200)
  assert.match(answer.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/u)
  const text = yield* Effect.promise(() => answer.text())
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))
  const series = new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]))
  const value = (name: string) => series.get(`session_schedule_${name}`)
  return { text, series, value }
})

/** Waits until the host has done what it was asked for, which takes some turns of the real event loop. */
const until = (name: string, expected: number): Effect.Effect<void, never, any> =>
  Effect.flatMap(Effect.andThen(settle, scrape), ({ value }) =>
    value(name) === expected ? Effect.void : until(name, expected)
  )

layer(host())("Metrics of live Sessions", (it) => {
  it.effect("count what is there at the moment that somebody asks, and what was done so far", () =>
    Effect.gen(function* () {
      const empty = yield* scrape
      for (const name of ["sessions_live", "reminders_active", "reminders_overdue", "sessions_faulted"]) {
        assert.strictEqual(empty.value(name), 0, name)
      }
      assert.strictEqual(empty.value('dispatches_total{kind="after"}'), 0)

      yield* post("/sessions", { id: "a" })
      yield* post("/sessions", { id: "b" })
      yield* post("/sessions/a/reminders", { prompt: "one", after_seconds: 10 })
      yield* post("/sessions/a/reminders", { prompt: "two", after_seconds: 7_200 })
      yield* post("/sessions/b/reminders", { prompt: "three", every_seconds: 300 })
      isRefused(yield* post("/sessions/b/reminders", { prompt: "x", every_seconds: 1 }), 400, "frequency_too_high")
      const created = yield* scrape
      assert.strictEqual(created.value("sessions_live"), 2)
      assert.strictEqual(created.value("reminders_active"), 3)
      assert.strictEqual(created.value('failures_total{operation="create",code="frequency_too_high"}'), 1)

      yield* TestClock.adjust("5 minutes")
      yield* until('turns_total{outcome="completed"}', 2)
      const later = yield* scrape
      assert.strictEqual(later.value("reminders_active"), 2)
      assert.strictEqual(later.value("reminders_overdue"), 0)
      assert.strictEqual(later.value('dispatches_total{kind="after"}'), 1)
      assert.strictEqual(later.value('dispatches_total{kind="every"}'), 1)
      assert.strictEqual(later.value("dispatch_lag_seconds_count"), 2)
      assert.strictEqual(later.value("turn_duration_seconds_count"), 2)
      assert.isAtLeast(later.value("barrier_duration_seconds_count") ?? 0, 6)

      yield* post("/sessions/a/close")
      const closed = yield* scrape
      assert.strictEqual(closed.value("sessions_live"), 1)
      assert.strictEqual(closed.value("reminders_active"), 1)
      assert.strictEqual(closed.series.size, empty.series.size)
      assert.notMatch(closed.text, /three|"a"|"b"|schedule-1/u)
    })
  )

  it.effect("are all that the dashboard and the page on operations ask for", () =>
    Effect.gen(function* () {
      const { text } = yield* scrape
      const known = new Set([...text.matchAll(/^(session_schedule_\w+)/gmu)].map(([, name]) => name))
      const dashboard = JSON.parse(readFileSync(new URL("../../docs/grafana-dashboard.json", import.meta.url), "utf8"))
      const queries: ReadonlyArray<string> = dashboard.panels.flatMap(({ targets = [] }: any) =>
        targets.map(({ expr }: any) => expr)
      )
      const asked = new Set(queries.flatMap((expr) => expr.match(/session_schedule_\w+/gu) ?? []))
      assert.isAtLeast(queries.length, 10)
      assert.deepStrictEqual(
        [...asked].filter((name) => !known.has(name)),
        []
      )
      const families = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gmu)].map(([, name, type]) =>
        type === "histogram" ? `${name}_bucket` : name
      )
      const operations = readFileSync(new URL("../../docs/operations.md", import.meta.url), "utf8")
      const told = new Set(operations.match(/session_schedule_\w+/gu))
      const anywhere = new Set(text.match(/session_schedule_\w+/gu))
      assert.deepStrictEqual(
        [...told].filter((name) => !anywhere.has(name)),
        []
      )
      for (const [, name] of text.matchAll(/^# TYPE (\S+) /gmu)) assert.isTrue(told.has(name ?? ""), name)
      assert.deepStrictEqual(
        families.filter((name) => !asked.has(name!)),
        []
      )
    })
  )
})

const token = Option.getOrThrow(BearerToken.fromText("right"))

layer(host({ token }))("Metrics of a host with a token", (it) => {
  it.effect("are for those who show it, and ask by a name of this machine", () =>
    Effect.gen(function* () {
      isRefused(yield* get("/metrics"), 401, "unauthorized")
      const address = yield* url
      const shown = yield* Effect.promise((signal) =>
        fetch(`${address}/metrics`, { signal, headers: { authorization: "Bearer right" } })
      )
      assert.strictEqual(shown.status, 200)
      const asked =
        "GET /metrics HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer right\r\nConnection: close\r\n\r\n"
      assert.match(yield* raw(asked), /^HTTP\/1\.1 403 /u)
    })
  )
})

describe("Metrics", () => {
  it.effect("of a host that is gone are gone", () =>
    Effect.gen(function* () {
      const registry = new Map()
      const own = Layer.succeed(Metric.MetricRegistry, registry)
      const sessions = SqliteHost.layer({ file: ":memory:", model: LocalModel.layer }).pipe(Layer.provide(own))
      yield* Effect.scoped(Layer.build(sessions))
      const left = yield* Effect.provideService(Metric.snapshot, Metric.MetricRegistry, registry)
      assert.isEmpty(left.filter(({ type }) => type === "Gauge"))
    })
  )
})
