import { afterEach, assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import * as Dialogue from "../../src/host/localModel/Dialogue.ts"
import { instant } from "./LocalModelChat.ts"

const PHRASES = [
  "remind me at 9 to x",
  "remind me at 2:30 to x",
  "remind me tomorrow at 2:30 to x",
  "remind me at midnight to x",
  "remind me tonight at 11 to x",
  "remind me on Sunday at 9 to x",
  "remind me next Friday at noon to x",
  "remind me in 2 days at 9 to x",
  "remind me in 3 months at 9 to x",
  "remind me next week at 9 to x",
  "remind me on 8 March at 2:30 to x",
  "remind me on the 15th at 9 to x",
  "remind me on 3 January 2027 at 17:30 to x",
  "remind me at the end of the month at 9 to x",
  "remind me every Monday at 9 to x",
  "remind me every year on 25 December at 9 to x",
  "remind me in 3 seconds to x"
]

/** Days on which clocks of some machine leap, go back, or skip a date. */
const CLOCKS = [
  "2026-03-08T07:30:00.000Z",
  "2026-11-01T05:30:00.000Z",
  "2026-04-23T22:30:00.000Z",
  "2026-09-26T13:59:00.000Z",
  "2026-12-31T23:59:59.000Z",
  "2028-02-29T00:00:00.000Z"
]

const MACHINES = ["UTC", "Asia/Shanghai", "America/New_York", "Australia/Sydney", "Pacific/Kiritimati", "Africa/Cairo"]

const answers = (): ReadonlyArray<string> =>
  CLOCKS.flatMap((now) =>
    ["America/New_York", "Asia/Tokyo"].flatMap((zone) =>
      PHRASES.map((text) => JSON.stringify(Dialogue.understand(text, { now: instant(now), zone: Option.some(zone) })))
    )
  )

describe("the machine", () => {
  const zone = process.env["TZ"]
  afterEach(() => {
    if (zone === undefined) delete process.env["TZ"]
    else process.env["TZ"] = zone
  })

  it("has a zone of its own that never counts", () => {
    process.env["TZ"] = "UTC"
    const expected = answers()
    for (const machine of MACHINES) {
      process.env["TZ"] = machine
      const offset = new Date(2026, 0, 1).getTimezoneOffset()
      assert.strictEqual(offset === 0, machine === "UTC", "the test changes the zone of the machine")
      assert.deepStrictEqual(answers(), expected, machine)
    }
  })

  it("has a clock that is never read", () => {
    const RealDate = globalThis.Date
    class NoClock extends RealDate {
      constructor(...args: Array<number>) {
        if (args.length === 0) throw new Error("the clock was read")
        super(...(args as [number]))
      }
      static override now(): number {
        throw new Error("the clock was read")
      }
    }
    globalThis.Date = NoClock as DateConstructor
    try {
      assert.isNotEmpty(answers())
    } finally {
      globalThis.Date = RealDate
    }
  })
})
