import { assert, describe, it } from "@effect/vitest"
import { Option, Result, Schema } from "effect"
import * as Calendar from "../../src/domain/Calendar.ts"
import * as CronExpression from "../../src/domain/CronExpression.ts"
import * as Due from "../../src/domain/Due.ts"
import * as FixedRate from "../../src/domain/FixedRate.ts"
import * as Instant from "../../src/domain/Instant.ts"
import * as Recurrence from "../../src/domain/Recurrence.ts"
import * as ScheduleChange from "../../src/domain/ScheduleChange.ts"
import * as ScheduleLog from "../../src/domain/ScheduleLog.ts"
import type { Recurring } from "../../src/domain/ScheduleRecord.ts"
import { TimeZone } from "../../src/domain/TimeZone.ts"
import { TimeOfDay } from "../../src/domain/WallTime.ts"
import * as LocalClock from "./LocalClock.ts"
import * as RuleModel from "./RuleModel.ts"

const at = (text: string): Instant.Instant => Option.getOrThrow(Instant.parse(text))
const recordOf = (rule: Recurrence.Rule, scheduledAt: Instant.Instant) =>
  ({ id: "schedule-1", prompt: "p", ...rule, scheduledAt }) as Recurring
const turn = (rule: Recurrence.Rule, scheduledAt: Instant.Instant, now: Instant.Instant): Recurrence.Turn =>
  Option.getOrThrow(Recurrence.turn(recordOf(rule, scheduledAt), now))

/** Occurrences from the first after an instant on, up to another, and so many at most. */
const walk = (rule: Recurrence.Rule, from: Instant.Instant, to: number, count = Infinity) => {
  const found: Array<Instant.Instant> = []
  let next = Recurrence.first(rule, from)
  while (Option.isSome(next) && next.value < to && found.length < count) {
    assert.isAbove(next.value, found.at(-1) ?? from)
    found.push(next.value)
    next = Recurrence.first(rule, next.value)
  }
  return found
}

const timeZone = (name: string) => TimeZone.make(name)
const daily = (time: string, zone: string) =>
  ({ kind: "daily", time: Schema.decodeSync(TimeOfDay)(time), timeZone: timeZone(zone) }) as const
const cron = (expression: string, zone: string) =>
  ({
    kind: "cron",
    expression: Result.getOrThrow(CronExpression.parse(expression)),
    timeZone: timeZone(zone)
  }) as const

const HOUR = 3_600_000

/** Where to look, as a part of the time there is. */
const Part = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
const between = (from: number, to: number, part: number): Instant.Instant =>
  Instant.clamp(from + part * (to - 1 - from))
const within = (millis: number) => Schema.Int.check(Schema.isBetween({ minimum: -millis, maximum: millis - 1 }))
/** When to look at a clock that is set halfway: mostly about then. */
const Moment = Schema.Union([within(2 * HOUR), within(2 * Calendar.DAY_MILLIS)])
const momentOf = ({ from, to }: LocalClock.LocalClock, moment: number) => Instant.clamp((from + to) / 2 + moment)
const AnyInstant = Schema.toType(Instant.Instant)
const AnyInterval = Schema.Int.check(Schema.isBetween({ minimum: FixedRate.MIN_SECONDS, maximum: 1_000_000 }))
const runs = { arbitrary: { runs: 300 } }

