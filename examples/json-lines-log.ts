/**
 * An `EventLog` and its `PersistenceBarrier` in a file: what is appended is part of the log at once, and durable with the
 * next flush, which writes one line and syncs it. `own-host.ts` mounts reminders over it.
 */
import { Effect, Schema } from "effect"
import { appendFileSync, closeSync, fsyncSync, ftruncateSync, openSync, readFileSync } from "node:fs"
import { dirname } from "node:path"
import { EventLog, PersistenceBarrier, Session } from "../src/index.ts"

/** A line is what one flush stores: whole or, when the process was killed while it wrote, not there. */
const Line = Schema.fromJsonString(Schema.Array(Session.SessionEvent))
const [encode, decode] = [Schema.encodeSync(Line), Schema.decodeSync(Line)]

const sync = (path: string) => {
  const descriptor = openSync(path, "r")
  fsyncSync(descriptor)
  closeSync(descriptor)
}

/** The log of one Session, for one process at a time: nothing here keeps a second one out. */
export const open = (file: string) => {
  const descriptor = openSync(file, "a")
  // A new file outlives a power failure only if its folder was synced, too.
  sync(dirname(file))
  const text = readFileSync(file, "utf8")
  const whole = text.slice(0, text.lastIndexOf("\n") + 1)
  const events = whole.split("\n").flatMap((line) => (line === "" ? [] : decode(line)))
  let [bytes, durable] = [Buffer.byteLength(whole), events.length]
  let staged: ReadonlyArray<Session.NewEvent> = []

  // Encoded at once: all events or none, and as they are now, whatever the caller does to them later.
  const append = (added: ReadonlyArray<Session.NewEvent>) =>
    Effect.try({
      try: () => void events.push(...decode(encode(added.map((event, n) => ({ ...event, seq: events.length + n }))))),
      catch: (cause) => new EventLog.EventLogError({ operation: "append", cause })
    })

  // Each write begins where the last good one ended, and so replaces whatever a failed one left behind.
  const flush = Effect.try({
    try: () => {
      if (durable === events.length) return
      const line = `${encode(events.slice(durable))}\n`
      ftruncateSync(descriptor, bytes)
      appendFileSync(descriptor, line)
      fsyncSync(descriptor)
      bytes += Buffer.byteLength(line)
      durable = events.length
    },
    catch: (cause) => new PersistenceBarrier.BarrierError({ cause })
  })

  const stage = (event?: Session.NewEvent) =>
    Effect.sync(() => {
      staged = event === undefined ? [] : [event]
    })

  return {
    events: events as ReadonlyArray<Session.SessionEvent>,
    append,
    /** Holds an event back until reminders append the next of theirs: one flush then stores both, or neither. */
    stage,
    eventLog: EventLog.EventLog.of({
      seedLength: 0,
      read: (from) => Effect.sync(() => ({ events: events.slice(from), end: events.length })),
      append: (changes) => Effect.suspend(() => append([...staged, ...changes])).pipe(Effect.tap(stage()))
    }),
    barrier: PersistenceBarrier.PersistenceBarrier.of({ flush })
  }
}
