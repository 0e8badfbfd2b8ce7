/**
 * A Session's reminders over an Agent of one's own, in a log in memory.
 */
import { Console, Deferred, Effect, Layer } from "effect"
import { AgentQueue, AlarmClock, EventLogMemory, Reminders, SessionReminders } from "effect-session-schedule"

const heard = Deferred.makeUnsafe<string>()

/** Stands for yours, which holds turns back while it is held, and answers what it is told in a turn of its own. */
const agent = Layer.succeed(AgentQueue.AgentQueue, {
  awaitIdle: Effect.void,
  maintain: (effect) => effect,
  followUp: ({ text }) => Effect.asVoid(Deferred.succeed(heard, text))
})

const Session = SessionReminders.layer.pipe(Layer.provide([EventLogMemory.layer(), agent, AlarmClock.layer]))

const program = Effect.gen(function* () {
  const reminders = yield* Reminders.Reminders
  yield* reminders.create({ prompt: "stretch", after_seconds: 1 })
  yield* Console.log(yield* Deferred.await(heard))
})

await Effect.runPromise(Effect.provide(program, Session))
