import { assert, describe, it } from "@effect/vitest"
import * as Page from "./Page.ts"

const page = Page.read("docs/delivery.md")
const rows = Page.table(page, "what happens", "then", "shown by")

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)

/** The title as a test or a fault has it: a name in braces may stand where the page has an ellipsis. */
const titled = (title: string): RegExp => {
  const text = title
    .split("…")
    .map(escape)
    .join(String.raw`\$\{\w+\}`)
  return new RegExp(`(?:\\bit(?:\\.\\w+)*\\(\\s*|\\bname: )["\`]${text}["\`]`, "u")
}

describe("The page about delivery", () => {
  it("names, for each thing that can happen, a test that exists", () => {
    assert.isAbove(rows.length, 30)
    for (const [happens, , shown = ""] of rows) {
      const [, file = "", title = ""] = /^`(test\/[\w/.]+)`: "(.+)"$/u.exec(shown) ?? []
      assert.isTrue(Page.exists(file), `${happens}: ${file}`)
      assert.match(Page.read(file), titled(title), happens)
    }
  })

  it("would notice a title that is no longer there", () => {
    assert.match('  it.effect("does so", () =>', titled("does so"))
    assert.match("it.effect(`whose ${step} fails`, () =>", titled("whose … fails"))
    assert.notMatch('  it.effect("does so now", () =>', titled("does so"))
    assert.notMatch('  describe("does so", () =>', titled("does so"))
  })
})
