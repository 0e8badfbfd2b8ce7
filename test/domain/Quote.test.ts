import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { line, quote } from "../../src/domain/Quote.ts"

describe("a quoted text", () => {
  it("is its JSON string", () => {
    assert.strictEqual(quote('say "hi" \\ to Zürich, 東京 🙂'), '"say \\"hi\\" \\\\ to Zürich, 東京 🙂"')
  })

  it("shows every control, invisible and separating character by its code", () => {
    assert.strictEqual(quote("a\nb\u0000c\u007Fd\u0085e"), '"a\\nb\\u0000c\\u007fd\\u0085e"')
    assert.strictEqual(quote("\u200B\u202E\u2028\u00A0\uFEFF"), '"\\u200b\\u202e\\u2028\\u00a0\\ufeff"')
    assert.strictEqual(quote("\u{E0041}"), '"\\udb40\\udc41"')
    assert.strictEqual(quote("\uD83D"), '"\\ud83d"')
  })

  it("is cut when it is long, and tells how long it was", () => {
    assert.strictEqual(quote("x".repeat(60)), `"${"x".repeat(60)}"`)
    assert.strictEqual(quote("x".repeat(5_000)), `"${"x".repeat(60)}"... (5000 characters)`)
  })

  it.prop("reads back as the text when it is short", [Schema.String.check(Schema.isMaxLength(60))], ([text]) => {
    assert.strictEqual(JSON.parse(quote(text)), text)
  })
})

describe("a line from elsewhere", () => {
  it("shows all that is invisible, on one line", () => {
    assert.strictEqual(line("a\u001b[2J\nb\u202ec\ud800"), "a\\u001b[2J b\\u202ec\\ud800")
  })

  it("is cut when it is long, between two characters", () => {
    assert.strictEqual(line("🙂".repeat(500)), "🙂".repeat(200))
  })
})
