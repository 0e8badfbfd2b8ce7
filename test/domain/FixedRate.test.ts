import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import * as FixedRate from "../../src/domain/FixedRate.ts"
import * as Instant from "../../src/domain/Instant.ts"

const Target = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4_000_000_000_000 }))
const Seconds = Schema.Int.check(Schema.isBetween({ minimum: 300, maximum: 100_000 }))
const Asleep = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60_000_000 }))

describe("FixedRate", () => {
  it.prop(
    "finds the same occurrences as stepping through them",
    [Target, Seconds, Asleep],
    ([start, seconds, asleep]) => {
      const target = Instant.clamp(start)
      const now = Instant.clamp(start + asleep)
      let stepped: number = target
      while (stepped + seconds * 1_000 <= now) stepped += seconds * 1_000
      assert.strictEqual(FixedRate.latest(target, seconds, now), stepped)
      assert.deepStrictEqual(FixedRate.next(target, seconds, now), Instant.fromMillis(stepped + seconds * 1_000))
    }
  )

  it("answers for an age asleep", () => {
    const target = Instant.clamp(Instant.MIN_MILLIS + 123)
    const now = Instant.clamp(Instant.MAX_MILLIS - 1_000_000)
    const latest = FixedRate.latest(target, 300, now)
    assert.isTrue(latest <= now && now - latest < 300_000 && (latest - target) % 300_000 === 0)
  })

  it("has no occurrence past year 9999", () => {
    const target = Instant.clamp(Instant.MAX_MILLIS - 1)
    assert.deepStrictEqual(FixedRate.next(target, 300, target), Option.none())
  })
})
