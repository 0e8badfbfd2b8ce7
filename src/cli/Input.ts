/**
 * What the command reads: JSON from an argument or from standard input, lines of it from files, and the time it is.
 */
import {
  Clock,
  Effect,
  FileSystem,
  Option,
  type PlatformError,
  Result,
  Schema,
  SchemaIssue,
  SchemaTransformation,
  Stdio,
  Stream
} from "effect"
import { Flag } from "effect/cli"
import * as Instant from "../domain/Instant.ts"
import * as Quote from "../domain/Quote.ts"
import { type Refusal, refuse } from "./Output.ts"

const invalid = (message: string): Refusal => refuse("invalid_request", message)

/** Reads JSON; `place` says where it stands. */
export const parseJson = (text: string, place: string): Result.Result<unknown, Refusal> =>
  Result.try({
    try: () => JSON.parse(text) as unknown,
    catch: () => invalid(`${place} is no JSON: write one JSON value there.`)
  })

/** All of standard input. */
const everything = Effect.flatMap(Stdio.Stdio, ({ stdin }) => Effect.orDie(Stream.mkString(Stream.decodeText(stdin))))

/** The JSON of an argument, or that of standard input where the argument is `-`. */
export const json = (argument: string): Effect.Effect<unknown, Refusal, Stdio.Stdio> =>
  argument === "-"
    ? Effect.flatMap(everything, (text) => Effect.fromResult(parseJson(text, "Standard input")))
    : Effect.fromResult(parseJson(argument, "The argument"))

const unreadable = (file: string) => (error: PlatformError.PlatformError) =>
  refuse(
    "unreadable_file",
    error.reason._tag === "NotFound" ? `There is no file ${file}.` : `The file ${file} can't be read.`
  )

/** The bytes of a file, or of standard input for `-`. */
export const bytes = (file: string): Stream.Stream<Uint8Array, Refusal, FileSystem.FileSystem | Stdio.Stdio> =>
  file === "-"
    ? Stream.unwrap(Effect.map(Stdio.Stdio, ({ stdin }) => Stream.orDie(stdin)))
    : Stream.unwrap(Effect.map(FileSystem.FileSystem, (files) => Stream.mapError(files.stream(file), unreadable(file))))

/** A line that is not blank, and its number, counted from 1. */
export interface Line {
  readonly number: number
  readonly text: string
}

/** The lines of a text file that are not blank. */
export const lines = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Line, E, R> =>
  bytes.pipe(
    Stream.decodeText,
    Stream.splitLines,
    Stream.map((text, index) => ({ number: index + 1, text })),
    Stream.filter(({ text }) => text.trim() !== "")
  )

const explain = SchemaIssue.makeFormatterStandardSchemaV1()

/** Decodes strictly; a refusal names the first field that is wrong. */
export const decoder = <S extends Schema.ConstraintDecoder<unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownResult(schema, { onExcessProperty: "error" })
  return (input: unknown, place: string): Result.Result<S["Type"], Refusal> =>
    Result.mapError(decode(input), ({ issue }) => {
      const [fault] = explain(issue).issues
      const path = (fault?.path ?? []).map(String).join(".")
      return invalid([place, Quote.line(path), fault?.message].filter(Boolean).join(": "))
    })
}

/** The instant that a text writes, with any offset. */
const instantOf = (text: string): Option.Option<Instant.Instant> => Result.getSuccess(Instant.fromRfc3339(text))

/** An instant as people and programs may write it. */
export const InstantText = Schema.String.check(
  Schema.makeFilter((text: string) => Option.isSome(instantOf(text)), {
    expected: "a time with an offset, such as 2026-12-01T09:00:00.000Z"
  })
).pipe(
  Schema.decodeTo(
    Instant.Instant,
    SchemaTransformation.transform({
      decode: (text) => Option.match(instantOf(text), { onNone: () => text, onSome: Instant.format }),
      encode: (text) => text
    })
  )
)

/** `--now`: the instant to decide at, instead of the clock's. */
export const nowFlag = Flag.String("now").pipe(
  Flag.withSchema(InstantText),
  Flag.withMetavar("INSTANT"),
  Flag.withDescription("Decide as if it were this time, such as 2026-12-01T09:00:00Z (default: the clock)"),
  Flag.optional
)

/** The instant given, or else the clock's. */
export const now = (given: Option.Option<Instant.Instant>): Effect.Effect<Instant.Instant> =>
  Option.match(given, {
    onNone: () => Effect.map(Clock.currentTimeMillis, Instant.clamp),
    onSome: (instant) => Effect.succeed(instant)
  })
