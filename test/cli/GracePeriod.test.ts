import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as GracePeriod from "../../src/cli/GracePeriod.ts"

describe("A host that was told to stop", () => {
  it.effect("is ended as a failure after its grace period, and no sooner", () =>
    Effect.gen(function* () {
      const codes: Array<number> = []
      yield* Effect.forkChild(GracePeriod.enforce((code) => void codes.push(code)))
      yield* TestClock.adjust("24999 millis")
      assert.deepStrictEqual(codes, [])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(codes, [1])
    })
  )
})
