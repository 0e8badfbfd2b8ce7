import { assert, describe, it } from "@effect/vitest"
import * as Generate from "./Generate.ts"
import * as Report from "./Report.ts"
import * as Run from "./Run.ts"
import * as Shrink from "./Shrink.ts"

const HISTORIES = 250
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

describe("The simulation", () => {
  it("plays a history the same way every time", () => {
    const [once, again] = [Run.run(Generate.history(7)), Run.run(Generate.history(7))]
    assert.deepStrictEqual([...once.tally], [...again.tally])
  })

  it("notices a disk that loses an event, and finds the few steps that show it", () => {
    const rule = { kind: "after", seconds: 7_200 } as const
    const loss = [
      { kind: "create", session: "s0", prompt: "lost", rule },
      { kind: "forget", session: "s0" },
      { kind: "crash", resume: true }
    ] as const
    const { steps, ...history } = Generate.history(7)
    const planned = loss.map((step, seed) => ({ step, tasks: null, seed }))
    const shrunk = Shrink.shrink({ ...history, steps: [...planned, ...steps] })
    assert.deepStrictEqual(
      shrunk.steps.map(({ step }) => step.kind),
      ["create", "forget", "crash"]
    )
    assert.match(Run.run(shrunk).failure?.complaint ?? "", /was acknowledged, and vanished/u)
  })
})
