import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Tracer } from "effect"
import * as DiscreetTracer from "../../src/host/DiscreetTracer.ts"
import { invalid } from "../../src/domain/ScheduleError.ts"

const SECRET = "bring the xylophone"

const collect = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const spans: Array<Tracer.NativeSpan> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
    yield* Effect.exit(Effect.provideService(effect, Tracer.Tracer, DiscreetTracer.make(tracer)))
    return spans
  })

describe("DiscreetTracer", () => {
  it.effect("lets pass what is known, and nothing that libraries know of people's words", () =>
    Effect.gen(function* () {
      const attributes = {
        session_id: "s",
        schedule_id: ["schedule-1", "schedule-2"],
        "http.route": "/sessions/:id",
        "gen_ai.usage.input_tokens": 7,
        parameters: { prompt: SECRET },
        "url.path": `/${SECRET}`,
        "http.request.header.authorization": SECRET,
        "gen_ai.prompt": SECRET
      }
      const [span] = yield* collect(Effect.withSpan(Effect.void, "x", { attributes }))
      assert.deepStrictEqual(Object.fromEntries(span?.attributes ?? []), {
        session_id: "s",
        schedule_id: ["schedule-1", "schedule-2"],
        "http.route": "/sessions/:id",
        "gen_ai.usage.input_tokens": 7
      })
    })
  )

  it.effect("tells the name of what went wrong, and none of its words", () =>
    Effect.gen(function* () {
      const failures = [
        [Effect.fail(invalid("invalid_rule", SECRET)), "InvalidRequest"],
        [Effect.die(new TypeError(SECRET)), "TypeError"],
        [Effect.fail(SECRET), "Error"]
      ] as const
      for (const [failure, name] of failures) {
        const failing: Effect.Effect<void, unknown> = failure
        const [span] = yield* collect(Effect.withSpan(failing, "x"))
        assert.isTrue(span?.status._tag === "Ended" && Exit.isFailure(span.status.exit))
        const told = span?.status._tag === "Ended" ? String(Exit.findErrorOption(span.status.exit)) : ""
        assert.include(told, name)
        assert.notInclude(
          JSON.stringify(span?.status, (_, value) => (typeof value === "bigint" ? 0 : value)),
          SECRET
        )
      }
    })
  )

  it.effect("keeps no log entries in spans", () =>
    Effect.gen(function* () {
      const [span] = yield* collect(Effect.withSpan(Effect.logInfo(SECRET), "x"))
      assert.deepStrictEqual(span?.events, [])
    })
  )

  it.effect("tells no statement that no operation waits for, and each that one does", () =>
    Effect.gen(function* () {
      const statement = Effect.withSpan(Effect.void, "sqlite", { kind: "client" })
      assert.deepStrictEqual(
        (yield* collect(statement)).map(({ sampled }) => sampled),
        [false]
      )
      const spans = yield* collect(Effect.withSpan(statement, "x"))
      assert.deepStrictEqual(
        spans.map(({ sampled }) => sampled),
        [true, true]
      )
    })
  )
})
