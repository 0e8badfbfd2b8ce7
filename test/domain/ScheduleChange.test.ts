import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as ScheduleChange from "../../src/domain/ScheduleChange.ts"

const decode = (data: unknown) =>
  Result.match(ScheduleChange.decode(data), { onFailure: (reason) => reason, onSuccess: ScheduleChange.encode })

const record = {
  id: "schedule-1",
  kind: "after",
  prompt: "p",
  afterSeconds: 60,
  scheduledAt: "2026-12-01T00:01:00.000Z"
}
const create = (schedule: unknown) => ({ version: 1, operation: "create", schedule })

describe("ScheduleChange", () => {
  it("reads what it writes, in all its shapes", () => {
    const zoned = {
      id: "schedule-1",
      prompt: "p",
      timeZone: "America/New_York",
      scheduledAt: "2026-12-01T00:01:00.000Z"
    }
    const changes = [
      create(record),
      create({ id: "提醒", kind: "at", prompt: "p", scheduledAt: "0001-01-01T00:00:00.000Z" }),
      create({ ...record, kind: "every", everySeconds: 300, afterSeconds: undefined }),
      create({ ...zoned, kind: "daily", time: "09:00:00.000" }),
      create({ ...zoned, kind: "weekly", time: "09:00:00.000", weekdays: [1, 7] }),
      create({ ...zoned, kind: "cron", expression: "*/5 * * * *" }),
      { version: 1, operation: "delete", id: "schedule-1" },
      { version: 1, operation: "dispatch", id: "schedule-1" },
      { version: 1, operation: "dispatch", id: "schedule-1", acceptedAt: "2026-12-01T00:01:00.000Z" },
      {
        version: 1,
        operation: "dispatch",
        id: "schedule-1",
        acceptedAt: "2026-12-01T00:01:00.000Z",
        nextScheduledAt: null
      }
    ].map((change) => JSON.parse(JSON.stringify(change)) as unknown)
    for (const change of changes) assert.deepStrictEqual<unknown>(decode(change), change)
  })

  it("names what is wrong with anything else", () => {
    assert.strictEqual(decode(null), "data: expected an object")
    assert.strictEqual(decode([]), "data: expected an object")
    assert.strictEqual(decode("x"), "data: expected an object")
    assert.strictEqual(decode({}), "version: expected 1")
    assert.strictEqual(decode({ version: 2, operation: "delete", id: "a" }), "version: expected 1")
    assert.strictEqual(decode({ version: 1 }), "operation: expected create, delete or dispatch")
    assert.strictEqual(
      decode({ version: 1, operation: "pause", id: "a" }),
      "operation: expected create, delete or dispatch"
    )
    assert.strictEqual(decode(create(7)), "schedule: expected an object")
    assert.strictEqual(
      decode(create({ ...record, kind: "sometimes" })),
      "schedule.kind: expected one of after, at, every, daily, weekly, cron"
    )
    assert.match(
      String(decode({ version: 1, operation: "delete", id: " a" })),
      /^id: Expected an id without surrounding space/u
    )
    assert.match(
      String(decode({ version: 1, operation: "delete", id: "a", by: "me" })),
      /^by: Expected no excess property/u
    )
    assert.match(String(decode(create({ ...record, afterSeconds: 0 }))), /^schedule\.afterSeconds: /u)
    assert.match(
      String(decode(create({ ...record, scheduledAt: "soon" }))),
      /^schedule\.scheduledAt: Expected an instant like/u
    )
  })

  it("says it in one short line, whatever the log holds", () => {
    for (const data of [create({ ...record, kind: "x".repeat(10_000) }), create({ ["y\n".repeat(5_000)]: 1 })]) {
      const reason = String(decode(data))
      assert.isBelow(reason.length, 400)
      assert.notInclude(reason, "\n")
    }
  })

  it("writes out what would move a terminal's cursor in a name", () => {
    assert.match(String(decode(create({ ...record, "\u001b[2J": 1 }))), /^schedule\.\\u001b\[2J: /u)
  })
})
