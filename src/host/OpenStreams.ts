/**
 * The streams that go on for as long as someone listens: each costs as long as it is open, so that there is a limit.
 */
import { Effect, Stream } from "effect"
import type { Failure } from "./HostApi.ts"

export interface OpenStreams {
  /** Fails with `too_many_streams` if there is room for no more, before an answer is begun. */
  readonly room: Effect.Effect<void, Failure>
  /** The stream, counted while it runs; where there is no room any more it fails with `too_many_streams`. */
  counted<A, E>(stream: Stream.Stream<A, E>): Stream.Stream<A, E | Failure>
}

/** Room for at most so many. */
export const make = (most: number): OpenStreams => {
  let open = 0
  const tooMany: Failure = {
    code: "too_many_streams",
    message: `This host has ${most} streams open, and takes no more: close one, or try again later.`
  }
  const room = Effect.suspend(() => (open < most ? Effect.void : Effect.fail(tooMany)))
  const enter = Effect.acquireRelease(
    Effect.tap(room, () => Effect.sync(() => open++)),
    () => Effect.sync(() => open--)
  )
  return { room, counted: (stream) => Stream.unwrap(Effect.as(enter, stream)) }
}
