/**
 * A transcript without an end: what is there, a page at a time, and then what comes. Whoever takes no more events keeps
 * the rest of one page in memory, so that a page is small by its bytes, too.
 */
import { Effect, Option, Stream } from "effect"
import type { SessionEvent } from "../domain/Session.ts"
import type { Transcript } from "./Sessions.ts"

/** The most events of a page. */
const EVENTS = 20

/** The most bytes of a page, of more than one event. */
const BYTES = 65_536

const bytesOf = ({ type, data }: SessionEvent): number =>
  Buffer.byteLength(type) + Buffer.byteLength(JSON.stringify(data))

/** As many of the events as may be kept, and one at least. */
const bounded = (events: ReadonlyArray<SessionEvent>): ReadonlyArray<SessionEvent> => {
  let bytes = 0
  const tooMany = events.findIndex((event) => (bytes += bytesOf(event)) > BYTES)
  return tooMany < 0 ? events : events.slice(0, Math.max(tooMany, 1))
}

/** Where to read on, and how many events: twice as many as were kept before, so that few are read in vain. */
interface Place {
  readonly from: number
  readonly limit: number
}

type Page = readonly [ReadonlyArray<SessionEvent>, Option.Option<Place>]

/** All events from a place on; where there are none yet, it reads again after `more`. */
export const make = <E>(
  read: (from: number, limit: number) => Effect.Effect<Transcript, E>,
  more: Effect.Effect<unknown>,
  from: number
): Stream.Stream<SessionEvent, E> => {
  const page = (place: Place): Effect.Effect<Page, E> =>
    Effect.flatMap(read(place.from, place.limit), ({ events }) => {
      const kept = bounded(events)
      const last = kept.at(-1)
      if (last === undefined) return Effect.flatMap(more, () => page(place))
      const next = { from: last.seq + 1, limit: Math.min(2 * kept.length, EVENTS) }
      return Effect.succeed<Page>([kept, Option.some(next)])
    })
  return Stream.paginate({ from, limit: 1 }, page)
}
