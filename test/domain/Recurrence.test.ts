import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import * as Instant from "../../src/domain/Instant.ts"
import * as Recurrence from "../../src/domain/Recurrence.ts"
import * as RuleModel from "./RuleModel.ts"

const Fraction = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))

describe("Recurrence", () => {
  it.prop(
    "finds each occurrence that a look at every minute of the local clock does, and no other",
    [RuleModel.anyRule],
    ([{ clock, rule, occurrences }]) => {
      const found: Array<number> = []
      let next = Recurrence.first(rule, Instant.clamp(clock.from))
      while (Option.isSome(next) && next.value < clock.to) {
        found.push(next.value)
        next = Recurrence.first(rule, next.value)
      }
      assert.deepStrictEqual(
        found,
        occurrences.filter((it) => it > clock.from)
      )
    },
    { arbitrary: { runs: 1000 } }
  )
})
