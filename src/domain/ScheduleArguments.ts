/**
 * What a caller writes to create a reminder, in the words of the tool: the shapes, and how to write them.
 */
import { Result, Schema, SchemaIssue } from "effect"
import * as FixedRate from "./FixedRate.ts"
import { invalid, type InvalidRequest } from "./ScheduleError.ts"
import { DelaySeconds } from "./ScheduleRecord.ts"

const described = <S extends Schema.Top>(schema: S, description: string) => schema.annotate({ description })

const time_zone = described(Schema.String, '"UTC", or an IANA name such as "Asia/Shanghai"')
const date = described(Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/u)), "a calendar date, YYYY-MM-DD")
const time = described(
  Schema.String.check(Schema.isPattern(/^\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?$/u)),
  "a local time of day, HH:mm:ss"
)
const Weekday = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 7 }))
const weekdays = described(
  Schema.Array(Weekday).check(Schema.isMinLength(1), Schema.isUnique()),
  "ISO weekdays, 1 for Monday to 7 for Sunday, each once"
)
const expression = described(
  Schema.String,
  "five fields: minute hour day-of-month month day-of-week, such as 0 9 * * MON-FRI"
)

const rfc3339 = described(
  Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?(?:Z|[+-]\d{2}:\d{2})$/u)),
  "RFC 3339 with an offset, such as 2026-12-01T09:00:00+08:00"
)

/** A local date and time in a zone. */
export const LocalAt = Schema.Struct({ date, time, time_zone })
export const Daily = Schema.Struct({ time, time_zone })
export const Weekly = Schema.Struct({ time, time_zone, weekdays })
export const Cron = Schema.Struct({ expression, time_zone })

/** The selectors: exactly one of them says when. */
export const selectors = {
  after_seconds: described(DelaySeconds, "once, this many seconds from now"),
  at: described(Schema.Union([rfc3339, LocalAt]), "once, at this time"),
  every_seconds: described(FixedRate.IntervalSeconds, "again and again, this many seconds apart, at least 300"),
  daily: described(Daily, "every day at this local time"),
  weekly: described(Weekly, "on these weekdays at this local time"),
  cron: described(Cron, "at the local minutes that a cron expression matches, at least five minutes apart")
} as const
export type Selector = keyof typeof selectors

/** The arguments of `schedule_create`: a prompt, and exactly one selector. */
export const Arguments = Schema.Struct({
  prompt: described(Schema.NonEmptyString, "what to be reminded of"),
  after_seconds: Schema.optionalKey(selectors.after_seconds),
  at: Schema.optionalKey(selectors.at),
  every_seconds: Schema.optionalKey(selectors.every_seconds),
  daily: Schema.optionalKey(selectors.daily),
  weekly: Schema.optionalKey(selectors.weekly),
  cron: Schema.optionalKey(selectors.cron)
}).check(Schema.isBetweenProperties(2, 2))

/** How to write each of them, for those who wrote it otherwise. */
const forms: Record<Selector, string> = {
  after_seconds: "write a whole number of seconds, at least 1",
  at: 'write an RFC 3339 time with an offset, such as "2026-12-01T09:00:00+08:00", or exactly { date, time, time_zone }',
  every_seconds: "write a whole number of seconds, at least 300",
  daily: "write exactly { time, time_zone }",
  weekly: "write exactly { time, time_zone, weekdays }",
  cron: "write exactly { expression, time_zone }"
}
const fields: Record<string, string> = {
  date: 'write a calendar date of the years 0001 to 9999, such as "2026-12-01"',
  time: 'write a time of day from "00:00:00" to "23:59:59", at most three digits of fraction',
  time_zone: 'write "UTC" or an IANA name, such as "Asia/Shanghai"; it is never assumed',
  weekdays: "write ISO weekdays, 1 for Monday to 7 for Sunday, at least one and each once, such as [1, 5]",
  expression: "write five cron fields as text: minute hour day-of-month month day-of-week"
}

/** The refusal of a selector's value, or of one of its fields, that says how to write it. */
export const malformed = (selector: Selector, field = ""): InvalidRequest => {
  const form = fields[field]
  return form === undefined
    ? invalid("invalid_rule", `${selector}: ${forms[selector]}`)
    : invalid("invalid_rule", `${selector}.${field}: ${form}`)
}

const explain = SchemaIssue.makeFormatterStandardSchemaV1()

const strict = { onExcessProperty: "error" } as const

/** Reads a selector's value by its shape; the refusal names the field that is wrong. */
export const reader = <S extends Schema.Codec<unknown, unknown>>(selector: Selector, schema: S) => {
  const decode = Schema.decodeUnknownResult(schema, strict)
  return (input: unknown): Result.Result<S["Type"], InvalidRequest> =>
    Result.mapError(decode(input), ({ issue }) =>
      malformed(selector, String(explain(issue).issues[0]?.path?.[0] ?? ""))
    )
}
