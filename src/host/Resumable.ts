/**
 * Which Sessions a host that was restarted has to go on with.
 */
import { Effect, Option, Order, Result } from "effect"
import type { SessionEvent } from "../domain/Session.ts"
import type { SessionStore } from "../layers/SessionStore.ts"
import * as Conversation from "./Conversation.ts"
import type { HostEvent } from "./HostEvent.ts"
import type { SessionSummary } from "./Sessions.ts"

/** The types of the events that tell whether a conversation is at rest. */
const TYPES = ["inbox/queued", "turn/started", "turn/ended"] as const satisfies ReadonlyArray<HostEvent["type"]>

/** How many Sessions are looked at at a time. */
const CONCURRENCY = 4

interface Last {
  readonly seq: number
  readonly event: HostEvent
}

const read = (event: SessionEvent): ReadonlyArray<Last> =>
  Option.toArray(Option.flatMap(Conversation.read(event), Result.getSuccess)).map((read) => ({
    seq: event.seq,
    event: read
  }))

/**
 * Whether the last events of these types leave a message that waits, or a turn that was cut off. What a fork took over
 * is for its parent to go on with.
 */
const isUnfinished = (events: ReadonlyArray<SessionEvent>, seedLength: number): boolean => {
  const own = events.filter(({ seq }) => seq >= seedLength).flatMap(read)
  let queued = 0
  let taken = 0
  let started = -1
  let ended = -1
  for (const { seq, event } of own) {
    if (event.type === "inbox/queued") queued = event.data.message.id
    if (event.type === "turn/ended") ended = seq
    if (event.type !== "turn/started") continue
    started = seq
    taken = Math.max(...event.data.messages)
  }
  return queued > taken || started > ended
}

const isUnfinishedIn = (store: SessionStore["Service"], { id, seedLength = 0 }: SessionSummary) =>
  Effect.map(store.last(id, TYPES), (events) => isUnfinished(events, seedLength))

const byTarget: Order.Order<SessionSummary> = Order.mapInput(Order.Number, ({ nextTarget }) => nextTarget ?? Infinity)

/** The cold ones among these Sessions that have something to do, in the order in which to open them. */
export const of = Effect.fnUntraced(function* (
  store: SessionStore["Service"],
  summaries: ReadonlyArray<SessionSummary>
) {
  const cold = summaries.filter(({ state }) => state === "cold")
  const quiet = cold.filter(({ activeReminders }) => activeReminders === 0)
  const active = cold.filter(({ activeReminders }) => activeReminders !== 0)
  const unfinished = yield* Effect.filter(quiet, (session) => isUnfinishedIn(store, session), {
    concurrency: CONCURRENCY
  })
  return [...unfinished, ...active.toSorted(byTarget)]
})
