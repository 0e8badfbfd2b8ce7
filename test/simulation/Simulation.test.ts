import { assert, describe, it } from "@effect/vitest"
import * as Report from "./Report.ts"

const HISTORIES = 300
const PARTS = 10

describe("Whatever goes wrong, nothing is lost, early, or sent twice", () => {
  for (let part = 0; part < PARTS; part++) {
    const first = 1 + (part * HISTORIES) / PARTS
    it(`in the histories of the seeds from ${first} on`, () => {
      for (let seed = first; seed < first + HISTORIES / PARTS; seed++) {
        assert.isUndefined(Report.play(seed, new Map()))
      }
    })
  }
})
