/**
 * The host's Sessions over the cluster: what needs the owner is asked of the entity, wherever it is; the rest is read
 * from the shared store.
 */
import { Cause, Clock, Effect, Layer, Random } from "effect"
import type { ClusterError, RunnerStorage, Sharding, ShardingConfig } from "effect/cluster"
import * as Instant from "../domain/Instant.ts"
import { type Operation, PersistenceUncertain, type ScheduleError } from "../domain/ScheduleError.ts"
import type { SessionId } from "../domain/Session.ts"
import * as Followers from "../host/Followers.ts"
import * as Following from "../host/Following.ts"
import * as Health from "../host/Health.ts"
import type { HostError } from "../host/HostError.ts"
import * as HostMetrics from "../host/HostMetrics.ts"
import type * as LiveSession from "../host/LiveSession.ts"
import * as OwnedSessions from "../host/OwnedSessions.ts"
import * as PromptInput from "../host/PromptInput.ts"
import { decodeId, decodeLength, idOrNew } from "../host/SessionInput.ts"
import * as SessionReader from "../host/SessionReader.ts"
import { Sessions } from "../host/Sessions.ts"
import { storeFailure, uncertain } from "../host/StoreFailure.ts"
import * as ScheduleMetrics from "../layers/ScheduleMetrics.ts"
import { SessionStore } from "../layers/SessionStore.ts"
import { Reminders } from "../services/Reminders.ts"
import * as KeptAwake from "./KeptAwake.ts"
import { type Opened, SessionEntity } from "./SessionEntity.ts"
import * as RunnerHealth from "./RunnerHealth.ts"
import * as SessionOwners from "./SessionOwners.ts"

/** How long a caller waits for a Session to have an owner, and for its answer. */
const PATIENCE = "20 seconds"

/** How long, in milliseconds, what an owner said of itself is used for a call. */
const RECENT = 1_000

type Unreached =
  | ClusterError.MailboxFull
  | ClusterError.AlreadyProcessingMessage
  | ClusterError.PersistenceError
  | ClusterError.EntityNotAssignedToRunner

const UNREACHED: ReadonlySet<string> = new Set<Unreached["_tag"]>([
  "MailboxFull",
  "AlreadyProcessingMessage",
  "PersistenceError",
  "EntityNotAssignedToRunner"
])

const isUnreached = (error: { readonly _tag: string }): error is Unreached => UNREACHED.has(error._tag)

/** The owner's answer; where there is none, or the owner ended in the midst of the call, nobody knows what it did. */
const answered = <A, E extends { readonly _tag: string }>(
  call: Effect.Effect<A, E>
): Effect.Effect<A, Exclude<E, Unreached> | HostError> =>
  call.pipe(
    Effect.timeoutOrElse({ duration: PATIENCE, orElse: () => uncertain() }),
    Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? uncertain() : Effect.failCause(cause))),
    Effect.mapError((error) => (isUnreached(error) ? uncertain() : (error as Exclude<E, Unreached> | HostError)))
  )

/** A Session that was live a moment ago has no other failure on the way to its reminders than that it is not reached. */
const ofReminders = <A, E extends ScheduleError>(
  operation: Operation,
  call: Effect.Effect<A, E | HostError>
): Effect.Effect<A, E | PersistenceUncertain> =>
  Effect.mapError(call, (error) => (error._tag === "HostError" ? new PersistenceUncertain({ operation }) : error))

