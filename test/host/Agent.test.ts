import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Random } from "effect"
import * as Instant from "../../src/domain/Instant.ts"
import { ScheduleId } from "../../src/domain/ScheduleRecord.ts"
import { TimeZone } from "../../src/domain/TimeZone.ts"
import { advance, settle } from "../../src/testing/VirtualTime.ts"
import * as AgentWorld from "./AgentWorld.ts"

const reminder = {
  source: { kind: "schedule" as const, ids: [ScheduleId.make("schedule-1")] as const },
  text: "stretch"
}
const dispatch = { at: Instant.clamp(0), type: "schedule/change", data: {} }

describe("The host's Agent", () => {
  it.effect("acknowledges a prompt once it is durable, and answers it in a turn", () =>
    Effect.gen(function* () {
      const world = yield* AgentWorld.make
      const agent = yield* world.open
      assert.strictEqual(yield* agent.prompt("hello", undefined), 1)
      const { turn, end } = yield* world.nextTurn
      assert.deepStrictEqual(turn.messages, [{ kind: "prompt", id: 1, text: "hello" }])
      yield* turn.record([{ role: "assistant", content: "hi" }])
      yield* end()
      yield* agent.queue.awaitIdle
      assert.deepStrictEqual(yield* world.story, ["prompt 1", "turn 1 takes 1", "turn 1 says", "turn 1 completed"])
      yield* world.crash
      assert.strictEqual((yield* world.story).length, 4)
    })
  )

  it.effect("keeps the speaker's zone on that message alone", () =>
    Effect.gen(function* () {
      const world = yield* AgentWorld.make
      const agent = yield* world.open
      yield* agent.prompt("first", TimeZone.make("Asia/Shanghai"))
      const { turn } = yield* world.nextTurn
      assert.deepStrictEqual(turn.messages, [
        { kind: "prompt", id: 1, text: "first", timeZone: TimeZone.make("Asia/Shanghai") }
      ])
    })
  )

  it.effect("answers prompts that wait together in one turn", () =>
    Effect.gen(function* () {
      const world = yield* AgentWorld.make
      const agent = yield* world.open
      yield* agent.prompt("first", undefined)
      const { end } = yield* world.nextTurn
      yield* agent.prompt("second", undefined)
      yield* agent.prompt("third", undefined)
      yield* end()
      const next = yield* world.nextTurn
      assert.deepStrictEqual(
        next.turn.messages.map(({ id }) => id),
        [2, 3]
      )
    })
  )

  it.effect("starts no turn on a message that is not durable, and starts it once it is", () =>
    Effect.gen(function* () {
      const world = yield* AgentWorld.make
      const agent = yield* world.open
      yield* world.store.break("flush")
      const error = yield* Effect.flip(agent.prompt("hello", undefined))
      assert.strictEqual(error._tag, "BarrierError")
      yield* advance("10 minutes")
      assert.strictEqual(yield* world.begun, 0)
      yield* world.store.mend("flush")
      yield* advance("1 minute")
      const { turn } = yield* world.nextTurn
      assert.strictEqual(turn.messages.length, 1)
    })
  )

  for (const drawn of [0, 0.999_999]) {
    it.effect(`tries a broken barrier again within the longest delay, if ${drawn} is drawn for its jitter`, () =>
      Effect.gen(function* () {
        const world = yield* AgentWorld.make
        const agent = yield* world.open
        yield* world.store.break("flush")
        yield* Effect.flip(agent.prompt("hello", undefined))
        yield* advance("10 minutes")
        yield* world.store.mend("flush")
        yield* advance("1 minute")
        assert.strictEqual(yield* world.begun, 1)
      }).pipe(Effect.provideService(Random.Random, { nextIntUnsafe: () => 0, nextDoubleUnsafe: () => drawn }))
    )
  }

  it.effect("says in the transcript that a turn failed, and goes on", () =>
    Effect.gen(function* () {
      const world = yield* AgentWorld.make
      const agent = yield* world.open
      yield* agent.prompt("first", undefined)
      yield* (yield* world.nextTurn).end("The model failed")
      yield* agent.queue.awaitIdle
      yield* agent.prompt("second", undefined)
      yield* (yield* world.nextTurn).end()
      yield* agent.queue.awaitIdle
      assert.include(yield* world.story, "turn 1 failed")
      assert.include(yield* world.story, "turn 2 completed")
    })
  )

  it.effect("is busy while a turn runs, at once and without waiting", () =>
    Effect.gen(function* () {
      const world = yield* AgentWorld.make
      const agent = yield* world.open
      yield* agent.prompt("hello", undefined)
      const { end } = yield* world.nextTurn
      assert.strictEqual((yield* Effect.flip(agent.queue.maintain(Effect.void)))._tag, "AgentBusy")
      const idle = yield* Effect.forkChild(agent.queue.awaitIdle)
      yield* settle
      assert.isUndefined(idle.pollUnsafe())
      yield* end()
      yield* Fiber.join(idle)
      assert.strictEqual(yield* agent.queue.maintain(Effect.succeed(7)), 7)
    })
  )

  it.effect("lets prompts wait while it is held, and takes them afterwards", () =>
    Effect.gen(function* () {
      const world = yield* AgentWorld.make
      const agent = yield* world.open
      const prompting = yield* agent.queue.maintain(
        Effect.gen(function* () {
          const prompting = yield* Effect.forkDetach(agent.prompt("hello", undefined))
          yield* settle
          assert.isUndefined(prompting.pollUnsafe())
          assert.deepStrictEqual(yield* world.story, [])
          return prompting
        })
      )
      assert.strictEqual(yield* Fiber.join(prompting), 1)
    })
  )

  it.effect("puts a follow-up into the log together with its dispatch, and gives it a turn of its own", () =>
    Effect.gen(function* () {
      const world = yield* AgentWorld.make
      const agent = yield* world.open
      yield* agent.queue.maintain(
        Effect.gen(function* () {
          yield* agent.queue.followUp(reminder)
          assert.deepStrictEqual(yield* world.story, [])
          yield* world.log.append([dispatch])
          yield* world.log.flush
          yield* settle
          assert.strictEqual(yield* world.begun, 0)
        })
      )
      const { turn } = yield* world.nextTurn
      assert.deepStrictEqual(turn.messages, [{ kind: "follow-up", id: 1, ...reminder, attempt: 1 }])
      assert.deepStrictEqual((yield* world.story).slice(0, 2), ["follow-up 1", "schedule/change"])
    })
  )

  it.effect("forgets a follow-up whose dispatch was never appended", () =>
    Effect.gen(function* () {
      const world = yield* AgentWorld.make
      const agent = yield* world.open
      yield* agent.queue.maintain(agent.queue.followUp(reminder))
      yield* settle
      assert.strictEqual(yield* world.begun, 0)
      assert.deepStrictEqual(yield* world.story, [])
    })
  )

  it.effect("takes one follow-up, and only while it is held", () =>
    Effect.gen(function* () {
      const world = yield* AgentWorld.make
      const agent = yield* world.open
      assert.strictEqual((yield* Effect.flip(agent.queue.followUp(reminder)))._tag, "FollowUpError")
      const twice = Effect.andThen(agent.queue.followUp(reminder), agent.queue.followUp(reminder))
      assert.strictEqual((yield* Effect.flip(agent.queue.maintain(twice)))._tag, "FollowUpError")
    })
  )

  it.effect("never mixes a follow-up with prompts", () =>
    Effect.gen(function* () {
      const world = yield* AgentWorld.make
      const agent = yield* world.open
      yield* agent.queue.maintain(Effect.andThen(agent.queue.followUp(reminder), world.log.append([dispatch])))
      yield* agent.prompt("hello", undefined)
      const first = yield* world.nextTurn
      assert.deepStrictEqual(
        first.turn.messages.map(({ kind }) => kind),
        ["follow-up"]
      )
      yield* first.end()
      const second = yield* world.nextTurn
      assert.deepStrictEqual(
        second.turn.messages.map(({ kind }) => kind),
        ["prompt"]
      )
    })
  )

  it.effect("goes on after a crash with the messages that were durable", () =>
    Effect.gen(function* () {
      const world = yield* AgentWorld.make
      const agent = yield* world.open
      yield* agent.queue.maintain(
        Effect.gen(function* () {
          yield* agent.queue.followUp(reminder)
          yield* world.log.append([dispatch])
          yield* world.log.flush
        })
      )
      yield* world.crash
      yield* world.open
      const { turn } = yield* world.nextTurn
      assert.strictEqual(turn.messages[0]?.kind, "follow-up")
    })
  )

  it.effect("closes a turn that a crash cut off, and does not repeat the prompt in it", () =>
    Effect.gen(function* () {
      const world = yield* AgentWorld.make
      const agent = yield* world.open
      yield* agent.prompt("hello", undefined)
      yield* world.nextTurn
      yield* world.crash
      yield* world.open
      yield* settle
      assert.deepStrictEqual(yield* world.story, ["prompt 1", "turn 1 takes 1", "turn 1 interrupted"])
      assert.strictEqual(yield* world.begun, 0)
    })
  )

  it.effect("gives reminders that nobody saw to another turn, three attempts at the most", () =>
    Effect.gen(function* () {
      const world = yield* AgentWorld.make
      const agent = yield* world.open
      yield* agent.queue.maintain(Effect.andThen(agent.queue.followUp(reminder), world.log.append([dispatch])))
      const attempts: Array<number> = []
      for (let i = 0; i < 3; i++) {
        const { turn } = yield* world.nextTurn
        const [message] = turn.messages
        if (message?.kind === "follow-up") attempts.push(message.attempt)
        yield* world.crash
        yield* world.open
        yield* settle
      }
      assert.deepStrictEqual(attempts, [1, 2, 3])
      assert.strictEqual(yield* world.begun, 0)
    })
  )

  it.effect("does not repeat reminders of which some output is durable", () =>
    Effect.gen(function* () {
      const world = yield* AgentWorld.make
      const agent = yield* world.open
      yield* agent.queue.maintain(Effect.andThen(agent.queue.followUp(reminder), world.log.append([dispatch])))
      const { turn } = yield* world.nextTurn
      yield* turn.record([{ role: "assistant", content: "Reminder: stretch" }])
      yield* world.log.flush
      yield* world.crash
      yield* world.open
      yield* settle
      assert.strictEqual(yield* world.begun, 0)
    })
  )

  it.effect("drains: the turn that runs is finished, and what waits is left for later", () =>
    Effect.gen(function* () {
      const world = yield* AgentWorld.make
      const agent = yield* world.open
      yield* agent.prompt("first", undefined)
      const { end } = yield* world.nextTurn
      yield* agent.prompt("second", undefined)
      const draining = yield* Effect.forkChild(agent.drain)
      yield* settle
      assert.isUndefined(draining.pollUnsafe())
      yield* end()
      yield* Fiber.join(draining)
      yield* world.close
      assert.deepStrictEqual((yield* world.story).at(-1), "turn 1 completed")
      yield* world.open
      assert.deepStrictEqual((yield* world.nextTurn).turn.messages[0]?.id, 2)
    })
  )

  it.effect("closes the turn that it can't finish as interrupted", () =>
    Effect.gen(function* () {
      const world = yield* AgentWorld.make
      const agent = yield* world.open
      yield* agent.prompt("first", undefined)
      yield* world.nextTurn
      yield* world.close
      assert.deepStrictEqual((yield* world.story).at(-1), "turn 1 interrupted")
    })
  )
})
