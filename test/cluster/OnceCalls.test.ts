import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import * as OnceCalls from "../../src/cluster/OnceCalls.ts"

describe("Calls that arrive twice", () => {
  it.effect("are done once, and answered alike, whether they succeed or fail", () =>
    Effect.gen(function* () {
      const { once } = OnceCalls.make()
      let done = 0
      const well = once(
        "a",
        Effect.sync(() => ++done)
      )
      const badly = once(
        "b",
        Effect.suspend(() => Effect.fail(++done))
      )
      assert.deepStrictEqual([yield* well, yield* well], [1, 1])
      assert.deepStrictEqual([yield* Effect.flip(badly), yield* Effect.flip(badly)], [2, 2])
    })
  )

  it.effect("wait for each other, and hear when the first was interrupted", () =>
    Effect.gen(function* () {
      const { once } = OnceCalls.make()
      const begun = yield* Deferred.make<void>()
      const first = yield* Effect.forkChild(once("a", Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)))
      yield* Deferred.await(begun)
      const second = yield* Effect.forkChild(once("a", Effect.succeed("again")))
      yield* Fiber.interrupt(first)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(second)))
    })
  )

  it.effect("are forgotten after 256 others, and no sooner", () =>
    Effect.gen(function* () {
      const { once } = OnceCalls.make()
      let done = 0
      const call = (name: string) =>
        once(
          name,
          Effect.sync(() => ++done)
        )
      yield* call("first")
      for (let n = 0; n < 255; n++) yield* call(String(n))
      assert.strictEqual(yield* call("first"), 1)
      yield* call("one more")
      assert.strictEqual(yield* call("first"), 258)
    })
  )
})
