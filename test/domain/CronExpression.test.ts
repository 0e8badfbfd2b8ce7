import { assert, describe, it } from "@effect/vitest"
import { Array, Option, Result, Schema } from "effect"
import { readFileSync } from "node:fs"
import * as CronExpression from "../../src/domain/CronExpression.ts"
import * as CronModel from "./CronModel.ts"

interface Case {
  readonly name: string
  readonly category?: string
  readonly file?: string
  readonly expression: string
  readonly canonical?: string
  readonly rule?: { readonly cron?: { readonly expression: string } }
  readonly expect: { readonly error?: string; readonly canonical?: string }
}

const vectors = (file: string): ReadonlyArray<Case> =>
  JSON.parse(readFileSync(new URL(`../vectors/${file}.json`, import.meta.url), "utf8"))

const parse = (text: string): CronExpression.CronExpression => Result.getOrThrow(CronExpression.parse(text))
const of = (cron: CronModel.Cron): CronExpression.CronExpression => parse(CronModel.text(cron))
const canonical = (text: string): string => parse(text).text

const check = (text: string) => Result.flatMap(CronExpression.parse(text), CronExpression.validate)
const code = (text: string): string | undefined => Option.getOrUndefined(Result.getFailure(check(text)))?.code
const complaint = (text: string): string | undefined => Option.getOrUndefined(Result.getFailure(check(text)))?.message

const DAY = 1_440

/** The code by which a rule is refused, by its plainest definition. */
const refusal = (cron: CronModel.Cron): string | undefined => {
  const pairs = CronModel.consecutive.map((pair) => pair.map((date) => CronModel.matches(cron, date)))
  if (!pairs.some(([matches]) => matches)) return "invalid_rule"
  const times = CronModel.times(cron)
  const tomorrow = pairs.some(([matches, follows]) => matches && follows) ? times.map((time) => time + DAY) : []
  const all = [...times, ...tomorrow]
  return all.some((time) => all.some((other) => other > time && other < time + 5)) ? "frequency_too_high" : undefined
}

