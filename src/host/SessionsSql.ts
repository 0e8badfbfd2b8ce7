/**
 * The Sessions of the host, over the SQL store.
 */
import { Clock, Context, Effect, Layer, Option, Queue, Scope, Stream } from "effect"
import * as Instant from "../domain/Instant.ts"
import type { SessionEvent, SessionId } from "../domain/Session.ts"
import { SessionStore } from "../layers/SessionStore.ts"
import * as Followers from "./Followers.ts"
import type { HostError } from "./HostError.ts"
import * as LiveSession from "./LiveSession.ts"
import * as LiveSessions from "./LiveSessions.ts"
import * as PromptInput from "./PromptInput.ts"
import { decodeId, decodeLength, idOrNew } from "./SessionInput.ts"
import * as SessionReader from "./SessionReader.ts"
import { Sessions, type Transcript } from "./Sessions.ts"
import { storeFailure } from "./StoreFailure.ts"

/** How long a Session that closes waits for the turn that runs, in milliseconds. */
const GRACE_MILLIS = 5_000

/** Some events, and where to go on. */
type Page = readonly [ReadonlyArray<SessionEvent>, Option.Option<number>]

/** All events from a place on; where there are none yet, it reads again when it may have become more. */
const endless = (
  read: (from: number) => Effect.Effect<Transcript, HostError>,
  more: Effect.Effect<void>,
  from: number
): Stream.Stream<SessionEvent, HostError> => {
  const page = (next: number): Effect.Effect<Page, HostError> =>
    Effect.flatMap(read(next), ({ events, end }) =>
      events.length > 0 ? Effect.succeed<Page>([events, Option.some(end)]) : Effect.flatMap(more, () => page(next))
    )
  return Stream.paginate(from, page)
}

/** How many events a follower reads at a time, since whoever does not take them keeps them in memory. */
const FOLLOWED = 20

const now = Effect.map(Clock.currentTimeMillis, Instant.clamp)

type Live = LiveSessions.LiveSessions<LiveSession.LiveSession, HostError>

/** The live Sessions; one that was opened elsewhere since is closed here. */
const makeLive = Effect.fnUntraced(function* (tell: Followers.Followers["tell"]) {
  // Without the host's own scope: a Session's turns and alarm end with the Session's, after it has come to rest.
  const own = Context.omit(Scope.Scope)(yield* Effect.context<LiveSession.Requirements | Scope.Scope>())
  const scope = yield* Effect.scope

  const lost = (id: SessionId, session: () => LiveSession.LiveSession | undefined) =>
    Effect.andThen(
      Effect.logWarning(`Session ${id} was opened elsewhere, and is closed here`),
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
      build(id).pipe(Effect.mapError(storeFailure), Effect.provideContext(own), Effect.annotateLogs({ session: id })),
    rest: (session) => Effect.asVoid(Effect.timeoutOption(session.rest, GRACE_MILLIS))
  })
  return live
})

const make = Effect.gen(function* () {
  const store = yield* SessionStore
  const followers = Followers.make()
  const live = yield* makeLive(followers.tell)
  const reader = yield* SessionReader.make(live.isLive)
  const open = (input: unknown) => Effect.flatMap(decodeId(input), live.open)

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

  const prompt: Sessions["Service"]["prompt"] = Effect.fn("Sessions.prompt")(function* (input, message) {
    const { text, timeZone } = yield* PromptInput.decode(message)
    const session = yield* open(input)
    return yield* Effect.mapError(session.prompt(text, timeZone), storeFailure)
  })

  const follow: Sessions["Service"]["follow"] = (input, from) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const id = yield* decodeId(input)
        const signal = yield* followers.follow(id)
        return endless((next) => reader.transcript(id, next, FOLLOWED), Queue.take(signal), from)
      })
    )

  return Sessions.of({
    ...reader,
    create,
    open: (id) => Effect.map(open(id), ({ header }) => header),
    close,
    fork,
    prompt,
    follow,
    reminders: (id) => Effect.map(open(id), ({ reminders }) => reminders)
  })
})

/** The host's Sessions; closing the layer closes those that are live. */
export const layer: Layer.Layer<Sessions, never, LiveSession.Requirements> = Layer.effect(Sessions, make)
