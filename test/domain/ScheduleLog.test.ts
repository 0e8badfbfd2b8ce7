import { assert, describe, it } from "@effect/vitest"
import { Option, Result, Schema } from "effect"
import * as Instant from "../../src/domain/Instant.ts"
import * as ScheduleChange from "../../src/domain/ScheduleChange.ts"
import * as ScheduleLog from "../../src/domain/ScheduleLog.ts"
import { ScheduleId } from "../../src/domain/ScheduleRecord.ts"
import { SessionEvent } from "../../src/domain/Session.ts"
import { view } from "../../src/domain/ScheduleView.ts"
import { vectors } from "../vectors.ts"

interface Case {
  readonly name: string
  readonly events: ReadonlyArray<unknown>
  readonly seedLength: number
  readonly now: string
  readonly expect:
    | { readonly corrupt: number | null }
    | { readonly active: ReadonlyArray<object>; readonly seenIds: ReadonlyArray<string> }
}

const at = (text: string): Instant.Instant => Option.getOrThrow(Instant.parse(text))
const readEvents = Schema.decodeUnknownSync(Schema.Array(SessionEvent))
const event = (seq: number, data: unknown, type = ScheduleChange.EVENT_TYPE): SessionEvent => ({
  seq,
  at: Instant.clamp(0),
  type,
  data
})
const create = (id: string, more: object = { kind: "at" }) => ({
  version: 1,
  operation: "create",
  schedule: { id, prompt: "p", scheduledAt: "2026-12-02T00:00:00.000Z", ...more }
})
const remove = (id: string) => ({ version: 1, operation: "delete", id })
const fold = (...data: ReadonlyArray<unknown>) => ScheduleLog.fold(data.map((datum, seq) => event(seq, datum)))
const reason = (folded: ReturnType<typeof ScheduleLog.fold>) =>
  Result.match(folded, { onFailure: ({ seq, reason }) => `${seq}: ${reason}`, onSuccess: () => "fine" })

