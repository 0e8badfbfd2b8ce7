/**
 * Follows transcripts from a place on, as they grow here or elsewhere.
 */
import { Effect, Queue, Stream } from "effect"
import * as EndlessTranscript from "./EndlessTranscript.ts"
import type { Followers } from "./Followers.ts"
import { decodeId } from "./SessionInput.ts"
import type { Sessions } from "./Sessions.ts"

/** How long a follower waits to be told of more, since what another server appends nobody here is told of. */
const LOOK_AGAIN = "2 seconds"

export const make =
  (followers: Followers, reader: Pick<Sessions["Service"], "transcript">): Sessions["Service"]["follow"] =>
  (input, from) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const id = yield* decodeId(input)
        const signal = yield* followers.follow(id)
        const more = Effect.timeoutOption(Queue.take(signal), LOOK_AGAIN)
        return EndlessTranscript.make((next, limit) => reader.transcript(id, next, limit), more, from)
      })
    )
