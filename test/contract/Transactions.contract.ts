/** What transactions over a Session's log keep to. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, type Scope } from "effect"
import * as Instant from "../../src/domain/Instant.ts"
import * as Prompt from "../../src/domain/Prompt.ts"
import type { ScheduleChange } from "../../src/domain/ScheduleChange.ts"
import * as ScheduleLog from "../../src/domain/ScheduleLog.ts"
import type { ScheduleId } from "../../src/domain/ScheduleRecord.ts"
import type { SessionEvent } from "../../src/domain/Session.ts"
import type { Transactions } from "../../src/services/Transactions.ts"
import type { FaultyStore } from "../../src/testing/FaultyStore.ts"
import { advance, settle } from "../../src/testing/VirtualTime.ts"

export interface Subject {
  readonly transactions: Transactions["Service"]
  readonly store: FaultyStore
  /** All events of the log, pending ones included. */
  readonly events: Effect.Effect<ReadonlyArray<SessionEvent>>
  /** Drops what is not durable. */
  readonly crash: Effect.Effect<void>
}

const created = (id: ScheduleId): ScheduleChange => ({
  version: 1,
  operation: "create",
  schedule: { id, kind: "at", prompt: Prompt.Prompt.make("stretch"), scheduledAt: Instant.clamp(9e12) }
})

/** Creates a reminder, and answers with its id. */
const create = ({ transactions }: Subject) =>
  transactions.run((log) => {
    const id = ScheduleLog.nextId(log)
    return Effect.succeed({ changes: [created(id)], value: id as string })
  })

/** The ids of the reminders that the log holds. */
const look = ({ transactions }: Subject) =>
  transactions.run((log) =>
    Effect.succeed({ changes: [], value: ScheduleLog.active(log).map(({ id }) => id as string) })
  )

