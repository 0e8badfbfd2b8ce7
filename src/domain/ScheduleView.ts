/**
 * What a caller is shown of an active reminder: its record, and where it stands now.
 */
import { Schema } from "effect"
import type * as Instant from "./Instant.ts"
import { After, At, Cron, Daily, Every, ScheduleId, type ScheduleRecord, Weekly } from "./ScheduleRecord.ts"

const standing = {
  /** `scheduled` while the target is in the future, else `overdue`. */
  state: Schema.Literals(["scheduled", "overdue"]),
  /** Reminders never leave the Session: they are delivered while it is live. */
  deliveryMode: Schema.Literal("session-local")
}

export const ScheduleView = Schema.Union([
  Schema.Struct({ ...After.fields, ...standing }),
  Schema.Struct({ ...At.fields, ...standing }),
  Schema.Struct({ ...Every.fields, ...standing }),
  Schema.Struct({ ...Daily.fields, ...standing }),
  Schema.Struct({ ...Weekly.fields, ...standing }),
  Schema.Struct({ ...Cron.fields, ...standing })
])
export type ScheduleView = typeof ScheduleView.Type

/** A reminder as it stands at `now`. */
export const view = (record: ScheduleRecord, now: Instant.Instant): ScheduleView => ({
  ...record,
  state: record.scheduledAt > now ? "scheduled" : "overdue",
  deliveryMode: "session-local"
})

/** What a delete answers: an unknown or ended id is an answer, not a failure. */
export const DeleteResult = Schema.Union([
  Schema.Struct({ id: ScheduleId, deleted: Schema.Literal(true) }),
  Schema.Struct({ id: ScheduleId, deleted: Schema.Literal(false), code: Schema.Literal("schedule_not_found") })
])
export type DeleteResult = typeof DeleteResult.Type
