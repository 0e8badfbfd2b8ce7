/**
 * The append-only log of one Session.
 */
import { Context, type Effect, Schema } from "effect"
import type { NewEvent, SessionEvent } from "../domain/Session.ts"

/** The log could not be read, or did not confirm an append: whether the events are in it is unknown. */
export class EventLogError extends Schema.TaggedError<EventLogError>()("EventLogError", {
  operation: Schema.Literals(["read", "append"]),
  cause: Schema.Defect()
}) {}

/** A part of the log: its events in order, and the place just after it. */
export interface LogSlice {
  readonly events: ReadonlyArray<SessionEvent>
  readonly end: number
}

export class EventLog extends Context.Service<
  EventLog,
  {
    /** How many events at the start are a fork's inheritance; 0 without one. */
    readonly seedLength: number
    /** All events from a place on, 0 being the first. Events of other types than `schedule/change` may be left out. */
    read(from: number): Effect.Effect<LogSlice, EventLogError>
    /**
     * Appends events, all or none. They are part of the log at once, for `read` too, but durable only after the next
     * flush of the barrier.
     */
    append(events: ReadonlyArray<NewEvent>): Effect.Effect<void, EventLogError>
  }
>()("effect-session-schedule/EventLog") {}
