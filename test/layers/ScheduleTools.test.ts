import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Stream } from "effect"
import { Tool } from "effect/ai"
import * as ScheduleToolHandlers from "../../src/layers/ScheduleToolHandlers.ts"
import { Reminders } from "../../src/services/Reminders.ts"
import { Create, Delete, List, ScheduleTools } from "../../src/services/ScheduleTools.ts"
import * as SessionWorld from "../../src/testing/SessionWorld.ts"

const now = "2026-12-01T00:00:00.000Z"

/** Calls a tool as a model does, and gives the JSON that it sees. */
const calling = Effect.gen(function* () {
  const world = yield* SessionWorld.make({ now })
  const handlers = yield* ScheduleTools.toHandlers(
    Effect.provideService(ScheduleToolHandlers.make, Reminders, world.reminders)
  )
  const toolkit = yield* Effect.provideContext(ScheduleTools, handlers)
  const call = (name: keyof typeof ScheduleTools.tools, input: unknown) =>
    toolkit.handle(name, input as never, "call-1").pipe(
      Stream.unwrap,
      Stream.runLast,
      Effect.flatMap(Effect.fromOption),
      Effect.map(({ isFailure, encodedResult }) => ({ isFailure, result: encodedResult as unknown })),
      Effect.orDie
    )
  return { world, call }
})

describe("The tools", () => {
  it.effect("create, list and delete, and answer with views as JSON", () =>
    Effect.gen(function* () {
      const { call } = yield* calling
      const view = {
        id: "schedule-1",
        kind: "after",
        prompt: "stretch",
        afterSeconds: 60,
        scheduledAt: "2026-12-01T00:01:00.000Z",
        state: "scheduled",
        deliveryMode: "session-local"
      }
      assert.deepStrictEqual(yield* call("schedule_create", { prompt: " stretch ", after_seconds: 60 }), {
        isFailure: false,
        result: view
      })
      assert.deepStrictEqual(yield* call("schedule_list", {}), { isFailure: false, result: [view] })
      assert.deepStrictEqual(yield* call("schedule_delete", { id: "schedule-1" }), {
        isFailure: false,
        result: { id: "schedule-1", deleted: true }
      })
      assert.deepStrictEqual(yield* call("schedule_delete", { id: "schedule-1" }), {
        isFailure: false,
        result: { id: "schedule-1", deleted: false, code: "schedule_not_found" }
      })
    })
  )

  it.effect("answer every recurring rule with the stored form of its rule", () =>
    Effect.gen(function* () {
      const { call } = yield* calling
      const rules = [
        { every_seconds: 600 },
        { daily: { time: "09:00:00", time_zone: "Asia/Shanghai" } },
        { weekly: { time: "09:00:00.5", time_zone: "Asia/Shanghai", weekdays: [5, 1] } },
        { cron: { expression: "0 9 * * MON-FRI", time_zone: "Asia/Shanghai" } }
      ]
      const views: Array<unknown> = []
      for (const rule of rules) views.push((yield* call("schedule_create", { prompt: "p", ...rule })).result)
      const common = { prompt: "p", state: "scheduled", deliveryMode: "session-local" }
      const zoned = { ...common, timeZone: "Asia/Shanghai" }
      assert.deepStrictEqual<unknown>(views, [
        { ...common, id: "schedule-1", kind: "every", everySeconds: 600, scheduledAt: "2026-12-01T00:10:00.000Z" },
        { ...zoned, id: "schedule-2", kind: "daily", time: "09:00:00.000", scheduledAt: "2026-12-01T01:00:00.000Z" },
        {
          ...zoned,
          id: "schedule-3",
          kind: "weekly",
          time: "09:00:00.500",
          weekdays: [1, 5],
          scheduledAt: "2026-12-04T01:00:00.500Z"
        },
        { ...zoned, id: "schedule-4", kind: "cron", expression: "0 9 * * 1-5", scheduledAt: "2026-12-01T01:00:00.000Z" }
      ])
    })
  )

  it.effect("answer arguments of any shape with one of our codes", () =>
    Effect.gen(function* () {
      const { call } = yield* calling
      for (const [input, code] of [
        [null, "invalid_selector"],
        ["tomorrow", "invalid_selector"],
        [{ prompt: "p", after_seconds: 60, recurring: true }, "invalid_selector"],
        [{ prompt: 7, after_seconds: 60 }, "invalid_prompt"],
        [{ prompt: "p", at: "tomorrow" }, "invalid_rule"]
      ] as const) {
        const { isFailure, result } = yield* call("schedule_create", input)
        assert.isTrue(isFailure)
        assert.strictEqual((result as { readonly code: string }).code, code)
      }
      assert.strictEqual(
        ((yield* call("schedule_delete", [])).result as { readonly code: string }).code,
        "invalid_rule"
      )
      assert.deepStrictEqual(yield* call("schedule_list", {}), { isFailure: false, result: [] })
    })
  )

  it.effect("delete nothing where arguments ask for more than that, and list whatever they ask", () =>
    Effect.gen(function* () {
      const { call } = yield* calling
      yield* call("schedule_create", { prompt: "tea", after_seconds: 60 })
      const { isFailure, result } = yield* call("schedule_delete", { id: "schedule-1", unless: "it is late" })
      assert.isTrue(isFailure)
      assert.deepStrictEqual(result, {
        code: "invalid_rule",
        message: '"unless": leave it out; schedule_delete takes nothing but the id'
      })
      for (const input of [{}, { random_string: "" }, null, [], "all"]) {
        const listed = yield* call("schedule_list", input)
        assert.deepStrictEqual([listed.isFailure, (listed.result as ReadonlyArray<unknown>).length], [false, 1])
      }
    })
  )

  it.effect("tell nothing of a defect", () =>
    Effect.gen(function* () {
      const broken = Reminders.of({
        create: () => Effect.die(new Error("secret")),
        list: Effect.die(new Error("secret")),
        delete: () => Effect.die(new Error("secret"))
      })
      const handlers = Context.get(Context.make(Reminders, broken), Reminders)
      const { schedule_list } = yield* Effect.provideService(ScheduleToolHandlers.make, Reminders, handlers)
      const failure = yield* Effect.flip(schedule_list())
      assert.strictEqual(failure.code, "internal_error")
      assert.notInclude(failure.message, "secret")
    })
  )

  it("show a model exactly what may be written", () => {
    const schema = Tool.getJsonSchema(Create)
    const zone = { type: "string", description: '"UTC", or an IANA name such as "Asia/Shanghai"' }
    assert.deepStrictEqual(schema["required"], ["prompt"])
    assert.strictEqual(schema["additionalProperties"], false)
    assert.deepStrictEqual([schema["minProperties"], schema["maxProperties"]], [2, 2])
    const properties = schema["properties"] as Record<string, Record<string, unknown>>
    assert.deepStrictEqual(Object.keys(properties), [
      "prompt",
      "after_seconds",
      "at",
      "every_seconds",
      "daily",
      "weekly",
      "cron"
    ])
    assert.strictEqual(properties["every_seconds"]?.["minimum"], 300)
    assert.deepStrictEqual(properties["weekly"]?.["required"], ["time", "time_zone", "weekdays"])
    assert.deepStrictEqual<unknown>(Object(properties["weekly"]?.["properties"]).time_zone, zone)
    for (const name of ["daily", "weekly", "cron"])
      assert.strictEqual(properties[name]?.["additionalProperties"], false)
    assert.deepStrictEqual(Tool.getJsonSchema(List)["additionalProperties"], false)
    assert.deepStrictEqual(Tool.getJsonSchema(Delete)["required"], ["id"])
  })
})
