import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Exit, Layer, Scope, Stream, Tracer } from "effect"
import { HttpServer as Server } from "effect/http"
import * as HttpServer from "../../src/host/HttpServer.ts"
import * as LocalModel from "../../src/host/LocalModel.ts"
import { Sessions } from "../../src/host/Sessions.ts"
import * as SqliteHost from "../../src/host/SqliteHost.ts"
import * as Telemetry from "../../src/host/Telemetry.ts"
import * as Collector from "./Collector.ts"
import { post } from "./HttpClient.ts"

type Environment = Readonly<Record<string, string>>

const environment = (variables: Environment) => ConfigProvider.layer(ConfigProvider.fromUnknown(variables))

const telemetry = (variables: Environment) => Telemetry.layer.pipe(Layer.provide(environment(variables)))

const host = (variables: Environment) =>
  HttpServer.layer({ port: 0, host: "127.0.0.1" }).pipe(
    Layer.provideMerge(SqliteHost.layer({ file: ":memory:", model: LocalModel.layer })),
    Layer.provideMerge(telemetry(variables))
  )

const json = (url: string): Environment => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/json"
})

/** A host that lives until it has done something; what it has to tell is sent before it is gone. */
const during = <A, E>(
  variables: Environment,
  use: Effect.Effect<A, E, Server.HttpServer | Sessions>
): Effect.Effect<A, E | unknown> =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const context = yield* Layer.buildWithScope(host(variables), scope)
    return yield* Effect.provideContext(use, context).pipe(Effect.ensuring(Scope.close(scope, Exit.void)))
  })

/** The Session's events up to the end of so many turns. */
const turns = Effect.fnUntraced(function* (id: string, count: number) {
  const sessions = yield* Sessions
  yield* sessions.follow(id, 0).pipe(
    Stream.filter(({ type }) => type === "turn/ended"),
    Stream.take(count),
    Stream.runDrain
  )
})

const SECRET = "bring the xylophone"

const aReminder = Effect.gen(function* () {
  yield* post("/sessions", { id: "s" })
  yield* post("/sessions/s/reminders", { prompt: SECRET, after_seconds: 1 })
  yield* post("/sessions/s/reminders", { prompt: SECRET, after_seconds: 1, at: SECRET })
  yield* post("/sessions/s/prompts", { text: `remind me in 1 hour to ${SECRET}` })
  yield* turns("s", 2)
})

