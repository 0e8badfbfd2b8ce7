/**
 * What is done to the server, and what is asked of it afterwards.
 */
import { Cause, Effect, Random, type Scope } from "effect"
import type { NotStarted } from "./Server.ts"
import { NOTHING, type Verdict } from "./Verdict.ts"

export interface Fault {
  readonly name: string
  /** Does it, with the dice of the context, and reckons. */
  readonly run: Effect.Effect<Verdict, NotStarted, Scope.Scope>
}

/** A verdict, with what names it in the table. */
export interface Outcome extends Verdict {
  readonly name: string
  readonly seconds: number
}

/** Runs a fault; whatever keeps it from its verdict is a fault of its own. The same seed throws the same dice. */
export const run = ({ name, run }: Fault, seed: string): Effect.Effect<Outcome> =>
  Effect.gen(function* () {
    const begun = Date.now()
    const verdict = yield* Effect.scoped(run).pipe(
      Effect.catchCause((cause) =>
        Effect.succeed({ did: "not finished", counts: NOTHING, faults: [Cause.pretty(cause)] } satisfies Verdict)
      ),
      Random.withSeed(`${seed} ${name}`)
    )
    return { name, seconds: Math.round((Date.now() - begun) / 1_000), ...verdict }
  })
