import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as Postgres from "../postgres/Postgres.ts"
import * as Generate from "./Generate.ts"
import * as MediumPg from "./MediumPg.ts"
import * as Run from "./Run.ts"

const HISTORIES = 40
const PARTS = 4

describe("Over the real PostgreSQL store, too, nothing is lost, early, or sent twice", () => {
  let store: MediumPg.Store

  beforeAll(async () => {
    const { url, schema } = await Effect.runPromise(Postgres.newStore)
    store = MediumPg.open(Redacted.value(url), schema)
  })
  afterAll(() => store.close())

  for (let part = 0; part < PARTS; part++) {
    const first = 1 + (part * HISTORIES) / PARTS
    it(`in the histories of the seeds from ${first} on, which go as they do in memory`, () => {
      for (let seed = first; seed < first + HISTORIES / PARTS; seed++) {
        const { failure, tally } = Run.run(Generate.history(seed), store.make)
        assert.isUndefined(failure, `seed ${seed}`)
        assert.deepStrictEqual([...tally], [...Run.run(Generate.history(seed)).tally], `seed ${seed}`)
      }
    })
  }

  it("and a store that loses an event is noticed", () => {
    const rule = { kind: "after", seconds: 7_200 } as const
    const loss = [
      { kind: "create", session: "s0", prompt: "lost", rule },
      { kind: "forget", session: "s0" },
      { kind: "crash", resume: true }
    ] as const
    const steps = loss.map((step, seed) => ({ step, tasks: null, seed }))
    const { failure } = Run.run({ ...Generate.history(7), steps }, store.make)
    assert.match(failure?.complaint ?? "", /was acknowledged, and vanished/u)
  })
})
