import { assert, describe, it } from "@effect/vitest"
import { Effect, References, Tracer } from "effect"
import * as Spans from "../../src/layers/Spans.ts"

const collecting = () => {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  return { spans, tracer }
}

describe("Spans", () => {
  it.effect("are not made, nor are their attributes, where nobody collects them", () =>
    Effect.gen(function* () {
      let asked = 0
      const attributes = () => ({ asked: ++asked })
      const work = Effect.andThen(Spans.annotate(attributes), Spans.current)
      const effect = Spans.within(work, "x", { session: "s", attributes })
      assert.isUndefined(yield* effect)
      const { spans, tracer } = collecting()
      const disabled = Effect.provideService(effect, References.TracerEnabled, false)
      assert.isUndefined(yield* Effect.provideService(disabled, Tracer.Tracer, tracer))
      assert.deepStrictEqual([asked, spans.length], [0, 0])
    })
  )

  it.effect("name their Session where it has a name, and take what becomes known within them", () =>
    Effect.gen(function* () {
      const { spans, tracer } = collecting()
      const known = Spans.annotate(() => ({ schedule_id: "schedule-1" }))
      const named = Spans.within(known, "x", { session: "s", attributes: () => ({ stage: "before" }) })
      const nameless = Spans.within(Spans.current, "y", { session: undefined })
      const current = yield* Effect.provideService(Effect.andThen(named, nameless), Tracer.Tracer, tracer)
      assert.deepStrictEqual(
        spans.map(({ name, attributes }) => [name, Object.fromEntries(attributes)]),
        [
          ["x", { session_id: "s", stage: "before", schedule_id: "schedule-1" }],
          ["y", {}]
        ]
      )
      assert.strictEqual(current, spans[1])
    })
  )
})
