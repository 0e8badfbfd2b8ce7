/** An Agent over a log in memory, whose turns a test runs. */
import { Deferred, Effect, Exit, Option, Queue, Result, Scope } from "effect"
import type { NewEvent, SessionEvent } from "../../src/domain/Session.ts"
import * as Agent from "../../src/host/Agent.ts"
import * as Conversation from "../../src/host/Conversation.ts"
import type { HostEvent } from "../../src/host/HostEvent.ts"
import type * as Inbox from "../../src/host/Inbox.ts"
import * as EventLogMemory from "../../src/layers/EventLogMemory.ts"
import * as FaultyStore from "../../src/testing/FaultyStore.ts"

/** A turn that runs until the test ends it. */
export interface OpenTurn {
  readonly turn: Agent.Turn
  end(failure?: string): Effect.Effect<void>
}

const conversationOf = (events: ReadonlyArray<SessionEvent>): Conversation.Conversation =>
  events
    .flatMap((event) => Option.toArray(Option.flatMap(Conversation.read(event), Result.getSuccess)))
    .reduce(Conversation.evolve, Conversation.empty)

export const make = Effect.gen(function* () {
  const memory = yield* EventLogMemory.make()
  const store = FaultyStore.make(memory.eventLog, memory.barrier)
  const turns = yield* Queue.unbounded<OpenTurn>()
  let scope = yield* Scope.make()
  let staged: Array<NewEvent> = []

  const log: Inbox.InboxLog = {
    append: (events) =>
      Effect.suspend(() => {
        const all = [...staged, ...events]
        staged = []
        return store.eventLog.append(all)
      }),
    flush: store.barrier.flush,
    stage: (event) => Effect.sync(() => void (staged = [event])),
    unstage: Effect.sync(() => staged.splice(0).length > 0)
  }

  const run = (turn: Agent.Turn) =>
    Effect.gen(function* () {
      const over = yield* Deferred.make<void, Agent.TurnFailed>()
      yield* Queue.offer(turns, {
        turn,
        end: (failure) =>
          Effect.asVoid(
            failure === undefined
              ? Deferred.succeed(over, undefined)
              : Deferred.fail(over, new Agent.TurnFailed({ message: failure }))
          )
      })
      yield* Deferred.await(over)
    })

  const open = Effect.gen(function* () {
    scope = yield* Scope.make()
    const conversation = conversationOf(yield* memory.events)
    const agent = yield* Effect.provideService(Agent.make({ log, conversation, run }), Scope.Scope, scope)
    yield* agent.start
    return agent
  })

  return {
    store,
    log,
    open,
    /** The next turn that begins. */
    nextTurn: Queue.take(turns),
    /** Turns that have begun and were not taken. */
    begun: Effect.sync(() => Queue.sizeUnsafe(turns)),
    close: Effect.suspend(() => Scope.close(scope, Exit.void)),
    /** The process is gone: nothing more is written, and what was not flushed is lost. */
    crash: Effect.gen(function* () {
      yield* store.break("append")
      yield* store.break("flush")
      yield* Scope.close(scope, Exit.void)
      yield* store.mend("append")
      yield* store.mend("flush")
      yield* memory.crash
    }),
    /** The host's events, each in a few words. */
    story: Effect.map(memory.events, (events) => events.map((event) => tell(event as unknown as HostEvent)))
  }
})

const tell = (event: HostEvent | { readonly type: "schedule/change" }): string => {
  switch (event.type) {
    case "inbox/queued":
      return `${event.data.message.kind} ${event.data.message.id}`
    case "turn/started":
      return `turn ${event.data.turn} takes ${event.data.messages.join(" and ")}`
    case "turn/output":
      return `turn ${event.data.turn} says`
    case "turn/ended":
      return `turn ${event.data.turn} ${event.data.outcome}`
    default:
      return event.type
  }
}
