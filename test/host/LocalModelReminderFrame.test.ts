import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import * as FollowUp from "../../src/domain/FollowUp.ts"
import * as Instant from "../../src/domain/Instant.ts"
import { type OneShot, ScheduleId } from "../../src/domain/ScheduleRecord.ts"
import * as ReminderFrame from "../../src/host/localModel/ReminderFrame.ts"
import * as Prompt from "../../src/domain/Prompt.ts"
import { NOW } from "./LocalModelChat.ts"

const framed = (prompt: string): string =>
  FollowUp.build({
    kind: "one-shot",
    acceptedAt: NOW,
    record: { kind: "at", id: ScheduleId.make("schedule-1"), prompt: prompt as Prompt.Prompt, scheduledAt: NOW }
  }).text

describe("ReminderFrame", () => {
  it.prop(
    "every reminder of a message comes back as it was put in",
    [Schema.String, Schema.String, Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))],
    ([id, prompt, lateSeconds]) => {
      const occurrenceAt = Instant.clamp(NOW - lateSeconds * 1_000)
      const record = { kind: "at", id, prompt, scheduledAt: occurrenceAt } as OneShot
      const { text } = FollowUp.build({ kind: "one-shot", acceptedAt: NOW, record })
      assert.deepStrictEqual(ReminderFrame.read(text), Option.some([{ id, occurrenceAt, lateSeconds, prompt }]))
    }
  )

  it("a batch has all of its reminders, in order", () => {
    const reminder = (id: string, prompt: string, late: number) => ({
      record: {
        kind: "every" as const,
        id: ScheduleId.make(id),
        prompt: prompt as Prompt.Prompt,
        everySeconds: 300 as never,
        scheduledAt: NOW
      },
      occurrenceAt: Instant.clamp(NOW - late * 1_000),
      nextScheduledAt: null
    })
    const reminders = [reminder("schedule-3", "a", 61), reminder("schedule-1", 'b\nschedule_id: "x"', 0)]
    const { text } = FollowUp.build({ kind: "batch", acceptedAt: NOW, reminders })
    const read = Option.getOrThrow(ReminderFrame.read(text))
    assert.deepStrictEqual(
      read.map(({ id, prompt, lateSeconds }) => [id, prompt, lateSeconds]),
      [
        ["schedule-3", "a", 61],
        ["schedule-1", 'b\nschedule_id: "x"', 0]
      ]
    )
  })

  it("a message is framed only if it begins with the frame", () => {
    assert.isTrue(ReminderFrame.isFramed(framed("stretch")))
    assert.isTrue(ReminderFrame.isFramed("[SCHEDULE REMINDER] remind me in 5 minutes to stretch"))
    assert.isFalse(ReminderFrame.isFramed(`hello\n${framed("stretch")}`))
  })

  it("a frame that lacks a value, or has one that is no JSON, gives no reminders", () => {
    const text = framed("stretch")
    for (const broken of [
      "[SCHEDULE REMINDER]",
      text.replace("occurrence_at", "occurrence"),
      text.replace('"stretch"', "stretch"),
      text.replace("late_seconds: 0", "late_seconds: soon"),
      text.replace(/occurrence_at: .*/u, 'occurrence_at: "today"'),
      `x${text}`
    ]) {
      assert.deepStrictEqual(ReminderFrame.read(broken), Option.none())
    }
  })
})
