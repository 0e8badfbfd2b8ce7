import { assert, describe, it } from "@effect/vitest"
import { MAX_DEPTH, isTooDeep } from "../../src/domain/Nesting.ts"

const nested = (levels: number): unknown => {
  let value: unknown = "leaf"
  for (let n = 0; n < levels; n++) value = n % 2 === 0 ? [value] : { value }
  return value
}

describe("Nesting", () => {
  it("is too deep beyond the most levels, in arrays and objects alike, and not before", () => {
    for (const levels of [0, 1, MAX_DEPTH]) assert.isFalse(isTooDeep(nested(levels)))
    for (const levels of [MAX_DEPTH + 1, 100_000]) assert.isTrue(isTooDeep(nested(levels)))
    assert.isFalse(isTooDeep([null, undefined, 1, "a", Array.from({ length: 5_000 }, () => ({}))]))
  })
})
