/**
 * The Sessions of the host, over the SQL store.
 */
import { Clock, Effect, Layer, Option, Queue, Random, Result, Schema, Stream } from "effect"
import * as Instant from "../domain/Instant.ts"
import * as ScheduleLog from "../domain/ScheduleLog.ts"
import { type SessionEvent, SessionId } from "../domain/Session.ts"
import { type SessionChanges, SessionStore } from "../layers/SessionStore.ts"
import * as Followers from "./Followers.ts"
import { HostError } from "./HostError.ts"
import * as LiveSession from "./LiveSession.ts"
import * as LiveSessions from "./LiveSessions.ts"
import * as PromptInput from "./PromptInput.ts"
import { Sessions, type SessionSummary } from "./Sessions.ts"
import { storeFailure } from "./StoreFailure.ts"

/** How long a Session that closes waits for the turn that runs, in milliseconds. */
const GRACE_MILLIS = 5_000

const decodeId = (id: unknown): Effect.Effect<SessionId, HostError> =>
  Effect.mapError(
    Schema.decodeUnknownEffect(SessionId)(id),
    () =>
      new HostError({
        code: "invalid_session_id",
        message: "Name a Session by 1 to 128 letters, digits, '.', '_' or '-', the first a letter or digit."
      })
  )

const newId = Effect.map(Random.nextIntBetween(0, 2 ** 47), (n) => SessionId.make(`session-${n.toString(36)}`))

const idOrNew = (id: unknown) => (id === undefined ? newId : decodeId(id))

const decodeLength = (length: unknown): Effect.Effect<number | undefined, HostError> =>
  length === undefined || (typeof length === "number" && Number.isSafeInteger(length) && length >= 0)
    ? Effect.succeed(length)
    : Effect.fail(
        new HostError({ code: "invalid_fork", message: "length: write how many events the fork takes over." })
      )

const now = Effect.map(Clock.currentTimeMillis, Instant.clamp)

const summarize = ({ header, length, changes }: SessionChanges, isLive: boolean): SessionSummary => {
  const folded = ScheduleLog.start(header.seedLength ?? 0, length).pipe(
    Result.flatMap((log) => ScheduleLog.evolveAll(log, changes)),
    Result.map(ScheduleLog.active)
  )
  const state = isLive ? "live" : "cold"
  return Result.match(folded, {
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

const earlier = (a: Instant.Instant | null, b: Instant.Instant): Instant.Instant => (a !== null && a < b ? a : b)

const make = Effect.gen(function* () {
  const store = yield* SessionStore
  const own = yield* Effect.context<LiveSession.Requirements>()
  const scope = yield* Effect.scope
  const followers = Followers.make()

  const lost = (id: SessionId) =>
    Effect.andThen(Effect.logWarning(`Session ${id} was opened elsewhere, and is closed here`), live.close(id))

  const live: LiveSessions.LiveSessions<LiveSession.LiveSession, HostError> = yield* LiveSessions.make({
    build: (id) =>
      LiveSession.make(id, {
        onDurable: () => followers.tell(id),
        onStale: () => void Effect.runForkWith(own)(Effect.forkIn(lost(id), scope))
      }).pipe(Effect.mapError(storeFailure), Effect.provideContext(own)),
    rest: (session) => Effect.asVoid(Effect.timeoutOption(session.drain, GRACE_MILLIS))
  })

  const open = (input: unknown) => Effect.flatMap(decodeId(input), live.open)
  const read = (id: SessionId, from: number, limit?: number) =>
    Effect.mapError(store.read(id, from, limit), storeFailure)

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
    const id = yield* decodeId(input)
    yield* read(id, 0, 1)
    yield* live.close(id)
  })

  const list = store.changes.pipe(
    Stream.map((session) => summarize(session, live.isLive(session.header.id))),
    Stream.runCollect,
    Effect.mapError(storeFailure),
    Effect.withSpan("Sessions.list")
  )

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
        const page = (
          next: number
        ): Effect.Effect<readonly [ReadonlyArray<SessionEvent>, Option.Option<number>], HostError> =>
          Effect.flatMap(read(id, next), ({ events, end }) =>
            events.length > 0
              ? Effect.succeed([events, Option.some(end)] as const)
              : Effect.flatMap(Queue.take(signal), () => page(next))
          )
        return Stream.paginate(from, page)
      })
    )

  return Sessions.of({
    create,
    open: (id) => Effect.map(open(id), ({ header }) => header),
    close,
    fork,
    list,
    prompt,
    transcript: (id, from, limit) => Effect.flatMap(decodeId(id), (found) => read(found, from, limit)),
    follow,
    reminders: (id) => Effect.map(open(id), ({ reminders }) => reminders)
  })
})

/** The host's Sessions; closing the layer closes those that are live. */
export const layer: Layer.Layer<Sessions, never, LiveSession.Requirements> = Layer.effect(Sessions, make)
