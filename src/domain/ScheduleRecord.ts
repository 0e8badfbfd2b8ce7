/**
 * What a reminder is: an id, a prompt, a rule of one of six kinds, and the instant at which it is due next.
 */
import { Array, Schema } from "effect"
import * as CronExpression from "./CronExpression.ts"
import * as FixedRate from "./FixedRate.ts"
import { Instant } from "./Instant.ts"
import { Prompt } from "./Prompt.ts"
import { TimeZone } from "./TimeZone.ts"
import { TimeOfDay } from "./WallTime.ts"

/** Names one reminder of a Session: text without surrounding space, given as `schedule-N`, never reused. */
export const ScheduleId = Schema.String.check(
  Schema.makeFilter((text: string) => text !== "" && text === text.trim(), {
    expected: "an id without surrounding space"
  })
).pipe(Schema.brand("ScheduleId"))
export type ScheduleId = typeof ScheduleId.Type

/** A delay, in whole seconds. */
export const DelaySeconds = Schema.Int.check(Schema.isGreaterThan(0))

/** ISO weekdays, 1 (Monday) to 7 (Sunday): at least one, ascending and without duplicates. */
export const Weekdays = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 7 }))).check(
  Schema.isMinLength(1),
  Schema.makeFilter(
    (days: ReadonlyArray<number>) => Array.zip(days, days.slice(1)).every(([day, next]) => day < next),
    {
      expected: "weekdays in ascending order"
    }
  )
)

const identity = { id: ScheduleId, prompt: Prompt }
const calendar = { timeZone: TimeZone }

/** Once, a delay after its creation. */
export const After = Schema.Struct({
  ...identity,
  kind: Schema.Literal("after"),
  afterSeconds: DelaySeconds,
  scheduledAt: Instant
})
/** Once, at an instant. */
export const At = Schema.Struct({ ...identity, kind: Schema.Literal("at"), scheduledAt: Instant })
/** Again and again at a fixed interval of elapsed time. */
export const Every = Schema.Struct({
  ...identity,
  kind: Schema.Literal("every"),
  everySeconds: FixedRate.IntervalSeconds,
  scheduledAt: Instant
})
/** On every date, at a local time. */
export const Daily = Schema.Struct({
  ...identity,
  kind: Schema.Literal("daily"),
  time: TimeOfDay,
  ...calendar,
  scheduledAt: Instant
})
/** On the chosen weekdays, at a local time. */
export const Weekly = Schema.Struct({
  ...identity,
  kind: Schema.Literal("weekly"),
  time: TimeOfDay,
  weekdays: Weekdays,
  ...calendar,
  scheduledAt: Instant
})
/** At every local minute that a cron expression matches. */
export const Cron = Schema.Struct({
  ...identity,
  kind: Schema.Literal("cron"),
  expression: CronExpression.CronText,
  ...calendar,
  scheduledAt: Instant
})

/** A reminder as the log keeps it. `scheduledAt` is its target: the committed next instant at which it is due. */
export const ScheduleRecord = Schema.Union([After, At, Every, Daily, Weekly, Cron])
export type ScheduleRecord = typeof ScheduleRecord.Type

/** A reminder that ends with its dispatch. */
export type OneShot = typeof After.Type | typeof At.Type
/** A reminder that goes on after its dispatch. */
export type Recurring = Exclude<ScheduleRecord, OneShot>
/** A recurring reminder whose rule reads a local clock. */
export type CalendarRecord = Exclude<Recurring, typeof Every.Type>

/** Whether the reminder ends with its dispatch. */
export const isOneShot = (record: ScheduleRecord): record is OneShot => record.kind === "after" || record.kind === "at"
