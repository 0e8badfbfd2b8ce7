import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Fault from "./Fault.ts"
import * as Faults from "./Faults.ts"

const { TORTURE_SEED = "test" } = process.env

/** Servers are started on a machine that runs other tests, too. */
const TIMEOUT_MILLIS = 180_000

describe.concurrent("What was acknowledged is so, and nothing comes twice", () => {
  for (const fault of Faults.all("short")) {
    it.live(
      `after a short form of: ${fault.name}`,
      () =>
        Effect.map(Fault.run(fault, TORTURE_SEED), ({ faults, counts }) => {
          assert.deepStrictEqual(faults, [])
          assert.isAbove(counts.acknowledged, 0)
        }),
      TIMEOUT_MILLIS
    )
  }
})