describe("a cron expression", () => {
  it.prop("fires at every chosen minute of every chosen hour", [CronModel.cron], ([cron]) => {
    assert.deepStrictEqual([...of(cron).times], CronModel.times(cron))
  })

  it("may have spaces and tabs around and between its fields, and nothing else", () => {
    assert.strictEqual(canonical(" \t0  9\t* * 1 "), "0 9 * * 1")
    for (const text of ["0\n9 * * 1", "0 9 * * 1\n", "0\u00A09 * * 1", "0 9 * * 1\u0000"]) {
      assert.strictEqual(code(text), "invalid_rule", JSON.stringify(text))
    }
  })

  it("may be a macro, in any letter case", () => {
    const macros = ["@hourly", "@DAILY", " @midnight", "@Weekly\t", "@monthly", "@yearly", "@annually"]
    assert.deepStrictEqual(macros.map(canonical), [
      "0 * * * *",
      "0 0 * * *",
      "0 0 * * *",
      "0 0 * * 0",
      "0 0 1 * *",
      "0 0 1 1 *",
      "0 0 1 1 *"
    ])
  })

  it("is refused by naming the field and what to write instead", () => {
    assert.strictEqual(
      complaint("0 0 9 * * *"),
      'cron.expression: it has 6 fields; write five, "minute hour day-of-month month day-of-week", ' +
        "without seconds, a year or spaces inside a list"
    )
    for (const text of ["@reboot", "@daily extra", "@", "@@daily", "@wee\u212Aly"]) {
      assert.strictEqual(
        complaint(text),
        `cron.expression: "${text}" is not supported; write one of ` +
          "@hourly, @daily, @midnight, @weekly, @monthly, @yearly, @annually alone, or five fields"
      )
    }
    assert.strictEqual(complaint("0 24 99 * *"), 'hour: "24" is out of range; write 0-23')
  })

  it("is refused in one line of bounded length, whatever it is", () => {
    const long = ["*/9,", "0-58,", "0/5,", " ", "1", "a-", ", ", "@a", "L", "9W", "\u0000", "\n", "0 ", "\uD83D"]
    for (const text of long.map((it) => it.repeat(20_000))) {
      for (const hostile of [text, `${text}x * * * *`, `* ${text} * * *`, `* * * * ${text}`]) {
        const message = complaint(hostile) ?? ""
        assert.isTrue(message !== "" && message.length < 700, message)
        assert.notMatch(message, /[\p{C}\p{Zl}\p{Zp}]/u)
      }
    }
  })

  it.prop("has a canonical text that means the same", [CronModel.cron], ([cron]) => {
    const parsed = of(cron)
    assert.deepStrictEqual(parse(parsed.text), parsed)
    const isStar = Object.values(cron).map((field) => field.isStar)
    assert.deepStrictEqual(
      parsed.text.split(" ").map((field) => field.startsWith("*")),
      isStar
    )
  })

  it.prop("has the same canonical text however it is written", [CronModel.cron], ([cron]) => {
    const another = ({ text, values, isStar }: CronModel.Field): string =>
      [...(isStar ? [text.split(",")[0]] : []), ...[...values].toReversed(), ...values].join(",")
    assert.strictEqual(canonical(Object.values(cron).map(another).join(" ")), of(cron).text)
  })

  it("has the canonical text that the log has always held", () => {
    const cases = vectors("cron-canonical").map((it) => [it.expression, it.canonical ?? it.expect.canonical] as const)
    const decided = vectors("decided").filter((it) => it.file === "cron-canonical")
    const all = [...cases, ...decided.map((it) => [it.expression, it.expect.canonical] as const)]
    assert.isAbove(all.length, 200)
    for (const [expression, expected] of all) {
      assert.strictEqual(canonical(expression), expected, expression)
      assert.strictEqual(canonical(canonical(expression)), expected, expression)
    }
  })

  it("is refused or taken as the shared cases tell, leaving the zone and the clock aside", () => {
    const ours = ["invalid_rule", "frequency_too_high"]
    const cron = [...vectors("cron"), ...vectors("decided").filter(({ file }) => file === "cron")].map((it) => ({
      expression: it.rule?.cron?.expression,
      error: it.expect.error,
      isZoneFault: it.expect.error === "invalid_time_zone"
    }))
    const frequency = vectors("cron-frequency").map((it) => ({ expression: it.expression, error: it.expect.error }))
    const all = [...cron.filter((it) => !it.isZoneFault), ...frequency]
    assert.isAbove(all.length, 450)
    for (const { expression, error = "" } of all) {
      if (typeof expression === "string") {
        assert.strictEqual(code(expression), ours.includes(error) ? error : undefined, expression)
      }
    }
  })

  it("is refused if no date ever matches, before its frequency is looked at", () => {
    assert.strictEqual(
      complaint("*/2 * 30,31 FEB *"),
      'cron.expression: "*/2 * 30-31 2 *" matches no date; write a day that one of its months has'
    )
    assert.isUndefined(code("0 9 31 4 1"))
  })

  it("is refused if it fires twice within five minutes, telling when", () => {
    assert.strictEqual(
      complaint("0,57 * * * *"),
      'cron.expression: "0,57 * * * *" fires at 00:57 and 01:00, less than 5 minutes apart; ' +
        'leave at least 5, also across the hour and midnight, for example with "*/5" as the minute'
    )
    assert.include(complaint("0,58 0,23 * * *") ?? "", "fires at 23:58 and 00:00, ")
    assert.isUndefined(code("0,58 1,3 * * *"))
    assert.isUndefined(code("0,55 0,23 * * *"))
  })

  it.prop("is refused if it never fires, or too often, as a look at every date tells", [CronModel.cron], ([cron]) => {
    assert.strictEqual(code(CronModel.text(cron)), refusal(cron))
  })

  it.prop("is refused if it fires too often across midnight", [CronModel.aroundMidnight], ([cron]) => {
    assert.strictEqual(code(CronModel.text(cron)), refusal(cron))
  })

  it.prop(
    "fires next and previously without passing any occurrence",
    [CronModel.cron, CronModel.anyDay, Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: DAY - 1 }))],
    ([cron, day, minute]) => {
      const start = day * DAY + minute
      const days = Array.makeBy(100, (i) => day + i).filter((it) => CronModel.matches(cron, CronModel.see(it)))
      const all = days.flatMap((it) => CronModel.times(cron).map((time) => it * DAY + time))
      const within = Option.filter<number>((it) => it >= day * DAY && it < (day + 100) * DAY)
      assert.deepStrictEqual(
        within(CronExpression.next(of(cron), start)),
        Option.fromUndefinedOr(all.find((it) => it >= start))
      )
      assert.deepStrictEqual(
        within(CronExpression.previous(of(cron), start)),
        Option.fromUndefinedOr(all.findLast((it) => it <= start))
      )
    }
  )
})

describe("a stored cron expression", () => {
  const decode = Schema.decodeUnknownResult(CronExpression.CronText)

  it.prop("reads back as it was written", [CronModel.cron], ([cron]) => {
    const { text } = of(cron)
    const stored = decode(text)
    assert.strictEqual(Result.isSuccess(stored), code(text) === undefined)
    if (Result.isSuccess(stored)) {
      assert.deepStrictEqual(stored.success, of(cron))
      assert.strictEqual(Schema.encodeSync(CronExpression.CronText)(stored.success), text)
    }
  })

  it("is refused unless it is canonical, matches a date and keeps the floor", () => {
    for (const text of [
      "0 9 * * MON",
      "@daily",
      " 0 9 * * 1",
      "0 9 * * 1,2",
      "0 0 30 2 *",
      "* * * * *",
      "x",
      "",
      5,
      null
    ]) {
      assert.isTrue(Result.isFailure(decode(text)), String(text))
    }
    const error = Result.getOrThrow(Result.flip(decode("@daily")))
    assert.include(error.message, "a canonical cron expression")
  })

  it("is parsed once, however often the log names it", () => {
    const once = Option.getOrThrow(CronExpression.fromText("0 9 * * 1"))
    assert.strictEqual(Option.getOrThrow(CronExpression.fromText("0 9 * * 1")), once)
    for (let i = 0; i < 1_440; i++) CronExpression.fromText(`${i % 60} ${Math.floor(i / 60) % 24} 1 * *`)
    assert.deepStrictEqual(Option.getOrThrow(CronExpression.fromText("0 9 * * 1")), once)
  })

  it("can be encoded only if it was parsed", () => {
    assert.isTrue(Result.isFailure(Schema.encodeUnknownResult(CronExpression.CronText)({ text: "0 9 * * 1" })))
  })
})
