import { assert, describe, it } from "@effect/vitest"
import { Option, Result, Schema } from "effect"
import * as Instant from "../../src/domain/Instant.ts"

const decode = Schema.decodeUnknownResult(Instant.Instant)
const Millis = Schema.toType(Instant.Instant)

describe("Instant", () => {
  it.prop("its text is the platform's ISO text, and reads back as the same instant", [Millis], ([instant]) => {
    const text = new Date(instant).toISOString()
    assert.strictEqual(Instant.format(instant), text)
    assert.deepStrictEqual(Instant.parse(text), Option.some(instant))
    assert.deepStrictEqual(decode(text), Result.succeed(instant))
  })

  it("covers the years 1 to 9999 and no more", () => {
    assert.deepStrictEqual(Instant.parse("0001-01-01T00:00:00.000Z"), Instant.fromMillis(Instant.MIN_MILLIS))
    assert.deepStrictEqual(Instant.parse("9999-12-31T23:59:59.999Z"), Instant.fromMillis(Instant.MAX_MILLIS))
    assert.isTrue(Option.isNone(Instant.fromMillis(Instant.MIN_MILLIS - 1)))
    assert.isTrue(Option.isNone(Instant.fromMillis(Instant.MAX_MILLIS + 1)))
    assert.strictEqual(Instant.clamp(Number.MAX_SAFE_INTEGER), Instant.MAX_MILLIS)
    assert.strictEqual(Instant.clamp(-Number.MAX_SAFE_INTEGER), Instant.MIN_MILLIS)
    assert.strictEqual(Instant.clamp(1.9), 1)
  })

  it("accepts no second spelling of an instant", () => {
    const others = [
      "2026-12-01T09:00:00Z",
      "2026-12-01T09:00:00.00Z",
      "2026-12-01T09:00:00.000z",
      "2026-12-01t09:00:00.000Z",
      "2026-12-01 09:00:00.000Z",
      "2026-12-01T09:00:00.000+00:00",
      " 2026-12-01T09:00:00.000Z",
      "2026-12-01T09:00:00,000Z",
      "2026-13-01T09:00:00.000Z",
      "2026-02-29T09:00:00.000Z",
      "2026-12-01T24:00:00.000Z",
      "2026-12-01T09:60:00.000Z",
      "2026-12-01T09:00:60.000Z",
      "2026/12/01T09:00:00.000Z",
      "2026-12-01T09.00.00.000Z",
      "0000-12-31T23:59:59.999Z",
      "+010000-01-01T00:00:00.000Z",
      "2026-12-01T09:00:00.0x0Z",
      ""
    ]
    for (const text of others) {
      assert.isTrue(Option.isNone(Instant.parse(text)), text)
      assert.isTrue(Result.isFailure(decode(text)), text)
    }
  })

  it("reads RFC 3339 with an offset, and says why it does not", () => {
    const read = (text: string) =>
      Result.match(Instant.fromRfc3339(text), { onFailure: (f) => f, onSuccess: Instant.format })
    assert.strictEqual(read("2026-12-01T09:00:00.5+08:00"), "2026-12-01T01:00:00.500Z")
    assert.strictEqual(read("2026-12-01T09:00:00-09:30"), "2026-12-01T18:30:00.000Z")
    assert.strictEqual(read("2026-12-01T09:00:00+00:00"), "2026-12-01T09:00:00.000Z")
    assert.strictEqual(read("2026-12-01T09:00:00-00:00"), "malformed")
    assert.strictEqual(read("2026-12-01T09:00:00"), "malformed")
    assert.strictEqual(read("0001-01-01T00:00:00+00:01"), "out_of_range")
    assert.strictEqual(read("9999-12-31T23:59:59.999-00:01"), "out_of_range")
  })
})
