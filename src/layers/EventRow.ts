/**
 * An event as the store keeps it: its data is JSON text.
 */
import type { Instant } from "../domain/Instant.ts"
import { EVENT_TYPE } from "../domain/ScheduleChange.ts"
import type { NewEvent, SessionEvent } from "../domain/Session.ts"
import type { LogSlice } from "../services/EventLog.ts"

export interface EventRow {
  readonly seq: number
  /** Epoch milliseconds. */
  readonly at: number
  readonly type: string
  readonly data: string
}

/** The row of an event at its place. Throws a TypeError if its data is not JSON. */
export const encode = (event: NewEvent, seq: number): EventRow => {
  const data: string | undefined = JSON.stringify(event.data)
  if (data === undefined) throw new TypeError(`The data of a ${event.type} event is not JSON`)
  return { seq, at: event.at, type: event.type, data }
}

/** Data that was damaged outside stays the text that it is, so that the reader can say which event is wrong. */
const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const decode = ({ seq, at, type, data }: EventRow): SessionEvent => ({
  seq,
  at: at as Instant,
  type,
  data: parse(data)
})

/** The events of a page of rows that was read from a place on. */
export const slice = (rows: ReadonlyArray<EventRow>, from: number): LogSlice => ({
  events: rows.map(decode),
  end: (rows.at(-1)?.seq ?? from - 1) + 1
})

/** Whether the event is about reminders. */
export const isChange = ({ type }: { readonly type: string }): boolean => type === EVENT_TYPE
