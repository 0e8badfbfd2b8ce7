/**
 * A store of your own: an `EventLog` and its `PersistenceBarrier` over anything that can put a value where none is, as
 * S3, etcd, DynamoDB and Redis can. Run it with `node examples/custom-store.ts`: a second owner takes
 * a Session over with all that is stored, and from then on the first one is refused.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Context, Effect, Layer, References, Schema, Semaphore } from "effect"
import {
  AgentQueue,
  AlarmClock,
  EventLog,
  PersistenceBarrier,
  Reminders,
  Session,
  SessionReminders
} from "../src/index.ts"

/** What the store must be able to do. Either call may fail, and a put that failed may have taken place. */
export interface Store {
  get(key: string): Effect.Effect<string | undefined, unknown>
  /** Durable once it succeeds; false if there is a value already, which stays. */
  putIfAbsent(key: string, value: string): Effect.Effect<boolean, unknown>
}

/** One value of the store holds what one put made durable: all of it, or none. */
const Batch = Schema.fromJsonString(Schema.Struct({ owner: Schema.String, events: Schema.Array(Session.SessionEvent) }))
const [encode, decode] = [Schema.encodeSync(Batch), Schema.decodeEffect(Batch)]

/** Somebody else has opened the Session since: what this owner knows of it is no longer the truth. */
class NewerOwner extends Schema.TaggedError<NewerOwner>()("NewerOwner", {}) {}

const notAppended = (cause: unknown) => new EventLog.EventLogError({ operation: "append", cause })

/**
 * Opens a Session, and takes it over: batches are numbered, so that only one owner can store the next. Here that is an
 * empty one, which is in the way of whoever opened the Session before.
 */
export const open = Effect.fnUntraced(function* (store: Store, session: string) {
  const owner = crypto.randomUUID()
  const events: Array<Session.SessionEvent> = []
  const oneByOne = yield* Semaphore.make(1)
  let batches = 0
  const stored = Effect.suspend(() => store.get(`${session}/${batches}`))
  const put = (added: ReadonlyArray<Session.SessionEvent>) =>
    store.putIfAbsent(`${session}/${batches}`, encode({ owner, events: added }))
  do {
    for (let batch = yield* stored; batch !== undefined; batch = yield* stored) {
      events.push(...(yield* decode(batch)).events)
      batches++
    }
  } while (!(yield* put([])))
  batches++
  let durable = events.length

  // What an earlier put left in doubt is put again, and found to be there if it took place.
  const commit = Effect.gen(function* () {
    if (durable < events.length) yield* put(events.slice(durable))
    const batch = yield* stored
    if (batch === undefined) return
    const next = yield* decode(batch)
    if (next.owner !== owner) return yield* new NewerOwner()
    durable += next.events.length
    batches++
  })

  // With nothing to store it still asks, since somebody else may have changed what is read next.
  const flush = Effect.suspend(() => {
    const wanted = events.length
    return Effect.repeat(commit, { until: () => durable >= wanted })
  })

  const log = EventLog.EventLog.of({
    seedLength: 0,
    read: (from) => Effect.sync(() => ({ events: events.slice(from), end: events.length })),
    // Encoded at once: all events or none, and as they are now, whatever the caller does to them later.
    append: (added) =>
      Effect.try({
        try: () => encode({ owner, events: added.map((event, n) => ({ ...event, seq: events.length + n })) }),
        catch: notAppended
      }).pipe(
        Effect.flatMap((batch) => Effect.mapError(decode(batch), notAppended)),
        Effect.map((batch) => void events.push(...batch.events))
      )
  })
  const barrier = PersistenceBarrier.PersistenceBarrier.of({
    flush: oneByOne
      .withPermit(Effect.uninterruptible(flush))
      .pipe(Effect.mapError((cause) => new PersistenceBarrier.BarrierError({ cause })))
  })
  return Context.make(EventLog.EventLog, log).pipe(Context.add(PersistenceBarrier.PersistenceBarrier, barrier))
})

/** In place of the real one. */
export const storeInMemory = (): Store => {
  const values = new Map<string, string>()
  return {
    get: (key) => Effect.sync(() => values.get(key)),
    putIfAbsent: (key, value) => Effect.sync(() => !values.has(key) && values.set(key, value).size > 0)
  }
}

/** In place of an Agent: always idle, and it prints what it is told. `own-host.ts` has a real one. */
const agent = Layer.succeed(AgentQueue.AgentQueue, {
  awaitIdle: Effect.void,
  maintain: (effect) => effect,
  followUp: ({ source }) => Console.log(`due: ${source.ids.join(", ")}`)
})

const withoutWarning = Effect.provideService(References.MinimumLogLevel, "Error")

const program = Effect.gen(function* () {
  const store = storeInMemory()
  const live = Effect.gen(function* () {
    const log = Layer.effectContext(Effect.orDie(open(store, "mine")))
    const session = SessionReminders.layer.pipe(Layer.provide([log, agent, AlarmClock.layer]))
    return Context.get(yield* Layer.build(session), Reminders.Reminders)
  })
  const first = yield* live
  yield* first.create({ prompt: "stretch", after_seconds: 600 })
  const second = yield* live
  for (const { id, prompt } of yield* second.list) yield* Console.log(`taken over: ${id}, ${prompt}`)
  yield* second.create({ prompt: "drink", after_seconds: 600 })
  const { _tag } = yield* first.create({ prompt: "too late", after_seconds: 600 }).pipe(Effect.flip, withoutWarning)
  yield* Console.log(`the first owner: ${_tag}`)
  for (const { id, prompt } of yield* second.list) yield* Console.log(`stored: ${id}, ${prompt}`)
})

if (import.meta.main) NodeRuntime.runMain(Effect.scoped(program))
