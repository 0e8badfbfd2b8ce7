/**
 * What can be told of Sessions without waking any: it is folded from the store, whoever owns them.
 */
import { Clock, Effect, Result, Stream } from "effect"
import * as Instant from "../domain/Instant.ts"
import type { SessionId } from "../domain/Session.ts"
import { type SessionChanges, SessionStore } from "../layers/SessionStore.ts"
import type { HostError } from "./HostError.ts"
import * as Resumable from "./Resumable.ts"
import { decodeId } from "./SessionInput.ts"
import type { Sessions, SessionSummary } from "./Sessions.ts"
import { storeFailure } from "./StoreFailure.ts"
import * as Timeline from "./Timeline.ts"

const earlier = (a: Instant.Instant | null, b: Instant.Instant): Instant.Instant => (a !== null && a < b ? a : b)

const summarize = (session: SessionChanges, state: Timeline.SessionState): SessionSummary => {
  const { header } = session
  return Result.match(Timeline.active(session), {
    onFailure: ({ message }) => ({ ...header, state, activeReminders: null, nextTarget: null, corrupt: message }),
    onSuccess: (active) => ({
      ...header,
      state,
      activeReminders: active.length,
      nextTarget: active.map(({ scheduledAt }) => scheduledAt).reduce<Instant.Instant | null>(earlier, null),
      corrupt: null
    })
  })
}

type SessionReader = Pick<Sessions["Service"], "list" | "summary" | "resumable" | "timeline" | "transcript">

/** Reads the store's Sessions; `isLive` says which of them are open in this process. */
export const make = Effect.fnUntraced(function* (isLive: (id: SessionId) => boolean) {
  const store = yield* SessionStore
  const stateOf = (id: SessionId): Timeline.SessionState => (isLive(id) ? "live" : "cold")
  const summaryOf = (session: SessionChanges) => summarize(session, stateOf(session.header.id))
  const changesOf = Effect.fnUntraced(function* (input: unknown) {
    return yield* Effect.mapError(store.changesOf(yield* decodeId(input)), storeFailure)
  })

  const list: SessionReader["list"] = store.changes.pipe(
    Stream.map(summaryOf),
    Stream.runCollect,
    Effect.mapError(storeFailure),
    Effect.withSpan("Sessions.list")
  )

  const timeline: SessionReader["timeline"] = Effect.fn("Sessions.timeline")(function* (input, count) {
    const session = yield* changesOf(input)
    const now = Instant.clamp(yield* Clock.currentTimeMillis)
    return Timeline.of(session, stateOf(session.header.id), now, count)
  })

  const transcript: SessionReader["transcript"] = Effect.fnUntraced(function* (input, from, limit) {
    const id: SessionId = yield* decodeId(input)
    return yield* Effect.mapError(store.read(id, from, limit), storeFailure)
  })

  const reader: SessionReader = {
    list,
    timeline,
    transcript,
    summary: (id) => Effect.map(changesOf(id), summaryOf),
    resumable: Effect.flatMap(list, (summaries): Effect.Effect<ReadonlyArray<SessionSummary>, HostError> =>
      Effect.mapError(Resumable.of(store, summaries), storeFailure)
    )
  }
  return reader
})
