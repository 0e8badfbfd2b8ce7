import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as ScheduleError from "../../src/domain/ScheduleError.ts"

const { CorruptScheduleLog, invalid, PersistenceUncertain, toFailure } = ScheduleError

describe("ScheduleError", () => {
  it("keeps the code and the message of a refusal", () => {
    const error = invalid("not_future", "at: write a later time")
    assert.deepStrictEqual(toFailure(error), { code: "not_future", message: "at: write a later time" })
  })

  it("names the event at which a log is corrupt, or the length of the seed", () => {
    const reason = "version: expected 1"
    assert.deepStrictEqual(toFailure(new CorruptScheduleLog({ seq: 7, reason })), {
      code: "corrupt_schedule_log",
      message: "The Session's reminders cannot be read: event 7 is corrupt (version: expected 1)."
    })
    assert.include(
      toFailure(new CorruptScheduleLog({ seq: null, reason })).message,
      "the Session's seedLength is corrupt"
    )
  })

  it("tells what could not be confirmed, and of which reminder where that is known", () => {
    assert.deepStrictEqual(toFailure(new PersistenceUncertain({ operation: "delete", id: "schedule-1" })), {
      code: "persistence_uncertain",
      message:
        "Whether the delete of schedule-1 is stored could not be confirmed. List the reminders to see, before trying again.",
      operation: "delete",
      id: "schedule-1"
    })
    assert.strictEqual(
      toFailure(new PersistenceUncertain({ operation: "create" })).message,
      "Whether the create is stored could not be confirmed. List the reminders to see, before trying again."
    )
    assert.deepStrictEqual(toFailure(new PersistenceUncertain({ operation: "list" })), {
      code: "persistence_uncertain",
      message: "Which reminders there are could not be confirmed. Ask for the list again.",
      operation: "list"
    })
  })

  it("shows every failure in the one form that callers know, and nothing of a defect's cause", () => {
    const isFailure = Schema.is(ScheduleError.ScheduleFailure)
    for (const code of ScheduleError.InputCode.literals) assert.isTrue(isFailure(toFailure(invalid(code, "m"))))
    assert.isTrue(isFailure(toFailure(new CorruptScheduleLog({ seq: 0, reason: "r" }))))
    assert.isTrue(isFailure(toFailure(new PersistenceUncertain({ operation: "create" }))))
    assert.isTrue(isFailure(ScheduleError.internalError))
  })
})
