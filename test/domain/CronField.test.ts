import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as CronField from "../../src/domain/CronField.ts"

const chosen = (kind: CronField.Kind, text: string): ReadonlyArray<number> =>
  Result.getOrThrow(CronField.parse(kind, text)).values

const complaint = (kind: CronField.Kind, text: string): string =>
  Result.match(CronField.parse(kind, text), { onFailure: (error) => error.message, onSuccess: () => "accepted" })

describe("a cron field", () => {
  it("takes names in any letter case, mixed with numbers, also in ranges", () => {
    assert.deepStrictEqual(chosen(CronField.month, "jan-3,DEC"), [1, 2, 3, 12])
    assert.deepStrictEqual(chosen(CronField.dayOfWeek, "fRi-6"), [5, 6])
  })

  it("has Sunday as 0, as 7, and by name at either end of a range", () => {
    assert.deepStrictEqual(chosen(CronField.dayOfWeek, "7"), [0])
    assert.deepStrictEqual(chosen(CronField.dayOfWeek, "SUN"), [0])
    assert.deepStrictEqual(chosen(CronField.dayOfWeek, "6-7"), [0, 6])
    assert.deepStrictEqual(chosen(CronField.dayOfWeek, "FRI-SUN"), [0, 5, 6])
    assert.deepStrictEqual(chosen(CronField.dayOfWeek, "SUN-TUE"), [0, 1, 2])
    assert.deepStrictEqual(chosen(CronField.dayOfWeek, "1-7/3"), [0, 1, 4])
  })

  it("takes leading zeros and a step beyond the range", () => {
    assert.deepStrictEqual(chosen(CronField.minute, "007,*/030"), [0, 7, 30])
    assert.deepStrictEqual(chosen(CronField.minute, "10-20/99999999999999999999"), [10])
  })

  it("takes a star's step up to the size of the field", () => {
    const sizes: ReadonlyArray<readonly [CronField.Kind, number]> = [
      [CronField.minute, 60],
      [CronField.hour, 24],
      [CronField.dayOfMonth, 31],
      [CronField.month, 12],
      [CronField.dayOfWeek, 7]
    ]
    for (const [kind, size] of sizes) {
      assert.deepStrictEqual(chosen(kind, `*/${size}`), [kind.min])
      assert.include(complaint(kind, `*/${size + 1}`), "steps past the end")
    }
  })

  it("says of a value that it does not know which values there are", () => {
    assert.strictEqual(complaint(CronField.hour, "24"), 'hour: "24" is out of range; write 0-23')
    assert.strictEqual(complaint(CronField.dayOfMonth, "0-5"), 'day-of-month: "0-5" is out of range; write 1-31')
    assert.strictEqual(complaint(CronField.month, "1-13"), 'month: "1-13" is out of range; write 1-12 or JAN-DEC')
    assert.strictEqual(
      complaint(CronField.dayOfWeek, "8"),
      'day-of-week: "8" is out of range; write 0-7 or SUN-SAT, where 0 and 7 are Sunday'
    )
    assert.strictEqual(
      complaint(CronField.minute, "5,JAN"),
      'minute: "JAN" is not understood; ' +
        'write 0-59, as a value, "a-b", "a-b/n", "*", "*/n", or a list of these with commas'
    )
  })

  it("says of a part that it refuses what is meant", () => {
    assert.strictEqual(complaint(CronField.hour, "22-2"), 'hour: "22-2" runs backwards; write "0-2,22-23"')
    assert.strictEqual(complaint(CronField.month, "NOV-FEB"), 'month: "NOV-FEB" runs backwards; write "1-2,11-12"')
    assert.strictEqual(complaint(CronField.dayOfWeek, "7-1"), 'day-of-week: "7-1" runs backwards; write "0-1"')
    assert.strictEqual(complaint(CronField.hour, "20-4/4"), 'hour: "20-4/4" runs backwards; write "0,4,20"')
    assert.strictEqual(
      complaint(CronField.minute, "5/15"),
      'minute: "5/15" has a step after a single value; write "5-50/15"'
    )
    assert.strictEqual(
      complaint(CronField.dayOfWeek, "7/2"),
      'day-of-week: "7/2" has a step after a single value; write "0-6/2"'
    )
    assert.strictEqual(complaint(CronField.hour, "*/0"), 'hour: "*/0" steps by zero; write a step of 1 or more')
    assert.strictEqual(complaint(CronField.hour, "1-5/00"), 'hour: "1-5/00" steps by zero; write a step of 1 or more')
    assert.strictEqual(
      complaint(CronField.minute, "*/90"),
      'minute: "*/90" steps past the end of the field (0-59); ' +
        "write a step of at most 60, or use every_seconds for an interval"
    )
    assert.strictEqual(complaint(CronField.minute, "1,,2"), 'minute: "" is empty; remove the extra comma')
  })

  it("says of what other dialects add how to do without", () => {
    assert.strictEqual(
      complaint(CronField.dayOfMonth, "?"),
      'day-of-month: "?" is not supported; write "*" for any value'
    )
    for (const text of ["L", "l-3"]) assert.include(complaint(CronField.dayOfMonth, text), "each length of month")
    for (const text of ["15W", "LW"]) assert.include(complaint(CronField.dayOfMonth, text), "nearest working day")
    for (const text of ["1#2", "MON#1"]) assert.include(complaint(CronField.dayOfWeek, text), "nth weekday")
    for (const text of ["5L", "FRIL"]) assert.include(complaint(CronField.dayOfWeek, text), "last weekday")
  })

  it("refuses everything else", () => {
    const parts = [
      "",
      "*/",
      "/5",
      "*/5.5",
      "*/x",
      "1-5/",
      "1-",
      "-1",
      "1--5",
      "*/5/2",
      "5*",
      "**",
      "*-5",
      "1;2",
      "0x10",
      "1e1"
    ]
    for (const text of [
      ...parts,
      "+5",
      "H",
      "H/15",
      "JANFEB",
      "1..5",
      "!1",
      "\u0660",
      "\u200B*",
      "*\n",
      "_",
      "1-2-3"
    ]) {
      assert.match(complaint(CronField.hour, text), /^hour: .*; (write|remove) /, text)
    }
    assert.include(complaint(CronField.dayOfWeek, "\u017FUN"), "is not understood")
    assert.include(complaint(CronField.dayOfWeek, "MO"), "is not understood")
  })

  it("is a star if its text begins with one", () => {
    for (const text of ["*", "*/2", "*,5", "*/7,3"])
      assert.isTrue(Result.getOrThrow(CronField.parse(CronField.hour, text)).isStar)
    for (const text of ["0-23", "5,*", "2,*/2"])
      assert.isFalse(Result.getOrThrow(CronField.parse(CronField.hour, text)).isStar)
  })
})
