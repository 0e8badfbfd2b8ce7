import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import * as Resume from "../../src/host/Resume.ts"
import { Sessions } from "../../src/host/Sessions.ts"
import { setClock } from "../../src/testing/VirtualTime.ts"
import * as Hosts from "./Hosts.ts"

/** What a host that starts says of the Sessions that nobody opens. */
const said = (host: Hosts.Host) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const logger = Logger.make(({ message }) => void lines.push(String(message)))
    yield* Resume.hint.pipe(Effect.provideService(Sessions, host.sessions), Effect.provide(Logger.layer([logger])))
    return lines
  })

describe("A host that does not resume", () => {
  it.effect("says how many Sessions wait to be opened, and nothing if none does", () =>
    Effect.gen(function* () {
      yield* setClock("2026-12-01T00:00:00.000Z")
      const file = yield* Hosts.temporaryFile
      const first = yield* Hosts.open(file)
      yield* first.sessions.create("waits")
      yield* first.sessions.create("quiet")
      assert.deepStrictEqual(yield* said(first), [])
      yield* (yield* first.sessions.reminders("waits")).create({ prompt: "p", after_seconds: 60 })
      yield* first.close
      assert.deepStrictEqual(yield* said(yield* Hosts.open(file)), [
        "Sessions that are cold and have something to do: 1. Open them, or serve with --resume."
      ])
    })
  )
})
