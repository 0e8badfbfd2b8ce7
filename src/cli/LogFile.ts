/**
 * A Session's log as JSON Lines: a first line may be `{ "header": … }`, the rest are `{ "seq", "at", "type", "data" }`.
 */
import { Effect, Option, Result, Schema, Stream } from "effect"
import { CorruptScheduleLog } from "../domain/ScheduleError.ts"
import { SessionEvent, SessionHeader } from "../domain/Session.ts"
import * as Input from "./Input.ts"
import { type Refusal, refuse } from "./Output.ts"

export interface LogFile {
  readonly header: Option.Option<SessionHeader>
  readonly events: ReadonlyArray<SessionEvent>
}

const decodeHeader = Schema.decodeUnknownOption(Schema.Struct({ header: SessionHeader }), {
  onExcessProperty: "error"
})
const decodeEvent = Schema.decodeUnknownOption(SessionEvent)

/** A log that can't be read, as every corrupt log is told: `seq` is the place of the event that must be refused. */
export const corrupt = (error: CorruptScheduleLog): Refusal =>
  refuse("corrupt_schedule_log", error.message, { seq: error.seq })

const fault = (seq: number | null, { number }: Input.Line, what: string): Refusal =>
  corrupt(new CorruptScheduleLog({ seq, reason: `line ${number} ${what}` }))

const parseEvent = (line: Input.Line, json: unknown, seq: number): Result.Result<SessionEvent, Refusal> => {
  const event = decodeEvent(json)
  if (Option.isNone(event)) return Result.fail(fault(seq, line, "is no event { seq, at, type, data }"))
  return event.value.seq === seq
    ? Result.succeed(event.value)
    : Result.fail(fault(seq, line, `has seq ${event.value.seq}, where ${seq} comes next`))
}

const parseHeader = (line: Input.Line, json: unknown): Result.Result<SessionHeader, Refusal> =>
  Option.match(decodeHeader(json), {
    onNone: () => Result.fail(fault(null, line, "is no header of a Session")),
    onSome: ({ header }) => Result.succeed(header)
  })

const isHeader = (json: unknown): boolean => typeof json === "object" && json !== null && "header" in json

/** Reads a log; the first line that is none of its own is refused. */
export const read = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Effect.Effect<LogFile, E | Refusal, R> =>
  Effect.suspend(() => {
    const events: Array<SessionEvent> = []
    let header = Option.none<SessionHeader>()

    const take = (line: Input.Line): Result.Result<void, Refusal> =>
      Result.gen(function* () {
        const seq = events.length
        const json = yield* Result.mapError(Input.parseJson(line.text, ""), () => fault(seq, line, "is no JSON"))
        const isFirst = seq === 0 && Option.isNone(header)
        if (isFirst && isHeader(json)) header = Option.some(yield* parseHeader(line, json))
        else events.push(yield* parseEvent(line, json, seq))
      })

    return Effect.map(
      Stream.runForEach(Input.lines(bytes), (line) => Effect.fromResult(take(line))),
      () => ({ header, events })
    )
  })
