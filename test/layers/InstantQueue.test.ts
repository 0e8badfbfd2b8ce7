import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as InstantQueue from "../../src/layers/InstantQueue.ts"

const Steps = Schema.Array(
  Schema.Struct({ add: Schema.Boolean, pick: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 50 })) })
).check(Schema.isMaxLength(200))

describe("InstantQueue", () => {
  it.prop("has the earliest item in front, whatever was added and removed", [Steps], ([steps]) => {
    const queue = InstantQueue.make<InstantQueue.Item>()
    const model: Array<InstantQueue.Item> = []
    for (const { add, pick } of steps) {
      const present = model[pick % Math.max(model.length, 1)]
      if (add || present === undefined) {
        const item = { at: pick, index: -1 }
        queue.add(item)
        model.push(item)
      } else {
        queue.remove(present)
        model.splice(model.indexOf(present), 1)
        assert.isFalse(InstantQueue.isQueued(present))
      }
      assert.strictEqual(queue.peek()?.at, model.map(({ at }) => at).sort((a, b) => a - b)[0])
      assert.isTrue(model.every(InstantQueue.isQueued))
    }
  })

  it("gives its items back in order", () => {
    const queue = InstantQueue.make<InstantQueue.Item>()
    for (let i = 0; i < 1_000; i++) queue.add({ at: (i * 7_919) % 1_000, index: -1 })
    const order: Array<number> = []
    for (let item = queue.peek(); item !== undefined; item = queue.peek()) {
      order.push(item.at)
      queue.remove(item)
    }
    assert.deepStrictEqual(
      order,
      Array.from({ length: 1_000 }, (_, i) => i)
    )
  })
})
