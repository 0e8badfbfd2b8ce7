import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Fault from "../torture/Fault.ts"
import * as Blows from "./Blows.ts"
import * as Torture from "./Torture.ts"

const { TORTURE_SEED = "test" } = process.env

describe("What a cluster acknowledged is so, and nothing comes twice", () => {
  it.live(
    "after runners are killed and frozen, and PostgreSQL cuts connections and crashes",
    () =>
      Effect.gen(function* () {
        const torture = Torture.torture({
          sessions: 24,
          callers: 6,
          blows: [Blows.kill, Blows.freeze, Blows.alone, Blows.cutOff, Blows.crash],
          millis: [3_500, 1_500]
        })
        const { faults, counts } = yield* Fault.run(torture, TORTURE_SEED)
        assert.deepStrictEqual(faults, [])
        assert.isAbove(counts.acknowledged, 0)
        assert.isAbove(counts.delivered, 0)
      }),
    240_000
  )
})
