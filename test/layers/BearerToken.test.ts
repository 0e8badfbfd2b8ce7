import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { inspect } from "node:util"
import * as BearerToken from "../../src/layers/BearerToken.ts"

const of = (text: string) => Option.getOrThrow(BearerToken.fromText(text))

describe("BearerToken", () => {
  it("is what a header can carry, without the white space around it", () => {
    assert.isTrue(BearerToken.accepts(of(" s3cret-._~+/==\n"), "Bearer s3cret-._~+/=="))
    for (const text of ["", " \n", "two words", "zwölf", "a=b", "a\u0000b", "a\nb"]) {
      assert.isTrue(Option.isNone(BearerToken.fromText(text)), text)
    }
  })

  it("is accepted as it is, in a header of the right form", () => {
    const token = of("s3cret")
    for (const header of ["Bearer s3cret", "bearer s3cret", "BEARER  s3cret", BearerToken.toHeader(token)]) {
      assert.isTrue(BearerToken.accepts(token, header), header)
    }
    const wrong = ["Bearer s3cre", "Bearer s3crets", "Bearer S3CRET", "Bearer ", "Basic s3cret", "s3cret", ""]
    for (const header of [...wrong, "Bearer s3cret x", "Bearer,s3cret", undefined]) {
      assert.isFalse(BearerToken.accepts(token, header), String(header))
    }
  })

  it("is printed by nothing", () => {
    const token = of("s3cret")
    for (const text of [String(token), JSON.stringify({ token }), inspect({ token }, { depth: 9 })]) {
      assert.notInclude(text, "s3cret")
    }
  })
})