describe("Telemetry", () => {
  it.live("tells a reminder's life in two traces, that of its creation and that of its delivery with its turn", () =>
    Effect.gen(function* () {
      const collector = yield* Collector.make()
      yield* during(json(collector.url), aReminder)
      const spans = collector.spans()
      const ours = (name: string) =>
        spans.filter((span) => span.name === name && span.attributes["schedule_id"] === "schedule-1")
      const only = (name: string) => {
        const found = ours(name)
        assert.strictEqual(found.length, 1, name)
        return found[0]!
      }
      const parentOf = (span: Collector.Span) => spans.find(({ spanId }) => spanId === span.parentSpanId)

      const created = only("Reminders.create")
      assert.deepInclude(created.attributes, { session_id: "s", kind: "after" })
      assert.strictEqual(parentOf(created)?.attributes["http.route"], "/sessions/:id/reminders")

      const delivery = only("Scheduler.delivery")
      assert.deepInclude(delivery.attributes, {
        session_id: "s",
        occurrence_at: created.attributes["scheduled_at"]
      })
      assert.isUndefined(delivery.parentSpanId)
      assert.notStrictEqual(delivery.traceId, created.traceId)

      const turn = only("Agent.turn")
      assert.strictEqual(parentOf(turn), delivery)
      assert.deepInclude(turn.attributes, { session_id: "s", kind: "follow-up", outcome: "completed" })
      assert.deepStrictEqual(
        ours("Transactions.run").map((span) => parentOf(span)),
        [created, delivery]
      )
      const barriers = spans.filter(
        ({ name, traceId }) => name === "PersistenceBarrier.flush" && traceId === delivery.traceId
      )
      assert.deepStrictEqual(
        barriers.map(({ attributes }) => attributes["stage"]),
        ["before", "after"]
      )
      const runs = spans.filter(({ name, traceId }) => name === "TurnRunner.run" && traceId === delivery.traceId)
      assert.deepStrictEqual(runs.map(parentOf), [turn])
    }).pipe(Effect.scoped)
  )

  it.live("links the turn that answers people to what they asked, and tells what it created", () =>
    Effect.gen(function* () {
      const collector = yield* Collector.make()
      yield* during(json(collector.url), aReminder)
      const spans = collector.spans()
      const prompt = spans.find(({ name }) => name === "Sessions.prompt")
      const turn = spans.find(({ name, attributes }) => name === "Agent.turn" && attributes["kind"] === "prompt")
      assert.deepStrictEqual(
        turn?.links.map(({ spanId }) => spanId),
        [prompt?.spanId]
      )
      assert.isUndefined(turn?.parentSpanId)
      const within = spans.filter(({ traceId, name }) => traceId === turn?.traceId && name === "Reminders.create")
      assert.deepStrictEqual(
        within.map(({ attributes }) => attributes["schedule_id"]),
        ["schedule-2"]
      )
    }).pipe(Effect.scoped)
  )

  it.live("sends nothing of what people said, and no token, to the collector", () =>
    Effect.gen(function* () {
      const collector = yield* Collector.make()
      yield* during(json(collector.url), aReminder)
      const paths = new Set(collector.sent.map(({ path }) => path))
      assert.includeMembers([...paths], ["/v1/traces", "/v1/metrics"])
      for (const { body } of collector.sent) assert.notMatch(body, /xylophone/iu)
    }).pipe(Effect.scoped)
  )

  it.live("sends protobuf under the name of the program if nothing else is said, with the headers that are", () =>
    Effect.gen(function* () {
      const collector = yield* Collector.make()
      const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_HEADERS: "x-key=s3cret" }
      yield* during(variables, post("/sessions", { id: "s" }))
      const traces = collector.sent.find(({ path }) => path === "/v1/traces")
      assert.strictEqual(traces?.headers["content-type"], "application/x-protobuf")
      assert.strictEqual(traces?.headers["x-key"], "s3cret")
      assert.include(traces?.body, "session-schedule")
      assert.include(traces?.body, "Sessions.create")
    }).pipe(Effect.scoped)
  )

  it.effect("makes no spans where no collector is named, or the SDK is disabled", () =>
    Effect.gen(function* () {
      for (const variables of [{}, { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1", OTEL_SDK_DISABLED: "true" }]) {
        const context = yield* Layer.build(telemetry(variables))
        assert.strictEqual(Context.get(context, Tracer.Tracer), Tracer.nativeTracer)
      }
    }).pipe(Effect.scoped)
  )

  it.live("harms nobody when the collector is away, or says nothing", () =>
    Effect.gen(function* () {
      const silent = yield* Collector.make({ silent: true })
      for (const url of ["http://127.0.0.1:1", silent.url]) {
        const begun = performance.now()
        const variables = { ...json(url), OTEL_BSP_SCHEDULE_DELAY: "20", OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "1" }
        yield* during(
          variables,
          Effect.gen(function* () {
            for (let n = 0; n < 30; n++) {
              assert.strictEqual((yield* post("/sessions", { id: `s${n}` })).status, 201)
            }
            assert.isAtMost(silent.sent.length, 8)
          })
        )
        assert.isBelow(performance.now() - begun, 30_000)
      }
      assert.isAtLeast(silent.sent.length, 8)
    }).pipe(Effect.scoped)
  )

  it.effect("names the variable that can't be used, says what to write, and never tells what it holds", () =>
    Effect.gen(function* () {
      for (const [name, value] of [
        ["OTEL_EXPORTER_OTLP_ENDPOINT", "s3cret"],
        ["OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", "ftp://s3cret/"],
        ["OTEL_EXPORTER_OTLP_HEADERS", "s3cret"],
        ["OTEL_EXPORTER_OTLP_TRACES_HEADERS", "a=b,s3cret"],
        ["OTEL_EXPORTER_OTLP_PROTOCOL", "s3cret"],
        ["OTEL_EXPORTER_OTLP_METRICS_PROTOCOL", "grpc"],
        ["OTEL_EXPORTER_OTLP_TIMEOUT", "-1"],
        ["OTEL_BSP_SCHEDULE_DELAY", "0"],
        ["OTEL_BLRP_SCHEDULE_DELAY", "0.5"],
        ["OTEL_METRIC_EXPORT_INTERVAL", "-1"],
        ["OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "0"],
        ["OTEL_TRACES_EXPORTER", "otlp,jaeger"],
        ["OTEL_EXPORTER_OTLP_COMPRESSION", "zstd"]
      ] as const) {
        const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1", [name]: value }
        const { message } = yield* Effect.flip(Effect.scoped(Layer.build(telemetry(variables))))
        assert.include(message, `Telemetry can't be sent: ${name} has a value that can't be used: write `)
        assert.notInclude(message, "s3cret")
      }
    })
  )

  it.effect("asks for one protocol, which is that of all signals", () =>
    Effect.gen(function* () {
      const variables = {
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
        OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: "http/json"
      }
      const { message } = yield* Effect.flip(Effect.scoped(Layer.build(telemetry(variables))))
      assert.match(message, /OTEL_EXPORTER_OTLP_LOGS_PROTOCOL can't differ: write OTEL_EXPORTER_OTLP_PROTOCOL/u)
    })
  )

  it.effect("leaves variables alone that are meant for others, since it sends nothing", () =>
    Effect.gen(function* () {
      for (const variables of [{}, { OTEL_EXPORTER_OTLP_ENDPOINT: "ftp://x", OTEL_SDK_DISABLED: "true" }]) {
        yield* Layer.build(telemetry({ OTEL_BSP_SCHEDULE_DELAY: "0", OTEL_TRACES_EXPORTER: "jaeger", ...variables }))
      }
    }).pipe(Effect.scoped)
  )
})
