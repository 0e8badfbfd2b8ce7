/**
 * A Session's log as JSON Lines: a first line may be `{ "header": … }`, the rest are `{ "seq", "at", "type", "data" }`.
 */
import { Effect, Option, Result, Schema, Stream } from "effect"
import * as Instant from "../domain/Instant.ts"
import { CorruptScheduleLog } from "../domain/ScheduleError.ts"
import { SessionEvent, SessionHeader } from "../domain/Session.ts"
import * as Nesting from "../domain/Nesting.ts"
import * as StrictDecoder from "../domain/StrictDecoder.ts"
import * as Input from "./Input.ts"
import { type Refusal, refuse } from "./Output.ts"

export interface LogFile {
  readonly header: Option.Option<SessionHeader>
  readonly events: ReadonlyArray<SessionEvent>
}

const decodeHeader = Schema.decodeUnknownOption(Schema.Struct({ header: SessionHeader }), {
  onExcessProperty: "error"
})
const decodeEvent = StrictDecoder.make(SessionEvent)

/** A log that can't be read, as every corrupt log is told: `seq` is the place of the event that must be refused. */
export const corrupt = (error: CorruptScheduleLog): Refusal =>
  refuse("corrupt_schedule_log", error.message, { seq: error.seq })

const fault = (seq: number, { number }: Input.Line, what: string): Refusal =>
  corrupt(new CorruptScheduleLog({ seq, reason: `line ${number} ${what}` }))

/** Each level takes a bracket before and one behind, so that a short line need not be looked through. */
const isTooDeep = ({ text }: Input.Line, json: unknown): boolean =>
  text.length > 2 * Nesting.MAX_DEPTH && Nesting.isTooDeep(json)

const parseEvent = (line: Input.Line, json: unknown, seq: number): Result.Result<SessionEvent, Refusal> => {
  if (isTooDeep(line, json)) return Result.fail(fault(seq, line, `nests values deeper than ${Nesting.MAX_DEPTH}`))
  const event = decodeEvent(json)
  if (Result.isFailure(event)) {
    return Result.fail(fault(seq, line, "is no event: it has exactly seq, at, type and data"))
  }
  return event.success.seq === seq
    ? Result.succeed(event.success)
    : Result.fail(fault(seq, line, `has seq ${event.success.seq}, where ${seq} comes next`))
}

/** No event is wrong, and so none is named. */
const headerFault = ({ number }: Input.Line): Refusal =>
  refuse(
    "corrupt_schedule_log",
    `The log cannot be read: line ${number} is no header of a Session, which has exactly version (1), id and createdAt, ` +
      "and in a fork parentId and seedLength.",
    { seq: null }
  )

const parseHeader = (line: Input.Line, json: unknown): Result.Result<SessionHeader, Refusal> =>
  Option.match(decodeHeader(json), {
    onNone: () => Result.fail(headerFault(line)),
    onSome: ({ header }) => Result.succeed(header)
  })

const isHeader = (json: unknown): boolean => typeof json === "object" && json !== null && "header" in json

/** The header, if the log has one, and then its events. */
export type Entry = { readonly header: SessionHeader } | { readonly event: SessionEvent }

/** Reads line after line; each must be what can come next. */
const reader = () => {
  let seq = 0
  let isFirst = true
  const parse = (line: Input.Line, json: unknown): Result.Result<Entry, Refusal> => {
    const isHead = isFirst && isHeader(json)
    isFirst = false
    return isHead
      ? Result.map(parseHeader(line, json), (header) => ({ header }))
      : Result.map(parseEvent(line, json, seq++), (event) => ({ event }))
  }
  return (line: Input.Line): Result.Result<Entry, Refusal> =>
    Input.parseJson(line.text, "").pipe(
      Result.mapError(() => fault(seq, line, "is no JSON")),
      Result.flatMap((json) => parse(line, json))
    )
}

const notText = refuse("corrupt_schedule_log", "The log cannot be read: it is no text in UTF-8.", { seq: null })

/** The same bytes, up to the first that are no UTF-8: decoding would put other text in their place without a word. */
const utf8 = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E | typeof notText, R> =>
  Stream.suspend(() => {
    const decoder = new TextDecoder("utf-8", { fatal: true })
    const check = (chunk: Uint8Array) => decoder.decode(chunk, { stream: true })
    return Stream.tap(bytes, (chunk) => Effect.try({ try: () => check(chunk), catch: () => notText }))
  })

/** What each line of a log is, of any length; after one that is refused, nothing more counts. */
export const entries = <E, R>(
  bytes: Stream.Stream<Uint8Array, E, R>
): Stream.Stream<Result.Result<Entry, Refusal>, E | Refusal, R> =>
  Stream.suspend(() => Stream.map(Input.lines(utf8(bytes)), reader())).pipe(
    Stream.catch((error) => (error === notText ? Stream.succeed(Result.fail(notText)) : Stream.fail(error)))
  )

/** Takes the entries of a log, some at a time; the first line that is none of its own is refused. */
export const forEach = <E, R, E2, R2>(
  bytes: Stream.Stream<Uint8Array, E, R>,
  take: (entries: ReadonlyArray<Entry>) => Effect.Effect<void, E2, R2>
): Effect.Effect<void, E | E2 | Refusal, R | R2> =>
  Stream.runForEachArray(entries(bytes), (lines) => Effect.flatMap(Effect.fromResult(Result.all(lines)), take))

const encodeHeader = Schema.encodeSync(SessionHeader)

/** The line of a header, as it is written. */
export const headerLine = (header: SessionHeader): string => `${JSON.stringify({ header: encodeHeader(header) })}\n`

/** The line of an event. */
export const eventLine = ({ seq, at, type, data }: SessionEvent): string =>
  `${JSON.stringify({ seq, at: Instant.format(at), type, data })}\n`

/** The whole of a log. */
export const read = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Effect.Effect<LogFile, E | Refusal, R> =>
  Effect.suspend(() => {
    const events: Array<SessionEvent> = []
    let header = Option.none<SessionHeader>()
    const keep = (entry: Entry): void => {
      if ("event" in entry) events.push(entry.event)
      else header = Option.some(entry.header)
    }
    const all = forEach(bytes, (entries) => Effect.sync(() => entries.forEach(keep)))
    return Effect.map(all, () => ({ header, events }))
  })
