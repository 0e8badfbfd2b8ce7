import { assert, describe, it } from "@effect/vitest"
import { Context } from "effect"
import * as AlarmClock from "../../src/layers/AlarmClock.ts"
import * as Scheduler from "../../src/services/Scheduler.ts"
import * as SessionLabel from "../../src/services/SessionLabel.ts"
import * as StoreProbe from "../../src/services/StoreProbe.ts"
import * as Page from "./Page.ts"

const page = Page.read("docs/hosts.md")

/** The contracts, in the order in which the page has them. */
const contracts = ["EventLog", "PersistenceBarrier", "AgentQueue", "Alarm"]

const DECLARATION = /^ +(?:readonly \w+: .*|\w+(?:<[^>]*>)?\(.*\): .*)$/gmu

/** What the services of a file declare, without what carries no behaviour. */
const declared = (name: string): ReadonlyArray<string> =>
  Array.from(Page.read(`src/services/${name}.ts`).matchAll(DECLARATION), ([line]) => line.trim()).filter(
    (line) => !/^readonly (?:events|end):/u.test(line)
  )

describe("The page for hosts", () => {
  const shown = Page.blocks(page, "ts")

  for (const [n, name] of contracts.entries()) {
    it(`shows the signatures of ${name}, and all of them`, () => {
      const lines = (shown[n] ?? "").trimEnd().split("\n")
      assert.sameMembers(lines, [...declared(name)])
    })
  }

  it("tells the defaults", () => {
    const rows = new Map(Page.table(page, "service", "default", "is").map(([name, told]) => [Page.code(name), told]))
    const own = Context.empty()
    const { firstMillis, longestMillis } = Context.get(own, Scheduler.RetryDelay)
    const format = (millis: number) => millis.toLocaleString("en")
    assert.strictEqual(rows.get("LongestWait"), format(Context.get(own, AlarmClock.LongestWait)))
    assert.strictEqual(rows.get("RetryDelay"), `${format(firstMillis)} to ${format(longestMillis)}`)
    assert.strictEqual(rows.get("SessionLabel"), Context.get(own, SessionLabel.SessionLabel) ?? "none")
    assert.strictEqual(rows.get("StoreProbe"), Context.get(own, StoreProbe.StoreProbe) ?? "none")
    assert.strictEqual(rows.size, 4)
  })
})
