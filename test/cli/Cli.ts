/**
 * The command, run within the test: what it printed, and the code it would exit with.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Result, Runtime, Sink, Stdio, Stream } from "effect"
import { TerminalCapabilities } from "effect/cli"
import { TestConsole } from "effect/testing"
import * as Program from "../../src/cli/Program.ts"

export interface Ran {
  readonly code: number
  /** Each a line, or several, of standard output. */
  readonly out: ReadonlyArray<string>
  readonly err: ReadonlyArray<string>
}

/** A text comes in small pieces, as it may; bytes come as they are. */
const pieces = (stdin: string | Uint8Array): Stream.Stream<Uint8Array> =>
  typeof stdin === "string"
    ? Stream.encodeText(Stream.fromIterable(stdin.match(/[^]{1,7}/gu) ?? []))
    : Stream.make(stdin)

/** What is written to standard output without the console goes to `raw`. */
const services = (stdin: string | Uint8Array, raw: Array<string>) =>
  Layer.merge(
    NodeServices.layer,
    Stdio.layerTest({
      stdin: pieces(stdin),
      stdout: () => Sink.forEach((text) => Effect.sync(() => void raw.push(String(text))))
    })
  )

/** No terminal, whatever the tests run in. */
const plain = { canColor: false, canAnimate: false, canPrompt: false }

export const run = (
  args: ReadonlyArray<string>,
  stdin: string | Uint8Array = "",
  terminal: TerminalCapabilities.TerminalCapabilities = plain
): Effect.Effect<Ran> =>
  Effect.suspend(() => {
    const raw: Array<string> = []
    return Effect.gen(function* () {
      const result = yield* Effect.result(Program.run(args))
      const code = Result.isSuccess(result) ? 0 : (result.failure[Runtime.errorExitCode] ?? 1)
      const out = [...raw, ...(yield* TestConsole.logLines).map(String)]
      return { code, out, err: (yield* TestConsole.errorLines).map(String) }
    }).pipe(
      Effect.provide([services(stdin, raw), Layer.fresh(TestConsole.layer)]),
      Effect.provideService(TerminalCapabilities.TerminalCapabilities, terminal)
    )
  })

/** The one JSON value that the command printed. */
export const json = (ran: Ran): any => JSON.parse(ran.out.join("\n"))

/** Each line of JSON that the command printed. */
export const jsonLines = (ran: Ran): ReadonlyArray<any> => ran.out.map((line) => JSON.parse(line))
