/**
 * The command, run within the test: what it printed, and the code it would exit with.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Result, Runtime, Stdio, Stream } from "effect"
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

const services = (stdin: string | Uint8Array) =>
  Layer.merge(NodeServices.layer, Stdio.layerTest({ stdin: pieces(stdin) }))

export const run = (args: ReadonlyArray<string>, stdin: string | Uint8Array = ""): Effect.Effect<Ran> =>
  Effect.gen(function* () {
    const result = yield* Effect.result(Program.run(args))
    const code = Result.isSuccess(result) ? 0 : (result.failure[Runtime.errorExitCode] ?? 1)
    const out = (yield* TestConsole.logLines).map(String)
    return { code, out, err: (yield* TestConsole.errorLines).map(String) }
  }).pipe(Effect.provide([services(stdin), Layer.fresh(TestConsole.layer)]))

/** The one JSON value that the command printed. */
export const json = (ran: Ran): any => JSON.parse(ran.out.join("\n"))

/** Each line of JSON that the command printed. */
export const jsonLines = (ran: Ran): ReadonlyArray<any> => ran.out.map((line) => JSON.parse(line))
