/**
 * Calls of the Sessions that are live here.
 */
import { Effect } from "effect"
import type { SessionId } from "../domain/Session.ts"
import { Reminders } from "../services/Reminders.ts"
import type { HostError } from "./HostError.ts"
import type { LiveSession } from "./LiveSession.ts"
import type { LiveSessions } from "./LiveSessions.ts"
import type { Owner } from "./SessionCalls.ts"
import { storeFailure } from "./StoreFailure.ts"

/** How often a call is made at most, where another server opens its Session again and again. */
const TRIES = 3

type Live = Pick<LiveSessions<LiveSession, HostError>, "open" | "discard">

/**
 * Calls a Session. One that another server has opened since is opened here again, and called anew, where the call was not
 * even begun: whoever asks this server wants this one to do it.
 */
export const call = <A, E>(
  live: Live,
  id: SessionId,
  session: LiveSession,
  use: (session: LiveSession) => Effect.Effect<A, E>,
  tries = TRIES
): Effect.Effect<A, E> =>
  Effect.catch(use(session), (error) =>
    Effect.gen(function* () {
      if (tries <= 1 || !(yield* session.isLost)) return yield* Effect.fail(error)
      yield* live.discard(id, () => session)
      const again = yield* Effect.mapError(live.open(id), () => error)
      return yield* call(live, id, again, use, tries - 1)
    })
  )

/** The Sessions that are live here, each call of them made so. */
export const owner = (live: Live & Pick<Owner, "close">): Owner => {
  const opened = <A, E>(id: SessionId, use: (session: LiveSession) => Effect.Effect<A, E>) =>
    Effect.flatMap(live.open(id), (session) => call(live, id, session, use))

  const reminders = (id: SessionId, session: LiveSession): Reminders["Service"] =>
    Reminders.of({
      create: (input) => call(live, id, session, ({ reminders }) => reminders.create(input)),
      list: call(live, id, session, ({ reminders }) => reminders.list),
      delete: (scheduleId) => call(live, id, session, ({ reminders }) => reminders.delete(scheduleId))
    })

  return {
    open: (id) =>
      Effect.mapError(
        opened(id, ({ confirm, header }) => Effect.as(confirm, header)),
        storeFailure
      ),
    close: live.close,
    reminders: (id) => Effect.map(live.open(id), (session) => reminders(id, session)),
    prompt: (id, { text, timeZone }) =>
      Effect.mapError(
        opened(id, (session) => session.prompt(text, timeZone)),
        storeFailure
      )
  }
}
