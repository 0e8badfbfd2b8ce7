/**
 * A whole world of one Session in memory: its log and barrier, its Agent, its reminders, and the alarm, on the clock of
 * the test. It can be closed, reopened, and crashed.
 */
import { Clock, Context, Effect, Exit, Layer, Scope } from "effect"
import type { SessionEvent } from "../domain/Session.ts"
import * as AlarmClock from "../layers/AlarmClock.ts"
import * as EventLogMemory from "../layers/EventLogMemory.ts"
import * as SessionReminders from "../layers/SessionReminders.ts"
import { AgentQueue } from "../services/AgentQueue.ts"
import { EventLog } from "../services/EventLog.ts"
import { PersistenceBarrier } from "../services/PersistenceBarrier.ts"
import { Reminders } from "../services/Reminders.ts"
import { Scheduler } from "../services/Scheduler.ts"
import * as FaultyStore from "./FaultyStore.ts"
import * as ScriptedAgent from "./ScriptedAgent.ts"
import * as SteppedClock from "./SteppedClock.ts"
import { setClock } from "./VirtualTime.ts"

export interface Options {
  /** The clock at the beginning, in RFC 3339 with an offset (`2026-12-01T09:00:00Z`); else it is as the test has it, 1970 at first. */
  readonly now?: string
  /** What the log holds already. */
  readonly events?: ReadonlyArray<SessionEvent>
  /** How many of these events a fork inherited; 0 without one. */
  readonly seedLength?: number
  /**
   * The longest time between two looks at the wall clock, in milliseconds; a day, so that a jump over years is quick. A
   * test that steps the clock wants the minute of production.
   */
  readonly longestWaitMillis?: number
}

export interface SessionWorld {
  /** What the Session's reminders are brought to. */
  readonly agent: ScriptedAgent.ScriptedAgent
  /** Where they are kept. */
  readonly store: FaultyStore.FaultyStore
  /** Steps the wall clock of the Session, and of nothing else. */
  readonly clock: SteppedClock.SteppedClock
  /** The front door of the Session, as it is open now. A defect while it is cold. */
  readonly reminders: Reminders["Service"]
  /** The owner of the Session, as it is open now. A defect while it is cold. */
  readonly scheduler: Pick<Scheduler["Service"], "wake" | "status">
  /** Everything in the log, pending events included. */
  readonly events: Effect.Effect<ReadonlyArray<SessionEvent>>
  /** Makes the Session cold, once what is in flight is done. */
  readonly close: Effect.Effect<void>
  /** Makes it live again. */
  readonly open: Effect.Effect<void>
  /** Ends it as a process that is killed does: what is in flight stops where it is, what was not flushed is lost. */
  readonly crash: Effect.Effect<void>
}

/** The Session while it is live. */
interface Live {
  readonly scope: Scope.Closeable
  readonly context: Context.Context<Reminders | Scheduler>
}

/** What outlives a close and a crash: the stored log, and the Agent's queue. */
const outlasting = Effect.fnUntraced(function* (options: Options) {
  const log = yield* EventLogMemory.make({ seedLength: options.seedLength ?? 0, events: options.events ?? [] })
  return { log, store: FaultyStore.make(log.eventLog, log.barrier), agent: yield* ScriptedAgent.make }
})

/** A world that lives as long as its scope, with its Session open. */
export const make = Effect.fnUntraced(function* (options: Options = {}) {
  if (options.now !== undefined) yield* setClock(options.now)
  const { log, store, agent } = yield* outlasting(options)
  const clock = yield* SteppedClock.make
  const onItsClock = Effect.provideService(Clock.Clock, clock.clock)
  const session = SessionReminders.layer.pipe(
    Layer.provide(AlarmClock.layer),
    Layer.provide([
      Layer.succeed(EventLog, store.eventLog),
      Layer.succeed(PersistenceBarrier, store.barrier),
      Layer.succeed(AgentQueue, agent.queue),
      Layer.succeed(AlarmClock.LongestWait, options.longestWaitMillis ?? 86_400_000)
    ])
  )
  let live: Live | undefined

  const open = Effect.gen(function* () {
    const scope = yield* Scope.make()
    live = { scope, context: yield* Layer.buildWithScope(session, scope) }
  }).pipe(onItsClock)

  const close = Effect.suspend(() => {
    const closing = live
    live = undefined
    return closing === undefined ? Effect.void : Scope.close(closing.scope, Exit.void)
  })

  const the = <I, S>(service: Context.Key<I & (Reminders | Scheduler), S>): Effect.Effect<S> =>
    Effect.suspend(() =>
      live === undefined
        ? Effect.die(new Error("The Session is cold: open it first"))
        : Effect.succeed(Context.get(live.context, service))
    )

  yield* open
  yield* Effect.addFinalizer(() => close)

  const world: SessionWorld = {
    agent,
    store,
    clock,
    reminders: {
      create: (input) => onItsClock(Effect.flatMap(the(Reminders), ({ create }) => create(input))),
      list: onItsClock(Effect.flatMap(the(Reminders), ({ list }) => list)),
      delete: (id) => onItsClock(Effect.flatMap(the(Reminders), (reminders) => reminders.delete(id)))
    },
    scheduler: {
      wake: Effect.flatMap(the(Scheduler), ({ wake }) => wake),
      status: Effect.flatMap(the(Scheduler), ({ status }) => status)
    },
    events: log.events,
    open,
    close,
    crash: Effect.gen(function* () {
      yield* store.crash
      yield* agent.crash
      yield* log.crash
      yield* Effect.forkDetach(close, { startImmediately: true })
    })
  }
  return world
})
