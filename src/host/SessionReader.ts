/**
 * What can be told of Sessions without waking any: it is folded from the store, whoever owns them.
 */
import { Clock, Effect, HashMap, Result } from "effect"
import * as Instant from "../domain/Instant.ts"
import * as ScheduleLog from "../domain/ScheduleLog.ts"
import type { SessionId } from "../domain/Session.ts"
import { SessionNotFound, SessionStore, type SessionStoreError, type StoredSession } from "../layers/SessionStore.ts"
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

/** Which Sessions are live now; of one alone, if it is named. */
export type Liveness = (id?: SessionId) => Effect.Effect<(id: SessionId) => boolean, SessionStoreError>

const stateOf = (isLive: boolean): Timeline.SessionState => (isLive ? "live" : "cold")

/** Reads the store's Sessions. */
export const make = Effect.fnUntraced(function* (liveness: Liveness) {
  const store = yield* SessionStore
  const folds = ReminderFolds.make(store)
  const summaryOf = (session: StoredSession, isLive: (id: SessionId) => boolean) =>
    Effect.map(folds.of(session), (folded) => summarize(session, folded, stateOf(isLive(session.header.id))))
  const found = (input: unknown) =>
    Effect.gen(function* () {
      const id = yield* decodeId(input)
      const session = yield* Effect.mapError(store.find(id), storeFailure)
      return yield* Effect.mapError(Effect.fromOption(session), () => storeFailure(new SessionNotFound({ id })))
    })

  const list: SessionReader["list"] = Effect.all([store.list, liveness()]).pipe(
    Effect.flatMap(([sessions, isLive]) => Effect.forEach(sessions, (session) => summaryOf(session, isLive))),
    Effect.mapError(storeFailure),
    Effect.withSpan("Sessions.list")
  )

  const timeline: SessionReader["timeline"] = Effect.fn("Sessions.timeline")(function* (input, count) {
    const session = yield* found(input)
    const { id } = session.header
    const folded = yield* Effect.mapError(folds.of(session), storeFailure)
    const isLive = yield* Effect.mapError(liveness(id), storeFailure)
    const now = Instant.clamp(yield* Clock.currentTimeMillis)
    return yield* Timeline.of(folded, { length: session.length, state: stateOf(isLive(id)), now }, count)
  })

  const transcript: SessionReader["transcript"] = Effect.fnUntraced(function* (input, from, limit) {
    const id: SessionId = yield* decodeId(input)
    return yield* Effect.mapError(store.read(id, from, limit), storeFailure)
  })

  const summary: SessionReader["summary"] = Effect.fnUntraced(function* (input) {
    const session = yield* found(input)
    const isLive = yield* Effect.mapError(liveness(session.header.id), storeFailure)
    return yield* Effect.mapError(summaryOf(session, isLive), storeFailure)
  })

  const reader: SessionReader = {
    list,
    timeline,
    transcript,
    summary,
    resumable: Effect.flatMap(list, (summaries): Effect.Effect<ReadonlyArray<SessionSummary>, HostError> =>
      Effect.mapError(Resumable.of(store, summaries), storeFailure)
    )
  }
  return reader
})
