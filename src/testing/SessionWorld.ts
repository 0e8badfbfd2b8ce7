/**
 * A whole world of one Session in memory: its log and barrier, its Agent, its reminders, and the alarm, on the clock of
 * the test. It can be closed, reopened, and crashed.
 */
import { Context, Effect, Exit, Option, Scope } from "effect"
import type { SessionEvent } from "../domain/Session.ts"
import * as AlarmClock from "../layers/AlarmClock.ts"
import * as EventLogMemory from "../layers/EventLogMemory.ts"
import * as SessionReminders from "../layers/SessionReminders.ts"
import { AgentQueue } from "../services/AgentQueue.ts"
import { Alarm } from "../services/Alarm.ts"
import { EventLog } from "../services/EventLog.ts"
import { PersistenceBarrier } from "../services/PersistenceBarrier.ts"
import { Reminders } from "../services/Reminders.ts"
import { Scheduler } from "../services/Scheduler.ts"
import * as FaultyStore from "./FaultyStore.ts"
import * as ScriptedAgent from "./ScriptedAgent.ts"
import { setClock } from "./VirtualTime.ts"

export interface Options {
  /** The clock at the beginning, as canonical instant text. */
  readonly now?: string
  /** What the log holds already. */
  readonly events?: ReadonlyArray<SessionEvent>
  readonly seedLength?: number
  /**
   * The longest time between two looks at the wall clock, in milliseconds; a day, so that a jump over years is quick. A
   * test that sets the clock forward wants the minute of production.
   */
  readonly longestWaitMillis?: number
}

export interface SessionWorld {
  readonly agent: ScriptedAgent.ScriptedAgent
  readonly store: FaultyStore.FaultyStore
  /** The reminders of the Session as it is open now. */
  readonly reminders: Reminders["Service"]
  readonly scheduler: Scheduler["Service"]
  /** Everything in the log, pending events included. */
  readonly events: Effect.Effect<ReadonlyArray<SessionEvent>>
  /** Makes the Session cold. */
  readonly close: Effect.Effect<void>
  /** Makes it live again. */
  readonly open: Effect.Effect<void>
  /** Drops everything that was not flushed, as a process that is killed does. */
  readonly crash: Effect.Effect<void>
}

/** A world that lives as long as its scope, with its Session open. */
export const make = Effect.fnUntraced(function* (options: Options = {}) {
  const longestWait = options.longestWaitMillis ?? 86_400_000
  if (options.now !== undefined) yield* setClock(options.now)
  const memory = yield* EventLogMemory.make({ seedLength: options.seedLength ?? 0, events: options.events ?? [] })
  const store = FaultyStore.make(memory.eventLog, memory.barrier)
  const agent = yield* ScriptedAgent.make
  const services = Context.make(
    Alarm,
    yield* Effect.provideService(AlarmClock.make, AlarmClock.LongestWait, longestWait)
  ).pipe(
    Context.add(EventLog, store.eventLog),
    Context.add(PersistenceBarrier, store.barrier),
    Context.add(AgentQueue, agent.queue)
  )
  let session: Option.Option<{
    readonly scope: Scope.Closeable
    readonly context: Context.Context<Reminders | Scheduler>
  }> = Option.none()

  const open = Effect.gen(function* () {
    const scope = yield* Scope.make()
    const context = yield* SessionReminders.make.pipe(Effect.provideContext(Context.add(services, Scope.Scope, scope)))
    session = Option.some({ scope, context })
  })
  const close = Effect.suspend(() => {
    const closing = session
    session = Option.none()
    return Option.match(closing, { onNone: () => Effect.void, onSome: ({ scope }) => Scope.close(scope, Exit.void) })
  })
  yield* open
  yield* Effect.addFinalizer(() => close)

  const world: SessionWorld = {
    agent,
    store,
    get reminders() {
      return Context.get(Option.getOrThrow(session).context, Reminders)
    },
    get scheduler() {
      return Context.get(Option.getOrThrow(session).context, Scheduler)
    },
    events: memory.events,
    open,
    close,
    crash: Effect.andThen(close, memory.crash)
  }
  return world
})
