/**
 * What a caller may ask for, and the record that it makes: every check of an input, in one order.
 */
import { Array, Option, Order, Predicate, Result, Schema } from "effect"
import * as CronExpression from "./CronExpression.ts"
import * as FixedRate from "./FixedRate.ts"
import * as Instant from "./Instant.ts"
import * as Prompt from "./Prompt.ts"
import * as Quote from "./Quote.ts"
import * as Recurrence from "./Recurrence.ts"
import * as Arguments from "./ScheduleArguments.ts"
import { invalid, type InvalidRequest } from "./ScheduleError.ts"
import type { ScheduleId, ScheduleRecord } from "./ScheduleRecord.ts"
import * as TimeZone from "./TimeZone.ts"
import * as WallTime from "./WallTime.ts"
import type { ZoneRules } from "./ZoneRules.ts"

/** When a reminder is due: once, or by a recurring rule. */
export type When =
  | { readonly kind: "after"; readonly afterSeconds: number }
  | { readonly kind: "at"; readonly instant: Instant.Instant }
  | Recurrence.Rule

/** An input that is right as far as can be told without the clock. */
export interface ScheduleRequest {
  readonly prompt: Prompt.Prompt
  readonly when: When
}

type Checked<A> = Result.Result<A, InvalidRequest>

const outOfRange = (selector: Arguments.Selector): InvalidRequest =>
  invalid("time_out_of_range", `${selector}: no time of the years 0001 to 9999 (UTC) is left for it; choose another`)

const unknownZone = (selector: Arguments.Selector, text: string): InvalidRequest =>
  invalid(
    "invalid_time_zone",
    `${selector}.time_zone: ${Quote.quote(text)} is not known; write "UTC" or an IANA name, such as "Asia/Shanghai"`
  )

const zone = (selector: Arguments.Selector, text: string): Checked<TimeZone.TimeZone> =>
  Result.fromOption(TimeZone.fromInput(text), () => unknownZone(selector, text))

const zoneRules = (selector: Arguments.Selector, text: string): Checked<ZoneRules> =>
  Result.fromOption(Option.flatMap(TimeZone.fromInput(text), TimeZone.rules), () => unknownZone(selector, text))

const time = (selector: Arguments.Selector, text: string): Checked<WallTime.TimeOfDay> =>
  Result.fromOption(WallTime.parseTime(text), () => Arguments.malformed(selector, "time"))

const after = Arguments.reader("after_seconds", Arguments.selectors.after_seconds)
const localAt = Arguments.reader("at", Arguments.LocalAt)
const every = Arguments.reader("every_seconds", Schema.Int)
const daily = Arguments.reader("daily", Arguments.Daily)
const weekly = Arguments.reader("weekly", Arguments.Weekly)
const cron = Arguments.reader("cron", Arguments.Cron)

const atText = (text: string): Checked<When> =>
  Instant.fromRfc3339(text).pipe(
    Result.mapError((fault) => (fault === "malformed" ? Arguments.malformed("at") : outOfRange("at"))),
    Result.map((instant): When => ({ kind: "at", instant }))
  )

const gap = (local: typeof Arguments.LocalAt.Type, { before, after }: WallTime.Gap): InvalidRequest =>
  invalid(
    "invalid_rule",
    `at: ${local.date} ${local.time} does not exist in ${local.time_zone}, whose clocks go from ` +
      `${WallTime.format(before)} to ${WallTime.format(after)}; write one of these two times`
  )

const atLocal = (input: unknown): Checked<When> =>
  Result.gen(function* () {
    const local = yield* localAt(input)
    const days = yield* Result.fromOption(WallTime.parseDate(local.date), () => Arguments.malformed("at", "date"))
    const millis = yield* time("at", local.time)
    const rules = yield* zoneRules("at", local.time_zone)
    const shown = yield* Result.mapError(WallTime.resolve(rules, days, millis), (leapt) => gap(local, leapt))
    const instant = yield* Result.fromOption(Instant.fromMillis(shown.millis), () => outOfRange("at"))
    return { kind: "at", instant } as const
  })

