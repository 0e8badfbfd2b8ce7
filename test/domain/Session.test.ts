import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { SessionHeader, SessionId } from "../../src/domain/Session.ts"

describe("Session", () => {
  it("has an id that is safe in a path and a file name", () => {
    const decode = Schema.decodeUnknownResult(SessionId)
    for (const id of ["a", "s-1", "2026.12", "A_b"]) assert.isTrue(Result.isSuccess(decode(id)), id)
    for (const id of ["", "-a", ".", "../x", "a/b", "a b", "é", "x".repeat(129)])
      assert.isTrue(Result.isFailure(decode(id)), id)
  })

  it("has a header that names its parent only if it is a fork", () => {
    const decode = Schema.decodeUnknownResult(SessionHeader, { onExcessProperty: "error" })
    const header = { version: 1, id: "s", createdAt: "2026-12-01T00:00:00.000Z" }
    assert.isTrue(Result.isSuccess(decode(header)))
    assert.isTrue(Result.isSuccess(decode({ ...header, parentId: "p", seedLength: 3 })))
    assert.isTrue(Result.isFailure(decode({ ...header, seedLength: -1 })))
    assert.isTrue(Result.isFailure(decode({ ...header, version: 2 })))
  })
})
