/**
 * A reminder for next year, in no time.
 */
import { Console, Effect } from "effect"
import { Instant } from "effect-session-schedule"
import { SessionWorld, VirtualTime } from "effect-session-schedule/testing"
import { TestClock } from "effect/testing"

const program = Effect.gen(function* () {
  const { reminders, agent } = yield* SessionWorld.make({ now: "2026-12-01T09:00:00.000Z" })
  const { scheduledAt } = yield* reminders.create({ prompt: "renew the passport", at: "2027-12-01T09:00:00Z" })
  yield* VirtualTime.advance("365 days")
  const { prompts } = yield* agent.hears
  yield* Console.log(`${Instant.format(scheduledAt)} ${prompts.join()}`)
})

await Effect.runPromise(Effect.provide(Effect.scoped(program), TestClock.layer()))
