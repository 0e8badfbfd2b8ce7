import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as PromptInput from "../../src/host/PromptInput.ts"

const refused = (timeZone: unknown) => Effect.flip(PromptInput.decode({ text: "hello", timeZone }))

describe("The zone of a prompt", () => {
  it.effect("is refused in our words when it is no text, however deep or odd its shape", () =>
    Effect.gen(function* () {
      const deep: unknown = JSON.parse("[".repeat(10_000) + "]".repeat(10_000))
      for (const zone of [deep, { toString: 1 }, Object.create(null), [], 7, null, Symbol("UTC")]) {
        assert.deepInclude(yield* refused(zone), {
          code: "invalid_time_zone",
          message: 'timeZone: write "UTC" or an IANA name, such as "Asia/Shanghai".'
        })
      }
    })
  )

  it.effect("is quoted when it is a text that names none", () =>
    Effect.gen(function* () {
      const { message } = yield* refused("Mars/Base\u001b[2J")
      assert.match(message, /^timeZone: "Mars\/Base\\u001b\[2J" is not known; write "UTC" or an IANA name/u)
    })
  )
})
