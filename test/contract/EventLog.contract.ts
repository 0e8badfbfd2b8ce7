/** What every log keeps to, together with its barrier: one suite, run over each store. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Schema, type Scope } from "effect"
import * as Instant from "../../src/domain/Instant.ts"
import type { NewEvent, SessionEvent } from "../../src/domain/Session.ts"
import type { Hooks, SessionLog } from "../../src/layers/SessionLog.ts"

/** One stored Session. */
export interface Subject {
  /** Opens it, as a process that starts does: what was not flushed before is lost, and who opened it before is stale. */
  open(hooks?: Hooks): Effect.Effect<SessionLog>
}

const at = Instant.clamp(1_796_115_600_000)
const change = (data: unknown): NewEvent => ({ at, type: "schedule/change", data })
const message = (data: unknown): NewEvent => ({ at, type: "inbox/queued", data })

const numbered = (first: number, events: ReadonlyArray<NewEvent>): ReadonlyArray<SessionEvent> =>
  events.map((event, n) => ({ seq: first + n, ...event }))

const changesOf = (events: ReadonlyArray<SessionEvent>) => events.filter(({ type }) => type === "schedule/change")

const everything = (log: SessionLog) => Effect.map(log.readAll(0, 1_000), ({ events }) => events)

const Step = Schema.Literals(["change", "message", "both", "stage", "unstage", "flush", "reopen"])

/** What a log must hold, by the rules: what was appended, and how much of it is durable. */
const model = () => {
  let events: ReadonlyArray<SessionEvent> = []
  let durable = 0
  let staged: Array<NewEvent> = []
  return {
    events: () => events,
    durable: () => events.slice(0, durable),
    append: (added: ReadonlyArray<NewEvent>) => {
      const joined = added.some(({ type }) => type === "schedule/change") ? staged.splice(0) : []
      events = [...events, ...numbered(events.length, [...joined, ...added])]
    },
    stage: (event: NewEvent) => {
      staged = [event]
    },
    unstage: () => staged.splice(0).length > 0,
    flush: () => {
      durable = events.length
    },
    reopen: () => {
      events = events.slice(0, durable)
      staged = []
    }
  }
}

