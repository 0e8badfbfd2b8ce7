import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Logger, Redacted } from "effect"
import * as LogLine from "../../src/cli/LogLine.ts"

const lines = (entry: Effect.Effect<void>, format: Logger.Logger<unknown, string> = LogLine.format) =>
  Effect.gen(function* () {
    const written: Array<string> = []
    const logger = Logger.map(format, (line) => void written.push(line))
    yield* Effect.provide(entry, Logger.layer([logger]))
    return written
  })

const nasty = "tea\nlevel=ERROR message=forged\r\n\u0085\u2028\u2029\u001b[2J\u009b31m\u202e\u200b\u{e0001}end"

describe("LogLine", () => {
  it.effect("keeps every entry on one line, whatever its text holds", () =>
    Effect.gen(function* () {
      const entries = [
        Effect.logInfo(nasty),
        Effect.logWarning(`The Session ${nasty} could not be resumed`, new Error(nasty)),
        Effect.logError("x", Cause.fail({ message: nasty })),
        Effect.logError({ prompt: nasty, deep: [{ nasty }] }),
        Effect.annotateLogs(Effect.logInfo("x"), { [nasty]: nasty }),
        Effect.withLogSpan(Effect.logInfo("x"), nasty)
      ]
      for (const entry of entries) {
        const written = yield* lines(entry)
        assert.strictEqual(written.length, 1)
        assert.notMatch(written[0] ?? "", /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
        assert.include(written[0], "forged")
      }
      const plain = yield* lines(Effect.logInfo("\u001b[31mred"))
      assert.include(plain[0], "message=\\u001b[31mred")
    })
  )

  it.effect("writes JSON where programs read it, one object a line, with the ids of what it is about", () =>
    Effect.gen(function* () {
      const written: Array<string> = []
      const logger = Logger.layer([Logger.map(LogLine.formatJson, (line) => void written.push(line))])
      const entry = Effect.annotateLogs(Effect.logWarning(`forged ${nasty}`, new Error(nasty)), { session_id: "s" })
      yield* Effect.provide(entry, logger)
      yield* Effect.provide(Effect.withSpan(entry, "x"), logger)
      assert.strictEqual(written.length, 2)
      const [plain, traced] = written.map((line) => JSON.parse(line))
      for (const line of written) assert.notMatch(line, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      assert.deepInclude(plain, { level: "WARN", annotations: { session_id: "s" } })
      assert.strictEqual(plain.message[0], `forged ${nasty}`)
      assert.notProperty(plain, "trace_id")
      assert.match(traced.trace_id, /^[0-9a-f]{32}$/u)
      assert.match(traced.span_id, /^[0-9a-f]{16}$/u)
    })
  )

  it.effect("writes no token", () =>
    Effect.gen(function* () {
      const token = Redacted.make("s3cret")
      for (const entry of [
        Effect.logInfo(token),
        Effect.logError({ token }, Cause.die(new Error("x", { cause: token })))
      ]) {
        assert.notInclude((yield* lines(entry)).join("\n"), "s3cret")
        assert.notInclude((yield* lines(entry, LogLine.formatJson)).join("\n"), "s3cret")
      }
    })
  )
})