describe("ScheduleLog", () => {
  it("folds every vector as the oracle does", () => {
    for (const { name, events, seedLength, now, expect } of vectors<Case>("replay")) {
      const actual = Result.match(ScheduleLog.fold(readEvents(events), seedLength), {
        onFailure: ({ seq }) => ({ corrupt: seq }),
        onSuccess: (log) => ({
          active: ScheduleLog.active(log).map((record) => ({
            id: record.id,
            scheduledAt: Instant.format(record.scheduledAt),
            state: view(record, at(now)).state
          })),
          seenIds: ScheduleLog.seenIds(log)
        })
      })
      assert.deepStrictEqual<unknown>(actual, expect, name)
    }
  })

  it("evolves one event at a time to what folding all gives", () => {
    for (const { events, seedLength } of vectors<Case>("replay")) {
      const all = readEvents(events)
      const folded = ScheduleLog.fold(all, seedLength)
      if (Result.isFailure(folded)) continue
      let state = Result.getOrThrow(ScheduleLog.start(seedLength, all.length))
      for (const one of all) state = Result.getOrThrow(ScheduleLog.evolve(state, one))
      assert.deepStrictEqual(ScheduleLog.active(state), ScheduleLog.active(folded.success))
      assert.deepStrictEqual(ScheduleLog.seenIds(state), ScheduleLog.seenIds(folded.success))
      assert.strictEqual(ScheduleLog.nextId(state), ScheduleLog.nextId(folded.success))
    }
  })

  it("comes to the same, or refuses the same event, wherever the events are divided", () => {
    const told = (folded: ReturnType<typeof ScheduleLog.fold>) =>
      Result.map(folded, (log) => [ScheduleLog.active(log), ScheduleLog.seenIds(log), ScheduleLog.nextId(log)])
    for (const { events, seedLength, name } of vectors<Case>("replay")) {
      const all = readEvents(events)
      const start = ScheduleLog.start(seedLength, all.length)
      const whole = told(ScheduleLog.fold(all, seedLength))
      for (const cut of [1, all.length >> 1, all.length - 1]) {
        const part = Result.flatMap(start, (log) => ScheduleLog.evolveAll(log, all.slice(0, cut)))
        const before = told(part)
        const rest = Result.flatMap(part, (log) => ScheduleLog.evolveAll(log, all.slice(cut)))
        assert.deepStrictEqual(told(rest), whole, name)
        assert.deepStrictEqual(told(part), before, name)
      }
    }
  })

  it("keeps the order of creation, whatever the ids are and however long the log", () => {
    const ids = Array.from({ length: 60 }, (_, n) => ScheduleId.make(`id-${(n * 37) % 60}`))
    const half = fold(...ids.slice(0, 30).map((id) => create(id)))
    const rest = ids.slice(30).map((id, n) => event(30 + n, create(id)))
    const log = Result.getOrThrow(Result.flatMap(half, (log) => ScheduleLog.evolveAll(log, rest)))
    assert.deepStrictEqual(ScheduleLog.seenIds(log), ids)
    assert.deepStrictEqual(
      ScheduleLog.active(log).map(({ id }) => id),
      ids
    )
  })

  it("refuses an id that was used before the part that it folds", () => {
    const used = Result.getOrThrow(fold(create("schedule-1"), create("schedule-2"), remove("schedule-1")))
    for (const id of ["schedule-1", "schedule-2"]) {
      assert.strictEqual(reason(ScheduleLog.evolve(used, event(3, create(id)))), `3: id: ${id} was used before`)
    }
  })

  it("leaves the state that it evolves from as it was", () => {
    const every = { kind: "every", everySeconds: 300 }
    const before = Result.getOrThrow(fold(create("schedule-1"), create("schedule-2", every)))
    const active = structuredClone(ScheduleLog.active(before))
    const acceptedAt = "2026-12-03T00:00:00.000Z"
    for (const data of [remove("schedule-1"), { version: 1, operation: "dispatch", id: "schedule-2", acceptedAt }]) {
      const after = Result.getOrThrow(ScheduleLog.evolve(before, event(2, data)))
      assert.notDeepEqual(ScheduleLog.active(after), active)
      assert.deepStrictEqual(ScheduleLog.active(before), active)
    }
  })

  it("finds a reminder by its id while it is active", () => {
    const log = Result.getOrThrow(fold(create("schedule-1"), create("schedule-2"), remove("schedule-1")))
    const found = ["schedule-1", "schedule-2", "schedule-3"].map((id) => ScheduleLog.get(log, ScheduleId.make(id)))
    assert.deepStrictEqual(found.map(Option.isSome), [false, true, false])
  })

  it("passes over events of other types, whatever they hold", () => {
    const events = [event(0, { anything: true }, "turn/started"), event(1, create("schedule-1")), event(2, null, "x")]
    assert.strictEqual(ScheduleLog.active(Result.getOrThrow(ScheduleLog.fold(events))).length, 1)
  })

  it("gives ids that were never used, in an inherited prefix neither", () => {
    const nextId = (log: ReturnType<typeof ScheduleLog.fold>) => ScheduleLog.nextId(Result.getOrThrow(log)) as string
    assert.strictEqual(nextId(fold()), "schedule-1")
    assert.strictEqual(nextId(fold(create("schedule-1"), remove("schedule-1"))), "schedule-2")
    assert.strictEqual(nextId(fold(create("schedule-41"), create("mine"), create("schedule-07"))), "schedule-42")
    const huge = fold(create("schedule-999999999999999"), create("schedule-1000000000000000"))
    assert.strictEqual(nextId(huge), "schedule-1000000000000001")
    const events = [create("schedule-5"), { odd: 1 }, null, create("schedule-2")].map((data, seq) => event(seq, data))
    assert.strictEqual(nextId(ScheduleLog.fold(events, 3)), "schedule-6")
    assert.strictEqual(nextId(ScheduleLog.fold(events.slice(0, 3), 3)), "schedule-6")
  })

  it("says which field of a refused event is wrong, and how", () => {
    const daily = { kind: "daily", time: "09:00:00.000", timeZone: "UTC" }
    const every = { kind: "every", everySeconds: 300 }
    const dispatch = (more: object) => ({ version: 1, operation: "dispatch", id: "schedule-1", ...more })
    const early = { acceptedAt: "2026-12-01T00:00:00.000Z" }
    const late = { acceptedAt: "2026-12-02T00:00:00.000Z" }
    assert.strictEqual(reason(fold(create("schedule-1"), create("schedule-1"))), "1: id: schedule-1 was used before")
    assert.strictEqual(
      reason(fold(create("schedule-1"), remove("schedule-1"), create("schedule-1"))),
      "2: id: schedule-1 was used before"
    )
    assert.strictEqual(reason(fold(remove("schedule-1"))), "0: id: schedule-1 is not active")
    assert.strictEqual(reason(fold(remove("a\u001b[2J"))), "0: id: a\\u001b[2J is not active")
    assert.isBelow(reason(fold(remove("x".repeat(100_000)))).length, 400)
    assert.strictEqual(reason(fold(create("schedule-1"), dispatch(late))), "1: acceptedAt: not expected of a one-shot")
    assert.strictEqual(reason(fold(create("schedule-1", every), dispatch({}))), "1: acceptedAt: missing for kind every")
    assert.strictEqual(
      reason(fold(create("schedule-1", every), dispatch(early))),
      "1: acceptedAt: before the reminder's target"
    )
    assert.strictEqual(
      reason(fold(create("schedule-1", every), dispatch({ ...late, nextScheduledAt: null }))),
      "1: nextScheduledAt: not expected of kind every"
    )
    assert.strictEqual(
      reason(fold(create("schedule-1", daily), dispatch(late))),
      "1: nextScheduledAt: missing for kind daily"
    )
    assert.strictEqual(
      reason(fold(create("schedule-1", daily), dispatch({ ...late, nextScheduledAt: late.acceptedAt }))),
      "1: nextScheduledAt: not after acceptedAt"
    )
  })

  it("ends a recurring reminder when nothing is left up to year 9999", () => {
    const daily = { kind: "daily", time: "09:00:00.000", timeZone: "UTC" }
    const ended = fold(create("schedule-1", daily), {
      version: 1,
      operation: "dispatch",
      id: "schedule-1",
      acceptedAt: "2026-12-02T00:00:00.000Z",
      nextScheduledAt: null
    })
    assert.deepStrictEqual(ScheduleLog.active(Result.getOrThrow(ended)), [])
    const every = { kind: "every", everySeconds: 300, scheduledAt: "9999-12-31T23:59:00.000Z" }
    const last = fold(create("schedule-1", every), {
      version: 1,
      operation: "dispatch",
      id: "schedule-1",
      acceptedAt: "9999-12-31T23:59:59.000Z"
    })
    assert.deepStrictEqual(ScheduleLog.active(Result.getOrThrow(last)), [])
  })
})
