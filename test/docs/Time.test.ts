import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Cli from "../cli/Cli.ts"
import * as Page from "./Page.ts"
import * as Transcript from "./Transcript.ts"

const page = Page.read("docs/time.md")
const now = ["--now", "2026-12-01T08:00:00Z"]

const previewOf = (rule: object) =>
  Effect.map(Cli.run(["preview", JSON.stringify({ prompt: "p", ...rule }), "--json", ...now]), Cli.json)

const daily = (time_zone: string) => ({ daily: { time: "09:00:00", time_zone } })

const cron = (expression: string) => ({ cron: { expression, time_zone: "UTC" } })

describe("The page about time", () => {
  for (const step of Transcript.steps(page)) {
    it.effect(`shows what is printed by ${step.command}`, () =>
      Effect.map(Transcript.run(step, Page.blocks(page, "jsonl")[0]), (printed) =>
        assert.strictEqual(printed, step.output)
      )
    )
  }

  it("works out each of the cases that it promises", () => {
    const all = Transcript.steps(page).map(({ command }) => command)
    const promised = ["New_York", "Melbourne", "Lord_Howe", "Apia", "9999-12-3", "every_seconds", "preview -"]
    assert.deepStrictEqual(
      promised.filter((text) => !all.some((command) => command.includes(text))),
      []
    )
  })

  it.effect("tells when a reminder of each selector comes", () =>
    Effect.gen(function* () {
      const rows = Page.table(page, "selector", "comes at", "")
      const kinds: Array<string> = []
      for (const [selector, comesAt] of rows) {
        const args = ["preview", `{"prompt":"p",${Page.code(selector)}}`, "--json", "--count", "2", ...now]
        const { record, occurrences } = Cli.json(yield* Cli.run(args))
        kinds.push(record.kind)
        assert.deepStrictEqual(occurrences, Page.codes(comesAt))
      }
      assert.deepStrictEqual(kinds, ["after", "at", "at", "every", "daily", "weekly", "cron"])
    })
  )

  it.effect("tells which texts of a time are taken, and as which instant", () =>
    Effect.gen(function* () {
      const rows = Page.table(page, "`at`", "is")
      assert.isAbove(rows.length, 5)
      for (const [text, is] of rows) {
        const { record, code } = yield* previewOf({ at: Page.code(text) })
        assert.strictEqual(record?.scheduledAt ?? code, Page.codes(is)[0], text)
      }
    })
  )

  it.effect("tells which names of zones are taken", () =>
    Effect.gen(function* () {
      const rows = Page.table(page, "`time_zone`", "is")
      assert.isAbove(rows.length, 5)
      for (const [text, is = ""] of rows) {
        const { record, code } = yield* previewOf(daily(Page.code(text)))
        assert.strictEqual(record?.timeZone ?? code, is.startsWith("taken") ? Page.code(text) : Page.codes(is)[0], text)
      }
    })
  )

  it.effect("tells how expressions are stored", () =>
    Effect.gen(function* () {
      const rows = Page.table(page, "written", "stored as", "comes")
      assert.isAbove(rows.length, 5)
      for (const [written, stored] of rows) {
        const { record } = yield* previewOf(cron(Page.code(written)))
        assert.strictEqual(record?.expression, Page.code(stored), written)
      }
    })
  )

  it.effect("tells what is said of expressions that are refused", () =>
    Effect.gen(function* () {
      const rows = Page.table(page, "refused", "the answer")
      assert.isAbove(rows.length, 10)
      for (const [refused, answer = ""] of rows) {
        const { message } = yield* previewOf(cron(Page.code(refused)))
        assert.strictEqual(message, answer.replace(/^`|`$/gu, ""), refused)
      }
    })
  )
})