export const contract = (
  layer: string,
  make: (events?: ReadonlyArray<SessionEvent>) => Effect.Effect<Subject, never, Scope.Scope>
): void => {
  describe(`Transactions, ${layer}`, () => {
    it.effect("decide on all that the log holds, and append what they decide", () =>
      Effect.gen(function* () {
        const subject = yield* make()
        assert.strictEqual(yield* create(subject), "schedule-1")
        assert.strictEqual(yield* create(subject), "schedule-2")
        assert.deepStrictEqual(yield* look(subject), ["schedule-1", "schedule-2"])
      })
    )

    it.effect("see what others appended meanwhile", () =>
      Effect.gen(function* () {
        const subject = yield* make()
        assert.deepStrictEqual(yield* look(subject), [])
        const others = { version: 1, operation: "create", schedule: { id: "mine", kind: "at", prompt: "p" } }
        const data = { ...others, schedule: { ...others.schedule, scheduledAt: "2026-12-01T00:00:00.000Z" } }
        yield* subject.store.eventLog.append([{ at: Instant.clamp(0), type: "schedule/change", data }])
        assert.deepStrictEqual(yield* look(subject), ["mine"])
      })
    )

    it.effect("answer once what they decided is durable", () =>
      Effect.gen(function* () {
        const subject = yield* make()
        yield* create(subject)
        yield* subject.crash
        assert.strictEqual((yield* subject.events).length, 1)
      })
    )

    it.effect("pass one barrier for a look, and append nothing", () =>
      Effect.gen(function* () {
        const subject = yield* make()
        yield* look(subject)
        assert.deepStrictEqual([subject.store.calls("flush"), subject.store.calls("append")], [1, 0])
        yield* create(subject)
        assert.deepStrictEqual([subject.store.calls("flush"), subject.store.calls("append")], [3, 1])
      })
    )

    it.effect("let the owner look without a barrier, unless something waits for one", () =>
      Effect.gen(function* () {
        const subject = yield* make()
        const seen = Effect.map(
          subject.transactions.look((log) => ScheduleLog.active(log).length),
          (active) => [active, subject.store.calls("flush")]
        )
        assert.deepStrictEqual(yield* seen, [0, 1])
        assert.deepStrictEqual(yield* seen, [0, 1])
        yield* create(subject)
        assert.deepStrictEqual(yield* seen, [1, 3])
      })
    )

    it.effect("let the owner's look complete what an earlier transaction left pending", () =>
      Effect.gen(function* () {
        const subject = yield* make()
        yield* create(subject)
        yield* subject.store.hold("append")
        const pending = yield* Effect.forkChild(Effect.exit(create(subject)))
        yield* settle
        yield* subject.store.break("flush", "fails", 1)
        yield* subject.store.release("append")
        yield* Fiber.join(pending)
        assert.strictEqual(yield* subject.transactions.look((log) => ScheduleLog.active(log).length), 2)
        yield* subject.crash
        assert.strictEqual((yield* subject.events).length, 2)
      })
    )

    it.effect("sample the clock once: what is appended carries the instant of the decision", () =>
      Effect.gen(function* () {
        const subject = yield* make()
        yield* advance("1 minute")
        yield* subject.store.hold("append")
        const deciding = yield* Effect.forkChild(
          subject.transactions.run((log, now) =>
            Effect.succeed({ changes: [created(ScheduleLog.nextId(log))], value: now })
          )
        )
        yield* advance("1 minute")
        yield* subject.store.release("append")
        assert.strictEqual(yield* Fiber.join(deciding), Instant.clamp(60_000))
        assert.deepStrictEqual(
          (yield* subject.events).map(({ at }) => at),
          [Instant.clamp(60_000)]
        )
      })
    )

    it.effect("take turns, from the first barrier to the last", () =>
      Effect.gen(function* () {
        const subject = yield* make()
        const ids = yield* Effect.all(
          Array.from({ length: 20 }, () => create(subject)),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          ids,
          Array.from({ length: 20 }, (_, i) => `schedule-${i + 1}`)
        )
      })
    )

    it.effect("append nothing if the decision fails or dies, and let the next one go on", () =>
      Effect.gen(function* () {
        const subject = yield* make()
        const { run } = subject.transactions
        assert.strictEqual(yield* Effect.flip(run(() => Effect.fail("refused" as const))), "refused")
        yield* Effect.exit(run(() => Effect.die("died")))
        assert.deepStrictEqual(yield* subject.events, [])
        assert.strictEqual(yield* create(subject), "schedule-1")
      })
    )

    it.effect("say at which step they went unconfirmed, and tell the truth at the next one", () =>
      Effect.gen(function* () {
        const stage = (subject: Subject) =>
          Effect.map(Effect.flip(create(subject)), (error) => (error._tag === "Unconfirmed" ? error.stage : error._tag))
        const subject = yield* make()
        for (const step of ["flush", "read", "append"] as const) {
          yield* subject.store.break(step)
          assert.strictEqual(yield* stage(subject), step === "append" ? "append" : "before")
          yield* subject.store.mend(step)
          assert.deepStrictEqual(yield* look(subject), [])
        }
        yield* subject.store.break("append", "lost")
        assert.strictEqual(yield* stage(subject), "append")
        yield* subject.store.mend("append")
        assert.deepStrictEqual(yield* look(subject), ["schedule-1"])
        yield* subject.store.hold("append")
        const creating = yield* Effect.forkChild(stage(subject))
        yield* settle
        yield* subject.store.break("flush")
        yield* subject.store.release("append")
        assert.strictEqual(yield* Fiber.join(creating), "after")
        yield* subject.store.mend("flush")
        assert.deepStrictEqual(yield* look(subject), ["schedule-1", "schedule-2"])
      })
    )

    it.effect("leave no trace if interrupted before they decide, and are not interrupted from then on", () =>
      Effect.gen(function* () {
        for (const step of ["flush", "append"] as const) {
          const subject = yield* make()
          yield* subject.store.hold(step)
          const creating = yield* Effect.forkChild(create(subject))
          yield* settle
          const interrupting = yield* Effect.forkChild(Fiber.interrupt(creating))
          yield* settle
          yield* subject.store.release(step)
          yield* Fiber.join(interrupting)
          assert.deepStrictEqual(yield* look(subject), step === "flush" ? [] : ["schedule-1"])
        }
      })
    )

    it.effect("on a corrupt log name the event, again and again", () =>
      Effect.gen(function* () {
        const subject = yield* make([{ seq: 0, at: Instant.clamp(0), type: "schedule/change", data: {} }])
        const first = yield* Effect.flip(look(subject))
        const second = yield* Effect.flip(create(subject))
        for (const failure of [first, second]) assert.include(failure as object, { _tag: "CorruptScheduleLog", seq: 0 })
        assert.strictEqual((yield* subject.events).length, 1)
      })
    )
  })
}