const readWhen: Record<Arguments.Selector, (input: unknown) => Checked<When>> = {
  after_seconds: (input) => Result.map(after(input), (afterSeconds): When => ({ kind: "after", afterSeconds })),

  at: (input) => (typeof input === "string" ? atText(input) : atLocal(input)),

  every_seconds: (input) =>
    Result.flatMap(every(input), (everySeconds) =>
      everySeconds >= FixedRate.MIN_SECONDS
        ? Result.succeed<When>({ kind: "every", everySeconds })
        : Result.fail(
            invalid("frequency_too_high", `every_seconds: at least ${FixedRate.MIN_SECONDS}, which is five minutes`)
          )
    ),

  daily: (input) =>
    Result.gen(function* () {
      const rule = yield* daily(input)
      const millis = yield* time("daily", rule.time)
      return { kind: "daily", time: millis, timeZone: yield* zone("daily", rule.time_zone) } as const
    }),

  weekly: (input) =>
    Result.gen(function* () {
      const rule = yield* weekly(input)
      const millis = yield* time("weekly", rule.time)
      const weekdays = Array.sort(rule.weekdays, Order.Number)
      return { kind: "weekly", time: millis, weekdays, timeZone: yield* zone("weekly", rule.time_zone) } as const
    }),

  cron: (input) =>
    Result.gen(function* () {
      const rule = yield* cron(input)
      const parsed = yield* CronExpression.parse(rule.expression)
      const timeZone = yield* zone("cron", rule.time_zone)
      return { kind: "cron", expression: yield* CronExpression.validate(parsed), timeZone } as const
    })
}

const isSelector = (key: string): key is Arguments.Selector => Object.hasOwn(readWhen, key)

const selectorOf = (input: object): Checked<Arguments.Selector> => {
  const keys = Object.keys(input).filter((key) => key !== "prompt")
  const [selector] = keys.filter(isSelector)
  return selector !== undefined && keys.length === 1
    ? Result.succeed(selector)
    : Result.fail(
        invalid(
          "invalid_selector",
          `Write prompt and exactly one of ${Object.keys(readWhen).join(", ")}; nothing else may be given`
        )
      )
}

/** Reads `schedule_create` arguments of any shape: all that can be refused without the clock is refused here. */
export const decode = (input: unknown): Checked<ScheduleRequest> =>
  Result.gen(function* () {
    const args: Readonly<Record<string, unknown>> = Predicate.isObject(input) ? { ...input } : {}
    const selector = yield* selectorOf(args)
    const prompt = yield* Prompt.fromInput(args["prompt"])
    return { prompt, when: yield* readWhen[selector](args[selector]) }
  })

const required = (target: Option.Option<Instant.Instant>, selector: Arguments.Selector): Checked<Instant.Instant> =>
  Result.fromOption(target, () => outOfRange(selector))

const notFuture = (instant: Instant.Instant, now: Instant.Instant): InvalidRequest =>
  invalid(
    "not_future",
    `at: ${Instant.format(instant)} is not in the future; it is ${Instant.format(now)} now. Write a later time`
  )

/** The record that a request makes at `now`; fails with `time_out_of_range` or `not_future`. */
export const plan = (request: ScheduleRequest, id: ScheduleId, now: Instant.Instant): Checked<ScheduleRecord> => {
  const { prompt, when } = request
  switch (when.kind) {
    case "after":
      return Result.map(
        required(Instant.fromMillis(now + when.afterSeconds * 1_000), "after_seconds"),
        (scheduledAt) => ({
          id,
          ...when,
          prompt,
          scheduledAt
        })
      )
    case "at":
      return when.instant > now
        ? Result.succeed({ id, kind: "at", prompt, scheduledAt: when.instant })
        : Result.fail(notFuture(when.instant, now))
    default: {
      const selector = when.kind === "every" ? "every_seconds" : when.kind
      return Result.map(required(Recurrence.first(when, now), selector), (scheduledAt) => ({
        id,
        ...when,
        prompt,
        scheduledAt
      }))
    }
  }
}
