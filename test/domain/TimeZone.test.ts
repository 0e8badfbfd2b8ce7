import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import * as TimeZone from "../../src/domain/TimeZone.ts"
import * as ZoneRules from "../../src/domain/ZoneRules.ts"
import { vectors } from "../vectors.ts"

interface ZoneCase {
  readonly name: string
  readonly file?: string
  readonly time_zone: string
  readonly expect: { readonly valid: true } | { readonly error: string }
}

const cases = [
  ...vectors<ZoneCase>("time-zone"),
  ...vectors<ZoneCase>("decided").filter(({ file }) => file === "time-zone")
]

const isName = Schema.is(TimeZone.TimeZone)
const summer = Date.UTC(2026, 6, 1)
const offsetIn = (name: string) =>
  Option.map(Option.flatMap(TimeZone.fromInput(name), TimeZone.rules), (rules) => ZoneRules.offsetAt(rules, summer))

/** Spellings of one zone that differ in the case of their letters alone. */
const spellings = (name: string, count: number): ReadonlyArray<TimeZone.TimeZone> =>
  Array.from({ length: count }, (_, bits) =>
    TimeZone.TimeZone.make(
      name.replace(/[A-Za-z]/gu, (letter, at: number) =>
        bits & (1 << at) ? letter.toUpperCase() : letter.toLowerCase()
      )
    )
  )

describe("TimeZone", () => {
  it.each(cases)("accepts a name with a slash that the runtime knows, and UTC: $name", ({ time_zone, expect }) => {
    const zone = TimeZone.fromInput(time_zone)
    assert.deepStrictEqual(Option.getOrNull(zone), "valid" in expect ? time_zone : null)
  })

  it("is told from other texts by its form alone, so that a record outlives what a runtime knows", () => {
    const names = ["UTC", "Mars/Olympus_Mons", "america/new_york", "Etc/GMT+5", "America/Argentina/Buenos_Aires"]
    for (const name of names) assert.isTrue(isName(name), name)
    assert.isFalse(TimeZone.isKnown(TimeZone.TimeZone.make("Mars/Olympus_Mons")))
    assert.isTrue(TimeZone.isKnown(TimeZone.TimeZone.make("america/new_york")))
  })

  it("is no offset, no abbreviation, and has nothing around it", () => {
    const others = ["", "utc", "EST", "CET", "Z", "+01:00", "-0500", "UTC+1", "UTC/+01:00", "Europe/", "/Berlin"]
    const padded = [" Europe/Berlin", "Europe/Berlin ", "Europe/Berlin\n", "UTC\n", "Europe/Berlin\0", "Europe//Berlin"]
    const lookalikes = ["America/New_Yor\u212a", "Europe/Berl\u0131n", "Europe/\u0130stanbul", "Europe\\Berlin"]
    for (const text of [...others, ...padded, ...lookalikes]) assert.isFalse(isName(text), JSON.stringify(text))
  })

  it("shows its form in JSON Schema", () => {
    const { schema } = Schema.toJsonSchemaDocument(TimeZone.TimeZone)
    const pattern = new RegExp(String(schema["pattern"]), "u")
    assert.isTrue(pattern.test("Asia/Kolkata"))
    assert.isFalse(pattern.test("+05:30"))
  })

  it("means the same by either of two aliases, in any letter case", () => {
    assert.deepStrictEqual(offsetIn("Asia/Kolkata"), Option.some(19_800_000))
    assert.deepStrictEqual(offsetIn("Asia/Calcutta"), Option.some(19_800_000))
    assert.deepStrictEqual(offsetIn("Europe/Kyiv"), offsetIn("eUROPE/kIEV"))
    assert.deepStrictEqual(offsetIn("Etc/GMT+5"), Option.some(-18_000_000))
  })

  it("remembers the rules of a zone, but not of every way to spell it", () => {
    const zone = TimeZone.TimeZone.make("Europe/Vienna")
    const rules = TimeZone.rules(zone)
    assert.strictEqual(TimeZone.rules(zone), rules)
    for (const spelling of spellings("america/new_york", 3_000)) assert.isTrue(TimeZone.isKnown(spelling), spelling)
    assert.notStrictEqual(TimeZone.rules(zone), rules)
    assert.deepStrictEqual(offsetIn("Europe/Vienna"), Option.some(7_200_000))
  })
})
