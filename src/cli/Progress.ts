/**
 * How far long work is, on a line of its own beside the output, where somebody watches.
 */
import { Clock, Effect, Stdio, Stream } from "effect"
import * as Table from "./Table.ts"

/** Work that is over sooner says nothing, in milliseconds. */
const PATIENCE = 1_000
/** How often the line changes at most, in milliseconds. */
const INTERVAL = 200

/** Says how far the work is, if it is time to. */
export type Tell = (text: string) => Effect.Effect<void>

const CLEAR = "\r\u001B[K"

/** Gives work the means to tell; the line is gone afterwards. */
export const during = <A, E, R>(work: (tell: Tell) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Stdio.Stdio> =>
  Effect.gen(function* () {
    const stdio = yield* Stdio.Stdio
    if (!(yield* stdio.stderrIsTerminal)) return yield* work(() => Effect.void)
    let next = (yield* Clock.currentTimeMillis) + PATIENCE
    let isShown = false
    const write = (text: string) =>
      Effect.ignore(Stream.run(Stream.make(CLEAR + Table.printable(text)), stdio.stderr()))
    const tell: Tell = Effect.fnUntraced(function* (text) {
      const now = yield* Clock.currentTimeMillis
      if (now < next) return
      next = now + INTERVAL
      isShown = true
      yield* write(text)
    })
    return yield* Effect.ensuring(
      work(tell),
      Effect.suspend(() => (isShown ? write("") : Effect.void))
    )
  })
