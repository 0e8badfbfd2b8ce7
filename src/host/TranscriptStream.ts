/**
 * A Session's transcript as server-sent events: what is there, what comes, and a sign of life in between.
 */
import { Effect, Stream } from "effect"
import type { SessionEvent } from "../domain/Session.ts"
import type { Failure, TranscriptMessage } from "./HostApi.ts"

/** How long a quiet stream stays silent: less than proxies and browsers wait. */
const HEARTBEAT = "15 seconds"

const message = (event: SessionEvent): TranscriptMessage => ({ id: String(event.seq), event: "message", data: event })

/** The first is sent at once, since a response without a body shows no sign of having begun. */
const heartbeats: Stream.Stream<TranscriptMessage> = Stream.map(Stream.tick(HEARTBEAT), () => ({
  event: "heartbeat",
  data: ""
}))

/** The messages of a live transcript. A failure is the last one; it ends, too, when the host is `stopping`. */
export const messages = (
  events: Stream.Stream<SessionEvent, Failure>,
  stopping: Effect.Effect<void>
): Stream.Stream<TranscriptMessage> =>
  events.pipe(
    Stream.map(message),
    Stream.catch((failure) => Stream.succeed<TranscriptMessage>({ event: "failure", data: failure })),
    Stream.merge(heartbeats, { haltStrategy: "left" }),
    Stream.interruptWhen(stopping)
  )
