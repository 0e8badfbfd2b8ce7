import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import * as ScheduleToolHandlers from "../../src/layers/ScheduleToolHandlers.ts"
import { Reminders } from "../../src/services/Reminders.ts"
import { ScheduleTools } from "../../src/services/ScheduleTools.ts"
import * as SessionWorld from "../../src/testing/SessionWorld.ts"
import * as Nasty from "./Nasty.ts"

/** Calls a tool as a model does; also how many events it added to the log. */
const calling = Effect.gen(function* () {
  const world = yield* SessionWorld.make()
  const make = Effect.provideService(ScheduleToolHandlers.make, Reminders, world.reminders)
  const toolkit = yield* Effect.provideContext(ScheduleTools, yield* ScheduleTools.toHandlers(make))
  return Effect.fnUntraced(function* (name: keyof typeof ScheduleTools.tools, input: unknown) {
    const before = (yield* world.events).length
    const { isFailure, encodedResult } = yield* toolkit
      .handle(name, input as never, "call-1")
      .pipe(Stream.unwrap, Stream.runLast, Effect.flatMap(Effect.fromOption), Effect.orDie)
    return { isFailure, result: encodedResult as any, added: (yield* world.events).length - before }
  })
})

const creates = Effect.fnUntraced(function* (input: unknown) {
  const call = yield* calling
  const { isFailure, result, added } = yield* call("schedule_create", input)
  assert.strictEqual(added, isFailure ? 0 : 1, Nasty.brief(input))
  if (isFailure) return Nasty.isFailure(result, Nasty.brief(input))
  assert.strictEqual(result.deliveryMode, "session-local", Nasty.brief(input))
})

const deletes = Effect.fnUntraced(function* (input: unknown) {
  const call = yield* calling
  yield* call("schedule_create", Nasty.requests[0])
  const { isFailure, result, added } = yield* call("schedule_delete", input)
  if (isFailure) Nasty.isFailure(result, Nasty.brief(input))
  assert.strictEqual(added, result.deleted === true ? 1 : 0, Nasty.brief(input))
})

describe("Tool arguments of any shape", () => {
  it.effect.prop(
    "make a reminder and one event, or a failure and none",
    [Nasty.near(Nasty.requests)],
    ([input]) => creates(input),
    Nasty.runs(400)
  )

  it.effect("of every nasty kind are answered, for each of the three tools", () =>
    Effect.gen(function* () {
      const call = yield* calling
      for (const value of [...Nasty.values, undefined]) {
        yield* creates(value)
        yield* deletes(value)
        yield* deletes({ id: value })
        assert.isFalse((yield* call("schedule_list", value)).isFailure)
      }
    })
  )

  it.effect.prop(
    "delete one reminder, or none",
    [Nasty.near([{ id: "schedule-1" }])],
    ([input]) => deletes(input),
    Nasty.runs(150)
  )
})
