import { assert, describe, it } from "@effect/vitest"

/** The page's modules are JavaScript that browsers run as it is. */
const module = (name: string): Promise<any> => import(new URL(`../../web/${name}`, import.meta.url).href)
const { words } = await module("rule.js")

const zone = { timeZone: "Asia/Shanghai" }
const cron = (expression: string) => words({ kind: "cron", expression, ...zone })

describe("A rule in words", () => {
  it("says an interval in the unit in which people think of it", () => {
    const intervals = [300, 3_600, 5_400, 7_200, 86_400, 129_600, 604_800, 90_061].map((everySeconds) =>
      words({ kind: "every", everySeconds })
    )
    assert.deepStrictEqual(intervals, [
      "every 5 minutes",
      "every hour",
      "every 90 minutes",
      "every 2 hours",
      "every day",
      "every 36 hours",
      "every 7 days",
      "every 1 day, 1 hour, 1 minute and 1 second"
    ])
  })

  it("says times of day without the zeros that nobody writes", () => {
    assert.strictEqual(words({ kind: "daily", time: "09:00:00.000", ...zone }), "every day at 09:00")
    assert.strictEqual(words({ kind: "daily", time: "09:00:30.000", ...zone }), "every day at 09:00:30")
    assert.strictEqual(words({ kind: "daily", time: "09:00:00.250", ...zone }), "every day at 09:00:00.250")
  })

  it("names weekdays, and has a word for those from Monday to Friday", () => {
    const weekly = (weekdays: ReadonlyArray<number>) =>
      words({ kind: "weekly", time: "18:00:00.000", weekdays, ...zone })
    assert.strictEqual(weekly([1, 2, 3, 4, 5]), "every weekday at 18:00")
    assert.strictEqual(weekly([3]), "every Wednesday at 18:00")
    assert.strictEqual(weekly([1, 6, 7]), "every Monday, Saturday and Sunday at 18:00")
    assert.strictEqual(weekly([1, 2, 3, 4, 5, 6, 7]), "every day at 18:00")
  })

  it("says once of what comes once", () => {
    assert.deepStrictEqual([words({ kind: "after" }), words({ kind: "at" })], ["once", "once"])
  })

  for (const [expression, expected] of [
    ["0 9 * * *", "every day at 09:00"],
    ["0 9 * * 1-5", "every weekday at 09:00"],
    ["0 9,12,17 * * *", "every day at 09:00, 12:00 and 17:00"],
    ["*/15 * * * *", "every 15 minutes"],
    ["*/15 9-17 * * 1-5", "every 15 minutes from 09:00 to 17:45, every weekday"],
    ["0 * * * *", "every hour"],
    ["7 * * * *", "every hour at 7 past"],
    ["0 9-17 * * *", "every hour from 09:00 to 17:00"],
    ["30 */2 * * *", "every 2 hours at 30 past"],
    ["0 9 1,15 * *", "on day 1 and 15 of every month at 09:00"],
    ["0 9 29 2 *", "on day 29 of February at 09:00"],
    ["0 0 * 6 1", "every Monday in June at 00:00"],
    ["0 9 15 * 1", "on day 15 of every month, and every Monday at 09:00"],
    ["0 0 15 * */3", "on day 15 of every month that is a Wednesday, Saturday or Sunday at 00:00"],
    ["0 9 1-31 * 1", "every day at 09:00"],
    ["0 9 15 * 0-6", "every day at 09:00"]
  ] as const) {
    it(`says ${expression} as "${expected}"`, () => {
      assert.strictEqual(cron(expression), expected)
    })
  }

  it("leaves to the expression what no words make clearer", () => {
    for (const expression of [
      "*/7 3 * * *",
      "5,35 * * * *",
      "0 0 */2 * 1",
      "*/20,30 * * * *",
      "0-45/15 8-18/2 * * *"
    ]) {
      assert.strictEqual(cron(expression), "by cron")
    }
  })
})
