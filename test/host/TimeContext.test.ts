import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import * as Instant from "../../src/domain/Instant.ts"
import * as TimeContext from "../../src/host/TimeContext.ts"

const now = Option.getOrThrow(Instant.parse("2026-11-30T12:00:00.000Z"))
const Zone = Schema.Union([Schema.Literals(["Asia/Shanghai", "Europe/Paris", "UTC"]), Schema.String])

describe("TimeContext", () => {
  it.prop(
    "a model reads back the clock and the zones that were rendered, each zone once",
    [Schema.toType(Instant.Instant), Schema.Array(Zone)],
    ([now, zones]) => {
      const read = TimeContext.read(TimeContext.render({ now, zones }))
      assert.deepStrictEqual(read, Option.some({ now, zones: [...new Set(zones)] }))
    }
  )

  it.prop(
    "it is found among any other system text",
    [Schema.toType(Instant.Instant), Schema.Array(Zone), Schema.String, Schema.String],
    ([now, zones, before, after]) => {
      const text = `${before}\n\n${TimeContext.render({ now, zones })}\n\n${after}`
      assert.deepStrictEqual(TimeContext.read(text), Option.some({ now, zones: [...new Set(zones)] }))
    }
  )

  it("one zone gives its weekday, local time and offset, and the zone to read in", () => {
    const text = TimeContext.render({ now, zones: ["Asia/Shanghai", "Asia/Shanghai"] })
    assert.include(text, "Current time: 2026-11-30T12:00:00.000Z")
    assert.include(text, "Monday 2026-11-30 20:00:00 (UTC+08:00)")
    assert.include(text, "Read dates and times that name no zone in this one.")
  })

  it.each([
    ["America/New_York", "Monday 2026-11-30 07:00:00 (UTC-05:00)"],
    ["Asia/Kathmandu", "Monday 2026-11-30 17:45:00 (UTC+05:45)"],
    ["Pacific/Kiritimati", "Tuesday 2026-12-01 02:00:00 (UTC+14:00)"],
    ["UTC", "Monday 2026-11-30 12:00:00 (UTC+00:00)"]
  ])("the local time of %s is %s", (zone, local) => {
    assert.include(TimeContext.render({ now, zones: [zone] }), local)
  })

  it("an offset with seconds is written with them", () => {
    const now = Option.getOrThrow(Instant.parse("1900-01-01T00:00:00.000Z"))
    assert.include(TimeContext.render({ now, zones: ["Asia/Shanghai"] }), "Monday 1900-01-01 08:05:43 (UTC+08:05:43)")
  })

  it("without a zone, or with different ones, the model is told to ask", () => {
    assert.include(TimeContext.render({ now, zones: [] }), "The zone is not known: ask")
    assert.include(TimeContext.render({ now, zones: ["Asia/Shanghai", "Asia/Tokyo"] }), "The zones differ: ask")
  })

  it("names that differ in text are different zones", () => {
    assert.include(TimeContext.render({ now, zones: ["Asia/Kolkata", "Asia/Calcutta"] }), "The zones differ: ask")
  })

  it("a zone that this runtime does not know is named, without a local time", () => {
    const text = TimeContext.render({ now, zones: ["Mars/Olympus"] })
    assert.include(text, `["Mars/Olympus"]`)
    assert.notInclude(text, "The local time there")
  })

  it("it always says that the tools need an explicit offset or zone", () => {
    for (const zones of [[], ["UTC"], ["UTC", "Asia/Tokyo"]]) {
      assert.include(TimeContext.render({ now, zones }), "still need an explicit offset or time_zone")
    }
  })

  it("a text without a time context has none", () => {
    const [introduction = "", ...rest] = TimeContext.render({ now, zones: [] }).split("\n")
    for (const text of ["", "hello\nthere", introduction, rest.join("\n"), `${introduction}\n\n${rest.join("\n")}`]) {
      assert.deepStrictEqual(TimeContext.read(text), Option.none())
    }
  })

  it("the last of several is the one of the turn", () => {
    const text = [["UTC"], ["Asia/Tokyo"]].map((zones) => TimeContext.render({ now, zones })).join("\n")
    assert.deepStrictEqual(TimeContext.read(text), Option.some({ now, zones: ["Asia/Tokyo"] }))
  })
})
