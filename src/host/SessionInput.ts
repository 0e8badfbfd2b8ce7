/**
 * What callers write to name Sessions and forks, checked.
 */
import { Effect, Random, Schema } from "effect"
import { SessionId } from "../domain/Session.ts"
import { HostError } from "./HostError.ts"

/** The id of a Session; fails with `invalid_session_id`. */
export const decodeId = (id: unknown): Effect.Effect<SessionId, HostError> =>
  Effect.mapError(
    Schema.decodeUnknownEffect(SessionId)(id),
    () =>
      new HostError({
        code: "invalid_session_id",
        message: "Name a Session by 1 to 128 letters, digits, '.', '_' or '-', the first a letter or digit."
      })
  )

const newId = Effect.map(Random.nextIntBetween(0, 2 ** 47), (n) => SessionId.make(`session-${n.toString(36)}`))

/** The id given, or a new one. */
export const idOrNew = (id: unknown): Effect.Effect<SessionId, HostError> => (id === undefined ? newId : decodeId(id))

/** How many events a fork takes over, if it is said; fails with `invalid_fork`. */
export const decodeLength = (length: unknown): Effect.Effect<number | undefined, HostError> =>
  length === undefined || (typeof length === "number" && Number.isSafeInteger(length) && length >= 0)
    ? Effect.succeed(length)
    : Effect.fail(
        new HostError({ code: "invalid_fork", message: "length: write how many events the fork takes over." })
      )
