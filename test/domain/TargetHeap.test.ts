import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as Instant from "../../src/domain/Instant.ts"
import * as ScheduleChange from "../../src/domain/ScheduleChange.ts"
import * as ScheduleLog from "../../src/domain/ScheduleLog.ts"
import { ScheduleId } from "../../src/domain/ScheduleRecord.ts"
import * as TargetHeap from "../../src/domain/TargetHeap.ts"

const Numbers = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 50 })))

const heapOf = (numbers: ReadonlyArray<number>) =>
  numbers.reduce(
    (heap, at, n) => TargetHeap.add(heap, { id: ScheduleId.make(`schedule-${n}`), at: Instant.clamp(at) }),
    TargetHeap.empty
  )

const ascending = (numbers: ReadonlyArray<number>) => numbers.toSorted((a, b) => a - b)

const Step = Schema.Struct({
  operation: Schema.Literals(["once", "every", "delete", "dispatch", "dispatch"]),
  which: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 })),
  minutes: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))
})

/** The next event of a history that is never refused. */
const changeOf = (log: ScheduleLog.ScheduleLog, { operation, which, minutes }: typeof Step.Type): unknown => {
  const active = ScheduleLog.active(log)
  const record = active[which % Math.max(1, active.length)]
  const scheduledAt = Instant.format(Instant.clamp(1_796_115_600_000 + minutes * 60_000))
  const born = { id: ScheduleLog.nextId(log), prompt: "p", scheduledAt }
  if (operation === "once" || record === undefined) {
    return { version: 1, operation: "create", schedule: { ...born, kind: "at" } }
  }
  if (operation === "every") {
    return { version: 1, operation: "create", schedule: { ...born, kind: "every", everySeconds: 300 } }
  }
  if (operation === "delete") return { version: 1, operation, id: record.id }
  const acceptedAt = Instant.format(Instant.clamp(record.scheduledAt + minutes * 60_000))
  return { version: 1, operation, id: record.id, ...(record.kind === "every" ? { acceptedAt } : {}) }
}

describe("TargetHeap", () => {
  it.prop("gives its targets in order, however they were added", [Numbers], ([numbers]) => {
    let heap = heapOf(numbers)
    const taken: Array<number> = []
    while (heap.size > 0) {
      const earliest = TargetHeap.find(heap, () => true)
      taken.push(earliest ?? NaN)
      let first = true
      heap = TargetHeap.dropWhile(heap, () => first && !(first = false))
    }
    assert.deepStrictEqual(taken, ascending(numbers))
  })

  it.prop(
    "finds all up to an instant, that one included, and the earliest for which a condition holds",
    [Numbers],
    ([numbers]) => {
      const heap = heapOf(numbers)
      const upTo = TargetHeap.upTo(heap, Instant.clamp(25)).map(({ at }) => at)
      assert.deepStrictEqual(ascending(upTo), ascending(numbers.filter((n) => n <= 25)))
      const odd = ascending(numbers).find((n) => n % 2 === 1)
      assert.strictEqual(
        TargetHeap.find(heap, ({ at }) => at % 2 === 1),
        odd ?? null
      )
    }
  )

  it.prop("leaves the heap that it came from as it was", [Numbers], ([numbers]) => {
    const heap = heapOf([7, ...numbers])
    const before = TargetHeap.upTo(heap, Instant.clamp(50))
    TargetHeap.add(heap, { id: ScheduleId.make("schedule-x"), at: Instant.clamp(0) })
    TargetHeap.dropWhile(heap, () => true)
    assert.deepStrictEqual(TargetHeap.upTo(heap, Instant.clamp(50)), before)
  })

  it.prop(
    "tells of a log, after any history, what a look at every active reminder tells",
    [Schema.Array(Step)],
    ([steps]) => {
      let log = Result.getOrThrow(ScheduleLog.start(0, 0))
      for (const [seq, step] of [...steps, ...steps, ...steps].entries()) {
        const event = { seq, at: Instant.clamp(0), type: ScheduleChange.EVENT_TYPE, data: changeOf(log, step) }
        log = Result.getOrThrow(ScheduleLog.evolve(log, event))
        const active = ScheduleLog.active(log)
        const targets = ascending(active.map(({ scheduledAt }) => scheduledAt))
        assert.strictEqual(
          ScheduleLog.earliest(log, () => true),
          targets[0] ?? null
        )
        const now = Instant.clamp(targets[targets.length >> 1] ?? 0)
        const due = active.filter(({ scheduledAt }) => scheduledAt <= now)
        assert.deepStrictEqual(ScheduleLog.overdue(log, now), due)
        assert.isAtMost(log.targets.size, 2 * active.length + 16)
      }
    }
  )

  it("does not grow in a log with reminders that are no more", () => {
    let log = Result.getOrThrow(ScheduleLog.start(0, 0))
    const happen = (data: unknown) => {
      const event = { seq: 0, at: Instant.clamp(0), type: ScheduleChange.EVENT_TYPE, data }
      log = Result.getOrThrow(ScheduleLog.evolve(log, event))
    }
    const created = (id: string, scheduledAt: string) =>
      happen({ version: 1, operation: "create", schedule: { id, kind: "at", prompt: "p", scheduledAt } })
    created("first", "2026-12-01T00:00:00.000Z")
    for (let n = 0; n < 100; n++) {
      created(`later-${n}`, "2027-12-01T00:00:00.000Z")
      happen({ version: 1, operation: "delete", id: `later-${n}` })
    }
    assert.isAtMost(log.targets.size, 20)
    assert.strictEqual(
      Instant.format(ScheduleLog.earliest(log, () => true) ?? Instant.clamp(0)),
      "2026-12-01T00:00:00.000Z"
    )
  })
})
