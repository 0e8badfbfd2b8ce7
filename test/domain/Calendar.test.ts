import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Calendar from "../../src/domain/Calendar.ts"

const Days = Schema.Int.check(Schema.isBetween({ minimum: -719_528, maximum: 2_932_896 }))

describe("Calendar", () => {
  it.prop("a day number names the date that the platform's own calendar gives", [Days], ([days]) => {
    const date = new Date(days * Calendar.DAY_MILLIS)
    assert.deepStrictEqual(Calendar.fromDays(days), {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate()
    })
  })

  it.prop("a date and its day number name each other", [Days], ([days]) => {
    assert.strictEqual(Calendar.toDays(Calendar.fromDays(days)), days)
    assert.isTrue(Calendar.isDate(Calendar.fromDays(days)))
  })

  it.prop("weekdays are ISO weekdays, before 1970 too", [Days], ([days]) => {
    assert.strictEqual(Calendar.weekdayOf(days) % 7, new Date(days * Calendar.DAY_MILLIS).getUTCDay())
  })

  it("knows leap years by the Gregorian rule", () => {
    assert.deepStrictEqual([2023, 2024, 1900, 2000, 4].map(Calendar.isLeapYear), [false, true, false, true, true])
    assert.strictEqual(Calendar.daysInMonth(2024, 2), 29)
    assert.strictEqual(Calendar.daysInMonth(2023, 2), 28)
  })

  it("refuses dates that no calendar has", () => {
    for (const [year, month, day] of [
      [2023, 2, 29],
      [2024, 13, 1],
      [2024, 0, 1],
      [2024, 4, 31],
      [2024, 4, 0]
    ] as const) {
      assert.isFalse(Calendar.isDate({ year, month, day }))
    }
  })
})
