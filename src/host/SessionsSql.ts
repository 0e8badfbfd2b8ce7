/**
 * The Sessions of the host, over the SQL store.
 */
import { Clock, Context, Effect, Layer, Queue, Scope, Stream } from "effect"
import * as Instant from "../domain/Instant.ts"
import type { SessionId } from "../domain/Session.ts"
import * as ScheduleMetrics from "../layers/ScheduleMetrics.ts"
import { SessionStore } from "../layers/SessionStore.ts"
import { SessionLabel } from "../services/SessionLabel.ts"
import * as EndlessTranscript from "./EndlessTranscript.ts"
import * as Followers from "./Followers.ts"
import * as Health from "./Health.ts"
import type { HostError } from "./HostError.ts"
import * as HostMetrics from "./HostMetrics.ts"
import * as LiveCall from "./LiveCall.ts"
import * as LiveSession from "./LiveSession.ts"
import * as LiveSessions from "./LiveSessions.ts"
import * as PromptInput from "./PromptInput.ts"
import { decodeId, decodeLength, idOrNew } from "./SessionInput.ts"
import * as ReminderTurns from "./ReminderTurns.ts"
import * as SessionReader from "./SessionReader.ts"
import { Sessions } from "./Sessions.ts"
import { storeFailure } from "./StoreFailure.ts"

/** How long a Session that closes waits for the turn that runs, in milliseconds. */
const GRACE_MILLIS = 5_000

/** How long a follower waits to be told of more, since what another server appends nobody here is told of. */
const LOOK_AGAIN = "2 seconds"

const now = Effect.map(Clock.currentTimeMillis, Instant.clamp)

type Live = LiveSessions.LiveSessions<LiveSession.LiveSession, HostError>

/** The live Sessions; one that was opened elsewhere since is closed here. */
const makeLive = Effect.fnUntraced(function* (tell: Followers.Followers["tell"]) {
  // Without the host's own scope: a Session's turns and alarm end with the Session's, after it has come to rest.
  const own = Context.omit(Scope.Scope)(yield* Effect.context<LiveSession.Requirements | Scope.Scope>())
  const scope = yield* Effect.scope
  const reminderTurns = yield* ReminderTurns.make

  const lost = (id: SessionId, session: () => LiveSession.LiveSession | undefined) =>
    Effect.andThen(
      Effect.annotateLogs(Effect.logWarning(`Session ${id} was opened elsewhere, and is closed here`), {
        session_id: id
      }),
      live.discard(id, session)
    )

  /** What a Session that was closed since still has to say must not close the one that was opened in its place. */
  const build = Effect.fnUntraced(function* (id: SessionId) {
    let session: LiveSession.LiveSession | undefined
    const stale = Effect.suspend(() => lost(id, () => session))
    session = yield* LiveSession.make(id, {
      onDurable: () => tell(id),
      onStale: () => void Effect.runForkWith(own)(Effect.forkIn(stale, scope))
    })
    return session
  })

  const live: Live = yield* LiveSessions.make({
    build: (id) =>
      build(id).pipe(
        Effect.mapError(storeFailure),
        Effect.provideService(SessionLabel, id),
        Effect.provideService(ReminderTurns.ReminderTurns, reminderTurns),
        Effect.annotateLogs({ session_id: id }),
        // A Session outlives whoever opens it, and must not keep that call's request and span.
        Effect.updateContext((caller: Context.Context<Scope.Scope>) =>
          Context.add(own, Scope.Scope, Context.get(caller, Scope.Scope))
        )
      ),
    rest: (session) => Effect.asVoid(Effect.timeoutOption(session.rest, GRACE_MILLIS))
  })
  return live
})

const glimpses = function* (live: Live) {
  for (const [, session] of live.all()) yield session.peek()
}

/** Follows transcripts from a place on, as they grow. */
const following =
  (followers: Followers.Followers, reader: Pick<Sessions["Service"], "transcript">): Sessions["Service"]["follow"] =>
  (input, from) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const id = yield* decodeId(input)
        const signal = yield* followers.follow(id)
        const more = Effect.timeoutOption(Queue.take(signal), LOOK_AGAIN)
        return EndlessTranscript.make((next, limit) => reader.transcript(id, next, limit), more, from)
      })
    )

const make = Effect.gen(function* () {
  const store = yield* SessionStore
  const followers = Followers.make()
  const live = yield* makeLive(followers.tell)
  const health = yield* Health.make(live.all)
  yield* HostMetrics.register(() => glimpses(live))
  yield* ScheduleMetrics.register
  const reader = yield* SessionReader.make(live.isLive)

  const create = Effect.fn("Sessions.create")(function* (input?: unknown) {
    const header = { version: 1, id: yield* idOrNew(input), createdAt: yield* now } as const
    yield* Effect.mapError(store.create(header), storeFailure)
    return (yield* live.open(header.id)).header
  })

  const fork: Sessions["Service"]["fork"] = Effect.fn("Sessions.fork")(function* (input, options = {}) {
    const parent = yield* decodeId(input)
    const child = { id: yield* idOrNew(options.id), createdAt: yield* now }
    const length = yield* decodeLength(options.length)
    return yield* Effect.mapError(store.fork(parent, child, length), storeFailure)
  })

  const close = Effect.fn("Sessions.close")(function* (input: unknown) {
    yield* reader.transcript(input, 0, 1)
    yield* Effect.flatMap(decodeId(input), live.close)
  })

  const open = Effect.fn("Sessions.open")(function* (input: unknown) {
    const id = yield* decodeId(input)
    const session = yield* live.open(id)
    yield* Effect.mapError(
      LiveCall.call(live, id, session, ({ confirm }) => confirm),
      storeFailure
    )
    return session.header
  })

  const reminders: Sessions["Service"]["reminders"] = Effect.fn("Sessions.reminders")(function* (input) {
    const id = yield* decodeId(input)
    return LiveCall.reminders(live, id, yield* live.open(id))
  })

  const prompt: Sessions["Service"]["prompt"] = Effect.fn("Sessions.prompt")(function* (input, message) {
    const { text, timeZone } = yield* PromptInput.decode(message)
    const id = yield* decodeId(input)
    const said = LiveCall.call(live, id, yield* live.open(id), (session) => session.prompt(text, timeZone))
    return yield* Effect.mapError(said, storeFailure)
  })

  return Sessions.of({
    ...reader,
    create,
    open,
    close,
    fork,
    prompt,
    follow: following(followers, reader),
    reminders,
    health
  })
})

/** The host's Sessions; closing the layer closes those that are live. */
export const layer: Layer.Layer<Sessions, never, LiveSession.Requirements> = Layer.effect(Sessions, make)
