import { assert, describe, it } from "@effect/vitest"
import * as Due from "../../src/domain/Due.ts"
import * as Instant from "../../src/domain/Instant.ts"
import * as ScheduleLog from "../../src/domain/ScheduleLog.ts"
import { at, created, decisionCases, logOf, presented, replayed } from "./Answers.ts"

const oneShot = (n: number, scheduledAt: string) => ({ id: `schedule-${n}`, kind: "at", scheduledAt })
const every = (n: number, scheduledAt: string) => ({
  id: `schedule-${n}`,
  kind: "every",
  everySeconds: 300,
  scheduledAt
})

describe("Due", () => {
  it("decides every recurring vector as the oracle does, and replay comes to the same target", () => {
    for (const one of decisionCases()) {
      const log = logOf(one)
      const due = Due.decide(log, at(one.now))
      assert.deepStrictEqual(presented(due), [one.expect], one.name)
      if (due.kind !== "batch") continue
      const [after] = ScheduleLog.active(replayed(log, due))
      assert.strictEqual(after === undefined ? null : Instant.format(after.scheduledAt), one.expect.next, one.name)
    }
  })

  it("waits for the earliest target, however late it was created", () => {
    const log = created(oneShot(1, "2026-12-01T15:00:00.000Z"), oneShot(2, "2026-12-01T14:05:00.000Z"))
    assert.deepStrictEqual(Due.decide(log, at("2026-12-01T14:04:59.999Z")), {
      kind: "wait",
      until: at("2026-12-01T14:05:00.000Z")
    })
    assert.deepStrictEqual(Due.decide(created(), at("2026-12-01T14:00:00.000Z")), { kind: "wait", until: null })
  })

  it("is due exactly at its target", () => {
    const log = created(oneShot(1, "2026-12-01T15:00:00.000Z"))
    assert.strictEqual(Due.decide(log, at("2026-12-01T15:00:00.000Z")).kind, "one-shot")
  })

  it("sends one-shots first, one at a time, by target and then by creation", () => {
    const log = created(
      every(1, "2026-12-01T00:00:00.000Z"),
      oneShot(2, "2026-12-02T00:00:00.000Z"),
      oneShot(3, "2026-12-01T00:00:00.000Z"),
      oneShot(4, "2026-12-01T00:00:00.000Z")
    )
    const order: Array<string> = []
    let state = log
    for (let due = Due.decide(state, at("2027-01-01T00:00:00.000Z")); due.kind === "one-shot";) {
      order.push(due.record.id)
      state = replayed(state, due)
      due = Due.decide(state, at("2027-01-01T00:00:00.000Z"))
    }
    assert.deepStrictEqual(order, ["schedule-3", "schedule-4", "schedule-2"])
  })

  it("sends all due recurring reminders together, by target and then by creation, and leaves the others", () => {
    const now = at("2027-01-01T00:00:00.001Z")
    const log = created(
      every(1, "2026-12-02T00:00:00.000Z"),
      every(2, "2027-01-01T00:00:00.002Z"),
      every(3, "2026-12-01T00:00:00.000Z"),
      every(4, "2026-12-02T00:00:00.000Z")
    )
    const due = Due.decide(log, now)
    if (due.kind !== "batch") return assert.fail(due.kind)
    assert.deepStrictEqual(
      due.reminders.map(({ record }) => record.id),
      ["schedule-3", "schedule-1", "schedule-4"]
    )
    assert.strictEqual(due.acceptedAt, now)
    assert.deepStrictEqual(Due.decide(replayed(log, due), now), { kind: "wait", until: at("2027-01-01T00:00:00.002Z") })
  })

  it("passes over a reminder whose zone this runtime does not know, and reports it", () => {
    const stuck = { id: "schedule-1", kind: "daily", time: "09:00:00.000", timeZone: "Mars/Olympus_Mons" }
    const log = created({ ...stuck, scheduledAt: "2026-12-01T00:00:00.000Z" }, every(2, "2026-12-02T00:00:00.000Z"))
    assert.deepStrictEqual(Due.decide(log, at("2026-12-01T12:00:00.000Z")), {
      kind: "wait",
      until: at("2026-12-02T00:00:00.000Z")
    })
    assert.deepStrictEqual(
      Due.stuck(log).map(({ id }) => id as string),
      ["schedule-1"]
    )
  })
})