describe("Recurrence", () => {
  it.prop(
    "finds each occurrence that a look at every minute of the local clock finds, and no other",
    [RuleModel.anyRule],
    ([{ clock, rule, occurrences }]) => {
      const from = Instant.clamp(clock.from)
      assert.deepStrictEqual(
        walk(rule, from, clock.to),
        occurrences.filter((it) => it > from)
      )
    },
    runs
  )

  it.prop(
    "finds the first occurrence after any moment, in an overlap too",
    [RuleModel.anyRule, Moment],
    ([{ clock, rule, occurrences }, moment]) => {
      const firstAfter = (now: number) =>
        Math.min(
          Option.getOrElse<number, number>(Recurrence.first(rule, Instant.clamp(now)), () => Infinity),
          clock.to
        )
      const now = momentOf(clock, moment)
      assert.strictEqual(firstAfter(now), occurrences.find((it) => it > now) ?? clock.to)
      const probes = occurrences
        .map((it, i) => ({ it, next: occurrences[i + 1] ?? clock.to }))
        .flatMap(({ it, next }) => [[it - 1, it] as const, [it, next] as const, [it + 1, next] as const])
        .filter(([now]) => now >= clock.from)
      assert.deepStrictEqual(
        probes.map(([now]) => firstAfter(now)),
        probes.map(([, next]) => next)
      )
    },
    runs
  )

  it.prop(
    "presents the latest occurrence and goes on with the first after it, where clocks are set",
    [RuleModel.anyRule, Moment],
    ([{ clock, rule, occurrences }, moment]) => {
      const now = momentOf(clock, moment)
      const [target = now] = occurrences
      if (target >= now) return
      const { occurrenceAt, next } = turn(rule, Instant.clamp(target), now)
      assert.strictEqual(
        occurrenceAt,
        occurrences.findLast((it) => it <= now)
      )
      assert.deepStrictEqual(
        Option.filter(next, (it) => it < clock.to),
        Option.fromUndefinedOr(occurrences.find((it) => it > now))
      )
    },
    runs
  )

  it.prop(
    "counts a committed target as an occurrence even if no rule names it any more, and no date twice",
    [RuleModel.anyRule, Moment, Part],
    ([{ clock, rule, occurrences }, moment, part]) => {
      const now = momentOf(clock, moment)
      const target = between(clock.from, now + 1, part)
      const { occurrenceAt, next } = turn(rule, target, now)
      assert.strictEqual(occurrenceAt, Math.max(target, occurrences.findLast((it) => it <= now) ?? target))
      const isAnotherDate = (it: number) => LocalClock.dayAt(clock, it) > LocalClock.dayAt(clock, occurrenceAt)
      assert.deepStrictEqual(
        Option.filter(next, (it) => it < clock.to),
        Option.fromUndefinedOr(occurrences.find((it) => it > now && (rule.kind === "cron" || isAnotherDate(it))))
      )
    },
    runs
  )

  it.prop(
    "presents what one step after the other comes to, in any year from 1 to 9999",
    [RuleModel.anyRule, AnyInstant, Part],
    ([{ rule }, from, part]) => {
      const steps = walk(rule, from, Infinity, 30)
      const [target, last] = [steps[0], steps.at(-1)]
      if (target === undefined || last === undefined) return
      const now = between(target, last + 1, part)
      const { occurrenceAt, next } = turn(rule, target, now)
      assert.strictEqual(
        occurrenceAt,
        steps.findLast((it) => it <= now)
      )
      assert.deepStrictEqual(
        next,
        now >= last ? Recurrence.first(rule, last) : Option.some(steps.find((it) => it > now))
      )
    },
    runs
  )

  it.prop(
    "keeps an interval on its sequence, whenever it is looked at",
    [AnyInterval, AnyInstant, Part],
    ([everySeconds, created, part]) => {
      const rule = { kind: "every", everySeconds } as const
      const target = Recurrence.first(rule, created)
      if (Option.isNone(target)) return
      assert.strictEqual(target.value, created + everySeconds * 1_000)
      const steps = walk(rule, created, Infinity, 30)
      const now = between(target.value, target.value + everySeconds * 30_000, part)
      const { occurrenceAt, next } = turn(rule, target.value, now)
      assert.strictEqual(
        occurrenceAt,
        steps.findLast((it) => it <= now)
      )
      assert.deepStrictEqual(next, Recurrence.first(rule, occurrenceAt))
    },
    runs
  )

  const event = (data: unknown) => ({ seq: 0, at: Instant.clamp(0), type: ScheduleChange.EVENT_TYPE, data })
  const replay = (log: ScheduleLog.ScheduleLog, changes: ReadonlyArray<ScheduleChange.ScheduleChange>) =>
    Result.getOrThrow(
      ScheduleLog.evolveAll(
        log,
        changes.map((change) => event(JSON.parse(JSON.stringify(ScheduleChange.encode(change)))))
      )
    )

  it.prop(
    "is replayed from the log to the very target that was decided",
    [RuleModel.anyRule, AnyInterval, AnyInstant, Part],
    ([{ clock, rule }, everySeconds, created, part]) => {
      const rules: ReadonlyArray<[Recurrence.Rule, Instant.Instant]> = [
        [rule, Instant.clamp(clock.from)],
        [{ kind: "every", everySeconds }, created]
      ]
      for (const [rule, from] of rules) {
        const schedule = Option.map(Recurrence.first(rule, from), (target) => recordOf(rule, target))
        if (Option.isNone(schedule) || !isStorable(rule)) continue
        const now = between(schedule.value.scheduledAt, Instant.MAX_MILLIS, part ** 8)
        const start = Result.getOrThrow(ScheduleLog.start(0, 0))
        const log = replay(start, [{ version: 1, operation: "create", schedule: schedule.value }])
        const due = Due.decide(log, now)
        if (due.kind !== "batch") return assert.fail(due.kind)
        assert.deepStrictEqual(Due.decide(replay(log, Due.dispatches(due)), now), {
          kind: "wait",
          until: Option.getOrNull(turn(rule, schedule.value.scheduledAt, now).next)
        })
      }
    },
    runs
  )

  /** Some random expressions fire more often than a log may hold. */
  const isStorable = (rule: Recurrence.Rule): boolean =>
    rule.kind !== "cron" || Option.isSome(CronExpression.fromText(rule.expression.text))

  it.prop(
    "does not change when a cron expression is stored in its canonical text",
    [RuleModel.anyRule, AnyInstant],
    ([{ rule }, from]) => {
      if (rule.kind !== "cron") return
      const expression = Result.getOrThrow(CronExpression.parse(rule.expression.text))
      assert.deepStrictEqual(walk({ ...rule, expression }, from, Infinity, 10), walk(rule, from, Infinity, 10))
    },
    runs
  )

  /** The rule, and how often anything of it has been read: whoever walks from one occurrence to the next must do so. */
  const counting = (rule: Recurrence.Rule) => {
    let reads = 0
    const watch = <T extends object>(target: T): T =>
      new Proxy(target, {
        get: (of, key) => {
          reads++
          const value: unknown = Reflect.get(of, key)
          return typeof value === "object" && value !== null ? watch(value) : value
        }
      })
    return { rule: watch(rule), count: () => reads }
  }
  const readsAfter = (rule: Recurrence.Rule, asleep: number): number => {
    const target = Option.getOrThrow(Recurrence.first(rule, at("2026-01-01T00:00:00.000Z")))
    const counted = counting(recordOf(rule, target))
    assert.isTrue(Option.isSome(Recurrence.turn(counted.rule as Recurring, Instant.clamp(target + asleep))))
    return counted.count()
  }

  it("does as much work after five hundred years asleep as after a minute", () => {
    const [minute, centuries] = [60_000, 500 * 365.2425 * Calendar.DAY_MILLIS]
    for (const rule of [
      { kind: "every", everySeconds: 300 } as const,
      daily("09:00:00.000", "America/New_York"),
      { ...daily("02:30:00.000", "America/New_York"), kind: "weekly", weekdays: [7] } as const,
      cron("*/5 * * * *", "America/New_York"),
      cron("30 2 * 3 0", "America/New_York")
    ]) {
      assert.isAtMost(readsAfter(rule, centuries), 2 * readsAfter(rule, minute) + 20, JSON.stringify(rule))
    }
  })

  it.prop(
    "does a bounded amount of work for any rule, however long it slept",
    [RuleModel.anyRule, AnyInstant],
    ([{ rule }, now]) => {
      const counted = counting(recordOf(rule, Instant.clamp(Instant.MIN_MILLIS)))
      Recurrence.turn(counted.rule as Recurring, now)
      assert.isAtMost(counted.count(), 20_000)
    },
    runs
  )

  it("reaches a 29 February on a weekday over forty years within bounds", () => {
    const rule = cron("0 0 29 2 */7", "Europe/Lisbon")
    assert.isAtMost(readsAfter(rule, 400 * 365.2425 * Calendar.DAY_MILLIS), 5_000)
  })

  it("presents the last minute before a gap, however few there are before and within it", () => {
    const rule = cron("*/59 1-2 * * *", "America/New_York")
    const { occurrenceAt, next } = turn(rule, at("2026-03-07T06:00:00.000Z"), at("2026-03-08T07:30:00.000Z"))
    assert.strictEqual(Instant.format(occurrenceAt), "2026-03-08T06:59:00.000Z")
    assert.deepStrictEqual(next, Option.some(at("2026-03-09T05:00:00.000Z")))
  })

  it("may come at the first moment of the date after a target that it no longer names", () => {
    const target = at("2026-12-01T15:00:00.000Z")
    assert.deepStrictEqual(turn(daily("00:00:00.000", "UTC"), target, target), {
      occurrenceAt: target,
      next: Option.some(at("2026-12-02T00:00:00.000Z"))
    })
  })

  it("has nothing after the last occurrence of year 9999", () => {
    const now = at("9999-12-31T23:59:59.999Z")
    for (const rule of [
      { kind: "every", everySeconds: 300 } as const,
      daily("23:00:00.000", "America/New_York"),
      { ...daily("23:00:00.000", "Pacific/Auckland"), kind: "weekly", weekdays: [6] } as const,
      cron("*/5 * * * *", "Asia/Kathmandu")
    ]) {
      assert.deepStrictEqual(Recurrence.first(rule, now), Option.none())
      assert.deepStrictEqual(turn(rule, now, now), { occurrenceAt: now, next: Option.none() })
    }
  })

  it("has no earlier occurrence to present in the first hours of year 1", () => {
    const target = at("0001-01-01T00:00:00.000Z")
    const rule = daily("23:00:00.000", "America/New_York")
    assert.deepStrictEqual(turn(rule, target, Instant.clamp(target + 60_000)), {
      occurrenceAt: target,
      next: Option.some(at("0001-01-02T03:56:02.000Z"))
    })
  })

  it("tells nothing of a rule in a zone that this runtime does not know", () => {
    const rule = daily("09:00:00.000", "Mars/Olympus_Mons")
    const now = at("2026-12-01T00:00:00.000Z")
    assert.isFalse(Recurrence.isKnown(rule))
    assert.deepStrictEqual(Recurrence.first(rule, now), Option.none())
    assert.deepStrictEqual(Recurrence.turn(recordOf(rule, now), now), Option.none())
    assert.isTrue(Recurrence.isKnown({ kind: "every", everySeconds: 300 }))
    assert.isTrue(Recurrence.isKnown(daily("09:00:00.000", "UTC")))
  })
})
