import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SessionWorld, VirtualTime } from "effect-session-schedule/testing"

it.effect("a reminder for next year comes back next year, once", () =>
  Effect.gen(function* () {
    const { reminders, agent } = yield* SessionWorld.make({ now: "2026-12-01T09:00:00.000Z" })
    yield* reminders.create({ prompt: "renew the passport", at: "2027-12-01T09:00:00Z" })
    yield* VirtualTime.advance("365 days")
    assert.deepStrictEqual((yield* agent.hears).prompts, ["renew the passport"])
    assert.deepStrictEqual(yield* reminders.list, [])
  })
)
