/**
 * What the command reads: JSON from an argument or from standard input, lines of it from files, and the time it is.
 */
import { Clock, Effect, Option, Result, Stdio, Stream } from "effect"
import { Flag } from "effect/cli"
import * as Instant from "../domain/Instant.ts"
import { Refusal, refuse } from "./Output.ts"

/** Reads JSON; `place` says where it stands. */
export const parseJson = (text: string, place: string): Result.Result<unknown, Refusal> =>
  Result.try({
    try: () => JSON.parse(text) as unknown,
    catch: () => refuse({ code: "invalid_request", message: `${place} is no JSON; write one JSON value.` })
  })

/** The JSON of an argument, or that of all standard input where the argument is `-`. */
export const json = Effect.fnUntraced(function* (argument: string) {
  if (argument !== "-") return yield* Effect.fromResult(parseJson(argument, "The argument"))
  const { stdin } = yield* Stdio.Stdio
  const text = yield* Effect.orDie(Stream.mkString(Stream.decodeText(stdin)))
  return yield* Effect.fromResult(parseJson(text, "Standard input"))
})

/** A line that is not blank, and its number, counted from 1. */
export interface Line {
  readonly number: number
  readonly text: string
}

export const lines = <E>(bytes: Stream.Stream<Uint8Array, E>): Stream.Stream<Line, E> =>
  bytes.pipe(
    Stream.decodeText,
    Stream.splitLines,
    Stream.map((text, index) => ({ number: index + 1, text })),
    Stream.filter(({ text }) => text.trim() !== "")
  )

/** The instant that a text writes, with any offset. */
export const instant = (text: string): Option.Option<Instant.Instant> => Option.getSuccess(Instant.fromRfc3339(text))

const aTime = "write a time with an offset, such as 2026-12-01T09:00:00.000Z"

/** `--now`: the instant to decide at, instead of the clock. */
export const nowFlag = Flag.String("now").pipe(
  Flag.filterMap(instant, (text) => `${JSON.stringify(text)} is no time; ${aTime}`),
  Flag.withMetavar("INSTANT"),
  Flag.withDescription("Decide as if it were this time, such as 2026-12-01T09:00:00Z; the clock's time by default"),
  Flag.optional
)

/** The instant given, or else the clock's. */
export const now = (given: Option.Option<Instant.Instant>): Effect.Effect<Instant.Instant> =>
  Option.match(given, {
    onNone: () => Effect.map(Clock.currentTimeMillis, Instant.clamp),
    onSome: Effect.succeed
  })
