/** What every Agent's queue keeps to: one suite, run over each. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, type Scope } from "effect"
import type { FollowUp } from "../../src/domain/FollowUp.ts"
import { ScheduleId } from "../../src/domain/ScheduleRecord.ts"
import type { AgentQueue } from "../../src/services/AgentQueue.ts"
import { settle } from "../../src/testing/VirtualTime.ts"

/** An idle Agent whose turns stay open until they are ended. */
export interface Subject {
  readonly queue: AgentQueue["Service"]
  /** Someone says something, which opens a turn as soon as the Agent is free. */
  readonly say: Effect.Effect<void>
  readonly endTurn: Effect.Effect<void>
  /** What the owner does with the Session's log after it queued a message. */
  readonly commit: Effect.Effect<void>
  /** The messages that opened a turn so far. */
  readonly heard: Effect.Effect<ReadonlyArray<string>>
}

const message = (text: string): FollowUp => ({
  source: { kind: "schedule", ids: [ScheduleId.make("schedule-1")] },
  text
})

const busy = <A, E extends { readonly _tag: string }>(claim: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(claim), ({ _tag }) => assert.strictEqual(_tag, "AgentBusy"))

export const contract = (agent: string, make: Effect.Effect<Subject, never, Scope.Scope>): void => {
  const deliver = ({ queue, commit }: Subject, text: string) =>
    queue.maintain(Effect.andThen(queue.followUp(message(text)), commit))

  describe(`The queue of an Agent, ${agent}`, () => {
    it.effect("is idle at first, and can be held again and again", () =>
      Effect.gen(function* () {
        const { queue } = yield* make
        yield* queue.awaitIdle
        assert.strictEqual(yield* queue.maintain(Effect.succeed(1)), 1)
        assert.strictEqual(yield* queue.maintain(Effect.succeed(2)), 2)
        yield* queue.awaitIdle
      })
    )

    it.effect("is busy while a turn runs, at once, and idle for all who wait once it ends", () =>
      Effect.gen(function* () {
        const { queue, say, endTurn } = yield* make
        yield* say
        yield* settle
        yield* busy(queue.maintain(Effect.die("not run")))
        const waiting = yield* Effect.forkChild(Effect.all([queue.awaitIdle, queue.awaitIdle], { concurrency: 2 }))
        yield* settle
        assert.isUndefined(waiting.pollUnsafe())
        yield* endTurn
        yield* Fiber.join(waiting)
      })
    )

    it.effect("is held by one at a time", () =>
      Effect.gen(function* () {
        const { queue } = yield* make
        const over = yield* Deferred.make<void>()
        const holding = yield* Effect.forkChild(queue.maintain(Deferred.await(over)))
        yield* settle
        yield* busy(queue.maintain(Effect.die("not run")))
        yield* busy(queue.maintain(Effect.die("not run")))
        const waiting = yield* Effect.forkChild(queue.awaitIdle)
        yield* settle
        assert.isUndefined(waiting.pollUnsafe())
        yield* Deferred.succeed(over, undefined)
        yield* Fiber.join(holding)
        yield* Fiber.join(waiting)
        yield* queue.maintain(Effect.void)
      })
    )

    it.effect("can't be held by who holds it", () =>
      Effect.gen(function* () {
        const { queue } = yield* make
        yield* queue.maintain(busy(queue.maintain(Effect.void)))
      })
    )

    it.effect("opens a turn on a message once it is released, and not before", () =>
      Effect.gen(function* () {
        const { queue, commit, heard } = yield* make
        yield* queue.maintain(
          Effect.gen(function* () {
            yield* queue.followUp(message("stretch"))
            yield* commit
            yield* settle
            assert.deepStrictEqual(yield* heard, [])
          })
        )
        yield* settle
        assert.deepStrictEqual(yield* heard, ["stretch"])
      })
    )

    it.effect("is not idle between the release and the turn that a message opens", () =>
      Effect.gen(function* () {
        const subject = yield* make
        yield* deliver(subject, "stretch")
        yield* busy(subject.queue.maintain(Effect.void))
        yield* settle
        yield* busy(subject.queue.maintain(Effect.void))
        yield* subject.endTurn
        yield* subject.queue.awaitIdle
      })
    )

    it.effect("gives each message a turn of its own, in order", () =>
      Effect.gen(function* () {
        const subject = yield* make
        for (const text of ["first", "second"]) {
          yield* deliver(subject, text)
          yield* settle
          yield* subject.endTurn
          yield* subject.queue.awaitIdle
        }
        assert.deepStrictEqual(yield* subject.heard, ["first", "second"])
      })
    )

    it.effect("lets input that arrives while it is held wait, and takes it after the message", () =>
      Effect.gen(function* () {
        const subject = yield* make
        const { queue, commit, say, heard, endTurn } = subject
        yield* queue.maintain(
          Effect.gen(function* () {
            yield* queue.followUp(message("stretch"))
            yield* say
            yield* settle
            assert.deepStrictEqual(yield* heard, [])
            yield* commit
          })
        )
        yield* settle
        assert.deepStrictEqual(yield* heard, ["stretch"])
        yield* busy(queue.maintain(Effect.void))
        yield* endTurn
        yield* settle
        yield* busy(queue.maintain(Effect.void))
        yield* endTurn
        yield* queue.awaitIdle
        assert.deepStrictEqual(yield* heard, ["stretch"])
      })
    )

    it.effect("is released by who fails, dies, or is interrupted", () =>
      Effect.gen(function* () {
        const { queue } = yield* make
        assert.strictEqual(yield* Effect.flip(queue.maintain(Effect.fail("failed"))), "failed")
        yield* queue.awaitIdle
        yield* Effect.exit(queue.maintain(Effect.die("died")))
        yield* queue.awaitIdle
        const holding = yield* Effect.forkChild(queue.maintain(Effect.never))
        yield* settle
        yield* Fiber.interrupt(holding)
        yield* queue.awaitIdle
        assert.strictEqual(yield* queue.maintain(Effect.succeed("held")), "held")
      })
    )

    it.effect("forgets who no longer waits for it to be idle", () =>
      Effect.gen(function* () {
        const { queue, say, endTurn } = yield* make
        yield* say
        yield* settle
        const waiting = yield* Effect.forkChild(queue.awaitIdle)
        yield* settle
        yield* Fiber.interrupt(waiting)
        yield* endTurn
        yield* queue.awaitIdle
      })
    )

    it.effect("is never held during a turn, nor by two, however they race", () =>
      Effect.gen(function* () {
        const { queue, say, endTurn } = yield* make
        let [holders, turn] = [0, false]
        const claim = queue.maintain(
          Effect.gen(function* () {
            assert.deepStrictEqual([++holders, turn], [1, false])
            yield* Effect.yieldNow
            yield* Effect.yieldNow
            assert.deepStrictEqual([holders--, turn], [1, false])
          })
        )
        const claimant = Effect.repeat(Effect.ignore(Effect.andThen(queue.awaitIdle, claim)), { times: 20 })
        const claiming = yield* Effect.forkChild(Effect.all([claimant, claimant, claimant], { concurrency: 3 }))
        for (let i = 0; i < 10; i++) {
          yield* say
          yield* settle
          turn = true
          yield* settle
          turn = false
          yield* endTurn
        }
        yield* Fiber.join(claiming)
      })
    )
  })
}
