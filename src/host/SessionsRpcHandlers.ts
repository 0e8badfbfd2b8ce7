/**
 * RPC on the host's Sessions, answered.
 */
import { Effect, Stream } from "effect"
import { type Failure, MAX_EVENTS, PAGE } from "./HostApi.ts"
import { answered, answeredStream } from "./HostFailure.ts"
import { Listener } from "./Listener.ts"
import { Sessions } from "./Sessions.ts"
import { SessionsRpc } from "./SessionsRpc.ts"

interface Range {
  readonly least: number
  readonly most: number
  /** Counts where the caller gives none. */
  readonly otherwise: number
}

const place = { least: 0, most: Number.MAX_SAFE_INTEGER, otherwise: 0 }
const limit = { least: 1, most: MAX_EVENTS, otherwise: PAGE }

const within = (name: string, input: unknown, { least, most, otherwise }: Range): Effect.Effect<number, Failure> => {
  if (input === undefined) return Effect.succeed(otherwise)
  if (typeof input === "number" && Number.isInteger(input) && input >= least && input <= most) {
    return Effect.succeed(input)
  }
  return Effect.fail({ code: "invalid_request", message: `${name}: write a whole number from ${least} to ${most}.` })
}

const make = Effect.gen(function* () {
  const sessions = yield* Sessions
  const { stopping, streams } = yield* Listener

  const transcript = Effect.fnUntraced(function* (session: unknown, from: unknown, most: unknown) {
    const start = yield* within("from", from, place)
    return yield* answered(sessions.transcript(session, start, yield* within("limit", most, limit)))
  })

  const follow = (session: unknown, from: unknown) =>
    Stream.fromEffect(within("from", from, place)).pipe(
      Stream.flatMap((start) => streams.counted(answeredStream(sessions.follow(session, start)))),
      Stream.interruptWhen(stopping)
    )

  return SessionsRpc.of({
    session_create: ({ id }) => answered(sessions.create(id)),
    session_open: ({ session }) => answered(sessions.open(session)),
    session_close: ({ session }) => answered(sessions.close(session)),
    session_fork: ({ session, ...options }) => answered(sessions.fork(session, options)),
    session_list: () => answered(sessions.list),
    session_get: ({ session }) => answered(sessions.summary(session)),
    session_prompt: ({ session, text, ...rest }) =>
      Effect.map(answered(sessions.prompt(session, { text, ...rest })), (messageId) => ({ messageId })),
    session_transcript: ({ session, from, limit }) => transcript(session, from, limit),
    session_follow: ({ session, from }) => follow(session, from)
  })
})

export const layer = SessionsRpc.toLayer(make)
