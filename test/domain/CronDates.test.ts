import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"
import * as Calendar from "../../src/domain/Calendar.ts"
import * as CronDates from "../../src/domain/CronDates.ts"
import * as CronExpression from "../../src/domain/CronExpression.ts"
import * as Instant from "../../src/domain/Instant.ts"
import * as CronModel from "./CronModel.ts"

const dates = (expression: string): CronDates.CronDates => Result.getOrThrow(CronExpression.parse(expression))
const of = (cron: CronModel.Cron): CronDates.CronDates => dates(CronModel.text(cron))
const day = (text: string): number => Instant.readDate(text, 0)

const firstDay = Calendar.toDays({ year: 0, month: 1, day: 1 })
const lastDay = Calendar.toDays({ year: 10_000, month: 12, day: 31 })

const after = (expression: string, start: string, count: number): ReadonlyArray<string> => {
  const found: Array<string> = []
  let next = CronDates.next(dates(expression), day(start) + 1)
  while (Option.isSome(next) && found.length < count) {
    found.push(Instant.formatDate(next.value))
    next = CronDates.next(dates(expression), next.value + 1)
  }
  return found
}

const before = (expression: string, start: string): string | undefined =>
  Option.getOrUndefined(Option.map(CronDates.previous(dates(expression), day(start)), Instant.formatDate))

describe("the dates of a cron rule", () => {
  it.prop(
    "match by both day fields, or by one of them if neither is a star",
    [CronModel.cron, CronModel.anyDay],
    ([cron, days]) => {
      for (const date of [days, days + 1, days + 40]) {
        assert.strictEqual(CronDates.matches(of(cron), date), CronModel.matches(cron, CronModel.see(date)))
      }
    }
  )

  it.prop("are found one by one, without passing any", [CronModel.cron, CronModel.anyDay], ([cron, start]) => {
    const all = Array.from({ length: 2_000 }, (_, i) => start + i)
    const matching = all.filter((days) => CronModel.matches(cron, CronModel.see(days)))
    assert.deepStrictEqual(
      CronDates.next(of(cron), start).pipe(Option.filter((days) => days < start + 2_000)),
      Option.fromUndefinedOr(matching[0])
    )
    assert.deepStrictEqual(
      CronDates.previous(of(cron), start + 1_999).pipe(Option.filter((days) => days >= start)),
      Option.fromUndefinedOr(matching.at(-1))
    )
  })

  it.prop(
    "have none before the next and none after the previous",
    [CronModel.endOfMonth, CronModel.anyDay],
    ([cron, start]) => {
      const rule = of(cron)
      const next = Option.getOrElse(CronDates.next(rule, start), () => lastDay + 1)
      assert.isTrue(Option.getOrElse(CronDates.previous(rule, next - 1), () => -Infinity) < start)
      assert.isTrue(!CronDates.isEmpty(rule) || Option.isNone(CronDates.next(rule, start)))
    }
  )

  it.prop("are none exactly if no date of the 400-year cycle matches", [CronModel.endOfMonth], ([cron]) => {
    assert.strictEqual(
      CronDates.isEmpty(of(cron)),
      !CronModel.consecutive.some(([date]) => CronModel.matches(cron, date))
    )
  })

  it.prop("adjoin exactly if two dates of the 400-year cycle do", [CronModel.cron], ([cron]) => {
    const both = CronModel.consecutive.some((pair) => pair.every((date) => CronModel.matches(cron, date)))
    assert.strictEqual(CronDates.hasConsecutive(of(cron)), both)
  })

  it("adjoin at the ends of months, of February in both kinds of year, and of the year", () => {
    for (const fields of ["31,1 12,1 *", "31,1 1,12 *", "28,1 2,3 *", "29,1 2,3 *", "30,1 4,5 *", "*/31,31 * *"]) {
      assert.isTrue(CronDates.hasConsecutive(dates(`0 0 ${fields}`)), fields)
    }
    for (const fields of ["31,1 7,9 *", "30,1 4 *", "27,1 2,3 *", "31,1 12 *", "31 * */7"]) {
      assert.isFalse(CronDates.hasConsecutive(dates(`0 0 ${fields}`)), fields)
    }
  })

  it("match both day fields if either begins with a star, or one of them", () => {
    assert.deepStrictEqual(after("0 9 15 * 1", "2026-06-01", 4), [
      "2026-06-08",
      "2026-06-15",
      "2026-06-22",
      "2026-06-29"
    ])
    assert.deepStrictEqual(after("0 0 */2 * 1", "2024-12-31", 2), ["2025-01-13", "2025-01-27"])
    assert.deepStrictEqual(after("0 0 15 * */3", "2024-12-31", 1), ["2025-01-15"])
    assert.deepStrictEqual(after("0 2 29 2 0", "2018-05-14", 1), ["2019-02-03"])
    assert.deepStrictEqual(after("0 0 * 6 1", "2021-04-13", 3), ["2021-06-07", "2021-06-14", "2021-06-21"])
    assert.deepStrictEqual(after("0 0 * * */2", "2026-01-01", 2), ["2026-01-03", "2026-01-04"])
    assert.deepStrictEqual(after("0 9 * * 0-7", "2026-01-01", 2), ["2026-01-02", "2026-01-03"])
  })

  it("pass over the months that lack the day", () => {
    assert.deepStrictEqual(after("0 0 31 * *", "2026-01-31", 3), ["2026-03-31", "2026-05-31", "2026-07-31"])
    assert.deepStrictEqual(after("0 9 29 2 *", "2096-03-01", 2), ["2104-02-29", "2108-02-29"])
    assert.strictEqual(before("0 9 29 2 *", "2104-02-28"), "2096-02-29")
  })

  it("reach a 29 February on a Sunday over forty years", () => {
    const sundays = Array.from({ length: 101 }, (_, i) => 2000 + i * 4)
      .map((year) => ({ year, month: 2, day: 29 }))
      .filter(Calendar.isDate)
      .map(Calendar.toDays)
      .filter((days) => Calendar.weekdayOf(days) === 7)
      .map(Instant.formatDate)
    assert.include(sundays, "2088-02-29")
    assert.deepStrictEqual(after("0 0 29 2 */7", "2000-01-01", sundays.length), sundays)
    for (const [i, date] of sundays.entries()) {
      if (i > 0) assert.strictEqual(before("0 0 29 2 */7", Instant.formatDate(day(date) - 1)), sundays[i - 1])
    }
  })

  it("end with the calendar", () => {
    assert.deepStrictEqual(CronDates.next(dates("0 0 31 12 *"), lastDay), Option.some(lastDay))
    assert.deepStrictEqual(CronDates.next(dates("0 0 1 1 *"), lastDay), Option.none())
    assert.deepStrictEqual(CronDates.previous(dates("0 0 1 1 *"), firstDay), Option.some(firstDay))
    assert.deepStrictEqual(CronDates.previous(dates("0 0 2 1 *"), firstDay), Option.none())
  })
})
