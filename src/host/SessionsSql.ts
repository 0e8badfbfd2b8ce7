/**
 * The Sessions of the host, over the SQL store.
 */
import { Clock, Effect, Layer } from "effect"
import * as Instant from "../domain/Instant.ts"
import * as ScheduleMetrics from "../layers/ScheduleMetrics.ts"
import { SessionStore } from "../layers/SessionStore.ts"
import * as Followers from "./Followers.ts"
import * as Following from "./Following.ts"
import * as Health from "./Health.ts"
import * as HostMetrics from "./HostMetrics.ts"
import * as LiveCall from "./LiveCall.ts"
import type * as LiveSession from "./LiveSession.ts"
import * as OwnedSessions from "./OwnedSessions.ts"
import * as PromptInput from "./PromptInput.ts"
import { decodeId, decodeLength, idOrNew } from "./SessionInput.ts"
import * as SessionReader from "./SessionReader.ts"
import { Sessions } from "./Sessions.ts"
import { storeFailure } from "./StoreFailure.ts"

const now = Effect.map(Clock.currentTimeMillis, Instant.clamp)

const make = Effect.gen(function* () {
  const store = yield* SessionStore
  const followers = Followers.make()
  const live = yield* OwnedSessions.make({ tell: followers.tell })
  const health = yield* Health.make(live.all)
  yield* HostMetrics.register(() => OwnedSessions.glimpses(live))
  yield* ScheduleMetrics.register
  const reader = yield* SessionReader.make(() => Effect.succeed(live.isLive))

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
    follow: Following.make(followers, reader),
    reminders,
    health
  })
})

/** The host's Sessions; closing the layer closes those that are live. */
export const layer: Layer.Layer<Sessions, never, LiveSession.Requirements> = Layer.effect(Sessions, make)
