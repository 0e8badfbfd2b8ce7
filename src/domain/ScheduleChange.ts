/**
 * The durable facts about reminders, exactly as the log stores them: version 1, decoded strictly.
 */
import { Option, Predicate, Result, Schema, SchemaIssue } from "effect"
import { Instant } from "./Instant.ts"
import * as Quote from "./Quote.ts"
import { ScheduleId, ScheduleRecord } from "./ScheduleRecord.ts"
import * as StrictDecoder from "./StrictDecoder.ts"

/** The type of the Session events that carry a change. */
export const EVENT_TYPE = "schedule/change"

const version = Schema.Literal(1)
const dispatch = { version, operation: Schema.Literal("dispatch"), id: ScheduleId }

/** A reminder begins. */
export const Create = Schema.Struct({ version, operation: Schema.Literal("create"), schedule: ScheduleRecord })
/** A reminder ends unsent. */
export const Delete = Schema.Struct({ version, operation: Schema.Literal("delete"), id: ScheduleId })
/** A one-shot was queued for a turn, and ends. */
export const DispatchOneShot = Schema.Struct(dispatch)
/** An interval's occurrence was queued; replay computes the next. */
export const DispatchEvery = Schema.Struct({ ...dispatch, acceptedAt: Instant })
/** A calendar rule's occurrence was queued; the next target is committed, null when none is left. */
export const DispatchCalendar = Schema.Struct({
  ...dispatch,
  acceptedAt: Instant,
  nextScheduledAt: Schema.NullOr(Instant)
})

export const ScheduleChange = Schema.Union([Create, Delete, DispatchOneShot, DispatchEvery, DispatchCalendar])
export type ScheduleChange = typeof ScheduleChange.Type
/** A change as JSON, the form in the log. */
export type Encoded = typeof ScheduleChange.Encoded

const decoders = {
  create: StrictDecoder.make(Create),
  delete: StrictDecoder.make(Delete),
  dispatchOneShot: StrictDecoder.make(DispatchOneShot),
  dispatchEvery: StrictDecoder.make(DispatchEvery),
  dispatchCalendar: StrictDecoder.make(DispatchCalendar)
}

/** Picked by hand, since a union that nothing matches could not say which field is wrong. */
const decoderOf = (data: object) => {
  switch ("operation" in data ? data.operation : undefined) {
    case "create":
      return decoders.create
    case "delete":
      return decoders.delete
    case "dispatch":
      if ("nextScheduledAt" in data) return decoders.dispatchCalendar
      return "acceptedAt" in data ? decoders.dispatchEvery : decoders.dispatchOneShot
  }
}

const explain = SchemaIssue.makeFormatterStandardSchemaV1()

/** In one short line: a log may hold names of any length and content. */
const firstFault = ({ issue }: Schema.SchemaError): string => {
  const [fault] = explain(issue).issues
  return Quote.line(`${fault?.path?.map(String).join(".")}: ${fault?.message}`)
}

const kinds: ReadonlyArray<string> = ScheduleRecord.members.map((member) => member.fields.kind.literal)

/** Told by hand, since a union of six records could only show them all. */
const unknownRecord = (schedule: unknown): Option.Option<string> => {
  if (!Predicate.isObject(schedule)) return Option.some("schedule: expected an object")
  return "kind" in schedule && kinds.some((kind) => kind === schedule.kind)
    ? Option.none()
    : Option.some(`schedule.kind: expected one of ${kinds.join(", ")}`)
}

const decodeCreate = (data: object): Result.Result<ScheduleChange, string> =>
  Result.mapError(decoders.create(data), (error) =>
    Option.getOrElse(unknownRecord(Object(data).schedule), () => firstFault(error))
  )

/** The change that an event's data holds, or which of its fields is wrong and how. */
export const decode = (data: unknown): Result.Result<ScheduleChange, string> => {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return Result.fail("data: expected an object")
  if (!("version" in data) || data.version !== 1) return Result.fail("version: expected 1")
  const decoder = decoderOf(data)
  if (decoder === decoders.create) return decodeCreate(data)
  return decoder === undefined
    ? Result.fail("operation: expected create, delete or dispatch")
    : Result.mapError<ScheduleChange, Schema.SchemaError, string>(decoder(data), firstFault)
}

const strict = { onExcessProperty: "error" } as const

/** The JSON that the log keeps of a change. Strict, or the least of the dispatches would stand for all three. */
export const encode: (change: ScheduleChange) => Encoded = Schema.encodeSync(ScheduleChange, strict)
