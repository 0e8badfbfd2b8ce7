import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { setClock, settle } from "../../src/testing/VirtualTime.ts"
import * as Hosts from "../host/Hosts.ts"
import * as ScriptedModel from "../host/ScriptedModel.ts"
import * as Nasty from "./Nasty.ts"

const TOOLS = ["schedule_create", "schedule_delete", "schedule_list", "nothing", "__proto__", ""]

/** Calls of each tool with each of the values, one a turn; after each the model has no more to say. */
const answers = Nasty.values.flatMap((value, n) => [
  ScriptedModel.calls(TOOLS[n % TOOLS.length] ?? "", value),
  ScriptedModel.calls("schedule_create", { prompt: "x", after_seconds: value }),
  ScriptedModel.says("done")
])

describe("A model that calls tools with arguments of any shape", () => {
  it.effect("ends each turn, and leaves the Session as it was", () =>
    Effect.gen(function* () {
      yield* setClock("2026-12-01T00:00:00.000Z")
      const model = ScriptedModel.make(...answers)
      const { sessions } = yield* Hosts.open(yield* Hosts.temporaryFile, model.layer)
      yield* sessions.create("s")
      let from = 0
      for (let turn = 1; model.asked.length < answers.length; turn++) {
        yield* sessions.prompt("s", { text: "hello" })
        yield* settle
        const { events, end } = yield* sessions.transcript("s", from)
        const last: any = events.at(-1)
        assert.deepStrictEqual([last?.type, last?.data.turn], ["turn/ended", turn], `turn ${turn}`)
        if (last.data.error !== undefined) Nasty.isFailure({ code: "failed", message: last.data.error }, `turn ${turn}`)
        from = end
      }
      const [summary] = yield* sessions.list
      assert.isNull(summary?.corrupt)
    })
  )
})
