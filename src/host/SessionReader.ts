/**
 * What can be told of Sessions without waking any: it is folded from the store, whoever owns them.
 */
import { Clock, Effect, HashMap, Result } from "effect"
import * as Instant from "../domain/Instant.ts"
import * as ScheduleLog from "../domain/ScheduleLog.ts"
import type { SessionId } from "../domain/Session.ts"
import { SessionNotFound, SessionStore, type StoredSession } from "../layers/SessionStore.ts"
import type { HostError } from "./HostError.ts"
import * as ReminderFolds from "./ReminderFolds.ts"
import * as Resumable from "./Resumable.ts"
import { decodeId } from "./SessionInput.ts"
import type { Sessions, SessionSummary } from "./Sessions.ts"
import { storeFailure } from "./StoreFailure.ts"
import * as Timeline from "./Timeline.ts"

const summarize = (
  { header }: StoredSession,
  folded: ReminderFolds.Folded,
  state: Timeline.SessionState
): SessionSummary =>
  Result.match(folded, {
    onFailure: ({ message }) => ({ ...header, state, activeReminders: null, nextTarget: null, corrupt: message }),
    onSuccess: (log) => ({
      ...header,
      state,
      activeReminders: HashMap.size(log.active),
      nextTarget: ScheduleLog.earliest(log, () => true),
      corrupt: null
    })
  })

type SessionReader = Pick<Sessions["Service"], "list" | "summary" | "resumable" | "timeline" | "transcript">

/** Reads the store's Sessions; `isLive` says which of them are open in this process. */
export const make = Effect.fnUntraced(function* (isLive: (id: SessionId) => boolean) {
  const store = yield* SessionStore
  const stateOf = (id: SessionId): Timeline.SessionState => (isLive(id) ? "live" : "cold")
  const folds = ReminderFolds.make(store)
  const summaryOf = (session: StoredSession) =>
    Effect.map(folds.of(session), (folded) => summarize(session, folded, stateOf(session.header.id)))
  const found = (input: unknown) =>
    Effect.gen(function* () {
      const id = yield* decodeId(input)
      const session = yield* Effect.mapError(store.find(id), storeFailure)
      return yield* Effect.mapError(Effect.fromOption(session), () => storeFailure(new SessionNotFound({ id })))
    })

  const list: SessionReader["list"] = store.list.pipe(
    Effect.flatMap(Effect.forEach(summaryOf)),
    Effect.mapError(storeFailure),
    Effect.withSpan("Sessions.list")
  )

  const timeline: SessionReader["timeline"] = Effect.fn("Sessions.timeline")(function* (input, count) {
    const session = yield* found(input)
    const folded = yield* Effect.mapError(folds.of(session), storeFailure)
    const now = Instant.clamp(yield* Clock.currentTimeMillis)
    return yield* Timeline.of(folded, { length: session.length, state: stateOf(session.header.id), now }, count)
  })

  const transcript: SessionReader["transcript"] = Effect.fnUntraced(function* (input, from, limit) {
    const id: SessionId = yield* decodeId(input)
    return yield* Effect.mapError(store.read(id, from, limit), storeFailure)
  })

  const reader: SessionReader = {
    list,
    timeline,
    transcript,
    summary: (id) => Effect.flatMap(found(id), (session) => Effect.mapError(summaryOf(session), storeFailure)),
    resumable: Effect.flatMap(list, (summaries): Effect.Effect<ReadonlyArray<SessionSummary>, HostError> =>
      Effect.mapError(Resumable.of(store, summaries), storeFailure)
    )
  }
  return reader
})