export const contract = (store: string, make: Effect.Effect<Subject, never, Scope.Scope>): void => {
  const opened = Effect.gen(function* () {
    const subject = yield* make
    return { subject, log: yield* subject.open() }
  })

  describe(`A log and its barrier, ${store}`, () => {
    it.effect("begin empty, and a flush of nothing succeeds", () =>
      Effect.gen(function* () {
        const { log } = yield* opened
        assert.strictEqual(log.eventLog.seedLength, 0)
        assert.deepStrictEqual(yield* log.eventLog.read(0), { events: [], end: 0 })
        yield* log.barrier.flush
        assert.deepStrictEqual(yield* log.readAll(0), { events: [], end: 0 })
      })
    )

    it.effect("show an event as soon as it is appended, in its place", () =>
      Effect.gen(function* () {
        const { log } = yield* opened
        yield* log.eventLog.append([change({ a: 1 }), message("m")])
        yield* log.eventLog.append([change([null])])
        const { events, end } = yield* log.eventLog.read(0)
        assert.deepStrictEqual(changesOf(events), [
          { seq: 0, ...change({ a: 1 }) },
          { seq: 2, ...change([null]) }
        ])
        assert.strictEqual(end, 3)
      })
    )

    it.effect("show events from a place on, before and after they are durable, once or again", () =>
      Effect.gen(function* () {
        const { subject, log } = yield* opened
        const events = numbered(0, [change(0), message(1), change(2), message(3), change(4)])
        yield* log.eventLog.append(events.slice(0, 3))
        yield* log.barrier.flush
        yield* log.eventLog.append(events.slice(3))
        const readsOf = (reader: SessionLog) =>
          Effect.forEach([0, 1, 2, 3, 4, 5, 6, 3, 0], (from) => reader.eventLog.read(from))
        const expected = [0, 1, 2, 3, 4, 5, 6, 3, 0].map((from) => ({
          events: changesOf(events.slice(from)),
          end: 5
        }))
        const seen = (slices: ReadonlyArray<{ readonly events: ReadonlyArray<SessionEvent>; readonly end: number }>) =>
          slices.map(({ events, end }) => ({ events: changesOf(events), end }))
        assert.deepStrictEqual(seen(yield* readsOf(log)), expected)
        yield* log.barrier.flush
        assert.deepStrictEqual(seen(yield* readsOf(log)), expected)
        assert.deepStrictEqual(seen(yield* readsOf(yield* subject.open())), expected)
      })
    )

    it.effect("append all of several events or, when one of them is no JSON, none", () =>
      Effect.gen(function* () {
        const { log } = yield* opened
        const circular: { self?: unknown } = {}
        circular.self = circular
        for (const data of [undefined, 1n, circular, () => 1]) {
          const error = yield* Effect.flip(log.eventLog.append([change(1), message(data)]))
          assert.strictEqual(error.operation, "append")
        }
        assert.deepStrictEqual(yield* log.eventLog.read(0), { events: [], end: 0 })
      })
    )

    it.effect("keep what was appended as it was at that moment", () =>
      Effect.gen(function* () {
        const { log } = yield* opened
        const data = { list: [1] }
        yield* log.eventLog.append([change(data)])
        data.list.push(2)
        assert.deepStrictEqual((yield* log.eventLog.read(0)).events[0]?.data, { list: [1] })
        yield* log.barrier.flush
        assert.deepStrictEqual((yield* everything(log))[0]?.data, { list: [1] })
      })
    )

    it.effect("make durable, with one flush, all that was appended before it", () =>
      Effect.gen(function* () {
        const { subject, log } = yield* opened
        const events = [change(1), message(2)]
        yield* log.eventLog.append(events)
        assert.deepStrictEqual(yield* everything(log), [])
        assert.deepStrictEqual(yield* log.pending, numbered(0, events))
        yield* log.barrier.flush
        assert.deepStrictEqual(yield* log.pending, [])
        yield* log.eventLog.append([change("lost")])
        assert.deepStrictEqual(yield* everything(yield* subject.open()), numbered(0, events))
      })
    )

    it.effect("give each of many flushes at once what was appended before it", () =>
      Effect.gen(function* () {
        const { subject, log } = yield* opened
        const events = Array.from({ length: 20 }, (_, n) => change(n))
        yield* Effect.forEach(
          events,
          (event, n) =>
            Effect.andThen(log.eventLog.append([event]), log.barrier.flush).pipe(
              Effect.andThen(everything(log)),
              Effect.tap((durable) => Effect.sync(() => assert.isAbove(durable.length, n)))
            ),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(yield* everything(yield* subject.open()), numbered(0, events))
      })
    )

    it.effect("stay whole when a flush is interrupted", () =>
      Effect.gen(function* () {
        const { log } = yield* opened
        yield* log.eventLog.append([change(1)])
        const interrupted = yield* Effect.forkChild(log.barrier.flush, { startImmediately: true })
        const other = yield* Effect.forkChild(log.barrier.flush, { startImmediately: true })
        yield* Fiber.interrupt(interrupted)
        yield* Fiber.join(other)
        yield* log.eventLog.append([change(2)])
        yield* log.barrier.flush
        assert.deepStrictEqual(yield* everything(log), numbered(0, [change(1), change(2)]))
      })
    )

    it.effect("hold a staged event back until the next change, and put it right before", () =>
      Effect.gen(function* () {
        const { log } = yield* opened
        yield* log.stage(message("dropped"))
        yield* log.stage(message("staged"))
        yield* log.eventLog.append([message("other")])
        yield* log.barrier.flush
        assert.deepStrictEqual(yield* everything(log), numbered(0, [message("other")]))
        yield* log.eventLog.append([change(1), change(2)])
        yield* log.barrier.flush
        const all = [message("other"), message("staged"), change(1), change(2)]
        assert.deepStrictEqual(yield* everything(log), numbered(0, all))
        assert.isFalse(yield* log.unstage)
      })
    )

    it.effect("give a staged event the time of the change that it goes with, so that none is out of order", () =>
      Effect.gen(function* () {
        const { log } = yield* opened
        yield* log.stage({ ...message("staged"), at: Instant.clamp(at + 1) })
        yield* log.eventLog.append([change(1)])
        yield* log.barrier.flush
        assert.deepStrictEqual(yield* everything(log), numbered(0, [message("staged"), change(1)]))
      })
    )

    it.effect("lose a staged event with the change that it goes with, and drop it when asked to", () =>
      Effect.gen(function* () {
        const { subject, log } = yield* opened
        yield* log.stage(message(1))
        assert.isTrue(yield* log.unstage)
        yield* log.stage(message(2))
        yield* log.eventLog.append([change(3)])
        const reopened = yield* subject.open()
        yield* reopened.eventLog.append([change(4)])
        yield* reopened.barrier.flush
        assert.deepStrictEqual(yield* everything(reopened), numbered(0, [change(4)]))
        assert.strictEqual((yield* Effect.flip(log.stage(message(undefined)))).operation, "append")
      })
    )

    it.effect("store nothing of an owner once the Session was opened again", () =>
      Effect.gen(function* () {
        const { subject } = yield* opened
        let lost = 0
        const first = yield* subject.open({ onStale: () => lost++ })
        yield* first.eventLog.append([change("first")])
        const second = yield* subject.open()
        const refused = Effect.map(Effect.flip(first.barrier.flush), ({ cause }) => cause)
        assert.propertyVal(yield* refused, "_tag", "StaleOwner")
        assert.propertyVal(yield* refused, "_tag", "StaleOwner")
        yield* second.eventLog.append([change("second")])
        yield* second.barrier.flush
        assert.propertyVal(yield* refused, "_tag", "StaleOwner")
        assert.strictEqual(lost, 1)
        assert.deepStrictEqual(yield* everything(second), numbered(0, [change("second")]))
      })
    )

    it.effect("refuse an owner's flush of nothing once the Session was opened again, so that it knows", () =>
      Effect.gen(function* () {
        const { subject, log: first } = yield* opened
        yield* first.barrier.flush
        const second = yield* subject.open()
        assert.propertyVal((yield* Effect.flip(first.barrier.flush)).cause, "_tag", "StaleOwner")
        yield* second.barrier.flush
      })
    )

    it.effect("tell the host how far the log is durable", () =>
      Effect.gen(function* () {
        const ends: Array<number> = []
        const log = yield* (yield* make).open({ onDurable: (end) => ends.push(end) })
        yield* log.eventLog.append([change(1), message(2)])
        assert.deepStrictEqual(ends, [])
        yield* log.barrier.flush
        yield* log.barrier.flush
        yield* log.eventLog.append([message(3)])
        yield* log.barrier.flush
        assert.deepStrictEqual(ends, [2, 3])
      })
    )

    it.effect("give the transcript in pages", () =>
      Effect.gen(function* () {
        const { log } = yield* opened
        const events = Array.from({ length: 7 }, (_, n) => (n % 2 === 0 ? message(n) : change(n)))
        yield* log.eventLog.append(events)
        yield* log.barrier.flush
        const first = yield* log.readAll(2, 3)
        assert.deepStrictEqual(first, { events: numbered(0, events).slice(2, 5), end: 5 })
        assert.deepStrictEqual(yield* log.readAll(5, 3), { events: numbered(0, events).slice(5), end: 7 })
        assert.deepStrictEqual(yield* log.readAll(7, 3), { events: [], end: 7 })
      })
    )

    it.effect("show every change to a reader who comes late", () =>
      Effect.gen(function* () {
        const { log } = yield* opened
        const events = Array.from({ length: 150 }, (_, n) => change(n))
        for (const event of events) yield* Effect.andThen(log.eventLog.append([event]), log.barrier.flush)
        assert.deepStrictEqual(yield* log.eventLog.read(0), { events: numbered(0, events), end: 150 })
      })
    )

    it.effect.prop("give back any JSON as it was", [Schema.Json, Schema.String], ([json, text]) =>
      Effect.gen(function* () {
        const { subject, log } = yield* opened
        const events = [change(json), message({ text, odd: "\u0000\u2028\ud800\r\n'\"\\" })]
        yield* log.eventLog.append(events)
        yield* log.barrier.flush
        const copy = JSON.parse(JSON.stringify(numbered(0, events)))
        assert.deepStrictEqual(yield* everything(yield* subject.open()), copy)
      })
    )

    it.effect.prop(
      "hold, after any history, what was appended, and after a crash what was flushed",
      [Schema.Array(Step)],
      ([steps]) =>
        Effect.gen(function* () {
          const subject = yield* make
          let log = yield* subject.open()
          const expected = model()
          for (const [n, step] of steps.entries()) {
            const added = { change: [change(n)], message: [message(n)], both: [message(n), change(n)] }
            if (step === "change" || step === "message" || step === "both") {
              yield* log.eventLog.append(added[step])
              expected.append(added[step])
            } else if (step === "stage") {
              yield* log.stage(message(n))
              expected.stage(message(n))
            } else if (step === "unstage") {
              assert.strictEqual(yield* log.unstage, expected.unstage())
            } else if (step === "flush") {
              yield* log.barrier.flush
              expected.flush()
            } else {
              log = yield* subject.open()
              expected.reopen()
            }
            const from = n % 3
            const { events, end } = yield* log.eventLog.read(from)
            assert.deepStrictEqual(changesOf(events), changesOf(expected.events().slice(from)))
            assert.strictEqual(end, expected.events().length)
            assert.deepStrictEqual(yield* everything(log), expected.durable())
          }
        })
    )
  })
}
