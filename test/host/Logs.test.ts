import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, References } from "effect"
import { DatabaseSync } from "node:sqlite"
import { SessionLabel } from "../../src/services/SessionLabel.ts"
import type { Step } from "../../src/testing/FaultyStore.ts"
import * as SessionWorld from "../../src/testing/SessionWorld.ts"
import { advance, settle } from "../../src/testing/VirtualTime.ts"
import { open, temporaryFile } from "./Hosts.ts"
import * as ScriptedModel from "./ScriptedModel.ts"

const SECRET = "bring the xylophone"

/** Everything that is logged, at any level, as JSON. */
const logging = () => {
  const lines: Array<string> = []
  const layer = Layer.merge(
    Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))]),
    Layer.succeed(References.MinimumLogLevel, "All")
  )
  return { lines, layer }
}

/** Each line names the Session, and none says what a prompt says. */
const areDiscreet = (lines: ReadonlyArray<string>, session: string): void => {
  for (const line of lines) {
    assert.strictEqual(JSON.parse(line).annotations.session_id, session, line)
    assert.notMatch(line, /xylophone/iu)
  }
}

describe("The log output", () => {
  for (const step of ["read", "append", "flush"] satisfies ReadonlyArray<Step>) {
    it.effect(`names the Session, and no prompt, when the store's ${step} fails`, () => {
      const { lines, layer } = logging()
      return Effect.gen(function* () {
        const { reminders, store, agent } = yield* SessionWorld.make({ now: "2026-12-01T09:00:00.000Z" })
        yield* reminders.create({ prompt: SECRET, after_seconds: 60 })
        for (const fault of ["fails", "lost", "dies"] as const) {
          yield* store.break(step, fault)
          yield* Effect.exit(reminders.create({ prompt: SECRET, after_seconds: 120 }))
          yield* Effect.exit(reminders.delete(SECRET))
          yield* advance("1 minute")
          yield* store.mend(step)
        }
        yield* agent.refuse(true)
        yield* advance("1 hour")
        yield* settle
        assert.isAtLeast(lines.length, 2)
        areDiscreet(lines, "s")
      }).pipe(Effect.provide(layer), Effect.provideService(SessionLabel, "s"))
    })
  }

  it.live(
    "names the Session, and no prompt, when a host's file is locked, its model dies, and it loses a Session",
    () => {
      const { lines, layer } = logging()
      return Effect.gen(function* () {
        const file = yield* temporaryFile
        const model = ScriptedModel.make(ScriptedModel.says("fine"), Effect.die(new Error("no luck")))
        const { sessions } = yield* open(file, model.layer)
        yield* sessions.create("s")
        yield* sessions.prompt("s", { text: SECRET })
        yield* sessions.prompt("s", { text: SECRET })
        const reminders = yield* sessions.reminders("s")
        yield* reminders.create({ prompt: SECRET, after_seconds: 1 })
        yield* Effect.sleep("1500 millis")
        const other = new DatabaseSync(file)
        other.exec("BEGIN IMMEDIATE")
        yield* Effect.exit(reminders.create({ prompt: SECRET, after_seconds: 60 }))
        other.exec("UPDATE sessions SET epoch = epoch + 1")
        other.exec("COMMIT")
        other.close()
        yield* Effect.exit(sessions.prompt("s", { text: SECRET }))
        yield* Effect.sleep("500 millis")
        assert.isAtLeast(lines.length, 2)
        areDiscreet(lines, "s")
      }).pipe(Effect.scoped, Effect.provide(layer))
    }
  )
})