const makeAsk = Effect.gen(function* () {
  const client = yield* SessionEntity.client
  const name = Effect.map(Random.nextIntBetween(0, 2 ** 47), (n) => n.toString(36))
  const open = (id: SessionId) => answered(client(id).open())
  const owner = (id: SessionId) => answered(client(id).owner())

  /** For which owner a call is. To know it costs a call, so what was heard just now counts, once. */
  const to = Effect.fnUntraced(function* (id: SessionId, heard: { opened?: Opened; readonly at: number }) {
    const isRecent = (yield* Clock.currentTimeMillis) - heard.at < RECENT
    const known = isRecent ? heard.opened : undefined
    delete heard.opened
    return { epoch: (known ?? (yield* owner(id))).epoch, call: yield* name }
  })

  const reminders = Effect.fnUntraced(function* (id: SessionId) {
    const of = client(id)
    const call = to(id, { opened: yield* owner(id), at: yield* Clock.currentTimeMillis })
    return Reminders.of({
      create: (input) =>
        ofReminders(
          "create",
          Effect.flatMap(call, (call) => answered(of.create({ ...call, input })))
        ),
      list: ofReminders("list", answered(of.list())),
      delete: (scheduleId) =>
        ofReminders(
          "delete",
          Effect.flatMap(call, (call) => answered(of.delete({ ...call, id: scheduleId })))
        )
    })
  })

  const prompt = Effect.fnUntraced(function* (id: SessionId, { text, timeZone }: PromptInput.CheckedPrompt) {
    const call = yield* to(id, { at: 0 })
    return yield* answered(client(id).prompt({ ...call, text, ...(timeZone === undefined ? {} : { timeZone }) }))
  })

  return { open, close: (id: SessionId) => answered(client(id).close()), reminders, prompt }
})

const make = Effect.gen(function* () {
  const store = yield* SessionStore
  const context = yield* Effect.context<LiveSession.Requirements>()
  const followers = Followers.make()
  const owners = SessionOwners.make()
  const live = yield* OwnedSessions.make({ tell: followers.tell, onStale: owners.lost })
  const health = yield* Health.make(live.all, yield* RunnerHealth.make)
  yield* HostMetrics.register(() => OwnedSessions.glimpses(live))
  yield* ScheduleMetrics.register
  const reader = yield* SessionReader.make((id) =>
    Effect.map(
      Effect.provideContext(KeptAwake.all(id), context),
      (awake) => (one: SessionId) => awake.has(one) || live.isLive(one)
    )
  )
  yield* owners.start(live)
  const ask = yield* makeAsk
  const now = Effect.map(Clock.currentTimeMillis, Instant.clamp)

  const create = Effect.fn("Sessions.create")(function* (input?: unknown) {
    const header = { version: 1, id: yield* idOrNew(input), createdAt: yield* now } as const
    yield* Effect.mapError(store.create(header), storeFailure)
    return (yield* ask.open(header.id)).header
  })

  const fork: Sessions["Service"]["fork"] = Effect.fn("Sessions.fork")(function* (input, options = {}) {
    const parent = yield* decodeId(input)
    const child = { id: yield* idOrNew(options.id), createdAt: yield* now }
    const length = yield* decodeLength(options.length)
    return yield* Effect.mapError(store.fork(parent, child, length), storeFailure)
  })

  const close = Effect.fn("Sessions.close")(function* (input: unknown) {
    yield* reader.transcript(input, 0, 1)
    yield* Effect.flatMap(decodeId(input), ask.close)
  })

  const open = Effect.fn("Sessions.open")(function* (input: unknown) {
    return (yield* ask.open(yield* decodeId(input))).header
  })

  const reminders = Effect.fn("Sessions.reminders")(function* (input: unknown) {
    return yield* ask.reminders(yield* decodeId(input))
  })

  const prompt: Sessions["Service"]["prompt"] = Effect.fn("Sessions.prompt")(function* (input, message) {
    const checked = yield* PromptInput.decode(message)
    return yield* ask.prompt(yield* decodeId(input), checked)
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

/** All Sessions of the cluster; this runner owns those that the cluster gives it, for as long as the layer is open. */
export const layer: Layer.Layer<
  Sessions,
  never,
  LiveSession.Requirements | Sharding.Sharding | RunnerStorage.RunnerStorage | ShardingConfig.ShardingConfig
> = Layer.effect(Sessions, make)
