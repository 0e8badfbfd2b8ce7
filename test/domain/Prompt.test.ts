import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as Prompt from "../../src/domain/Prompt.ts"

const messageOf = (input: unknown) =>
  Result.match(Prompt.fromInput(input), {
    onFailure: ({ code, message }) => `${code}: ${message}`,
    onSuccess: () => "fine"
  })

describe("Prompt", () => {
  it("is trimmed, and otherwise kept to the letter", () => {
    const text = 'a\u2028b\n"c"\r\t提醒 \u{1f600}'
    assert.deepStrictEqual(Prompt.fromInput(` \u00a0${text}\n`), Result.succeed(Prompt.Prompt.make(text)))
  })

  it("counts its length in bytes of UTF-8", () => {
    assert.strictEqual(messageOf("é".repeat(Prompt.MAX_BYTES / 2)), "fine")
    assert.strictEqual(
      messageOf("é".repeat(Prompt.MAX_BYTES / 2) + "x"),
      "invalid_prompt: prompt: at most 16384 bytes of UTF-8; this one has 16385"
    )
  })

  it("refuses what some store or model could not hold, and says why", () => {
    assert.match(messageOf(" \u00a0\n"), /^invalid_prompt: .*empty/u)
    assert.match(messageOf("a\u0000b"), /^invalid_prompt: .*NUL/u)
    assert.match(messageOf("a\ud800b"), /^invalid_prompt: .*surrogate/u)
    assert.match(messageOf(undefined), /^invalid_prompt: .*write a text/u)
    assert.match(messageOf(7), /^invalid_prompt: /u)
  })

  it("as stored is already trimmed", () => {
    const decode = Schema.decodeUnknownResult(Prompt.Prompt)
    assert.isTrue(Result.isSuccess(decode("stretch")))
    for (const stored of [" stretch", "", "a\u0000b"]) assert.isTrue(Result.isFailure(decode(stored)))
  })
})
