/**
 * The host that ships, over a SQLite file, with a model that costs nothing.
 */
import { Context, Effect, Exit, Layer, Scope, Stream } from "effect"
import { LanguageModel, type Response } from "effect/ai"
import { SqlClient } from "effect/sql"
import { Sessions } from "../../src/host/Sessions.ts"
import * as SessionsSql from "../../src/host/SessionsSql.ts"
import * as AlarmClock from "../../src/layers/AlarmClock.ts"
import { type Entry, EventWriter } from "../../src/layers/EventWriter.ts"
import * as GroupCommit from "../../src/layers/GroupCommit.ts"
import * as SessionStore from "../../src/layers/SessionStore.ts"
import * as SqliteStore from "../../src/layers/SqliteStore.ts"

const answer: Array<Response.PartEncoded> = [
  { type: "text", text: "Noted." },
  { type: "finish", reason: "stop", usage: { inputTokens: {}, outputTokens: {} } }
]

/** Answers at once, always the same. */
const nullModel = Layer.effect(
  LanguageModel.LanguageModel,
  LanguageModel.make({ generateText: () => Effect.succeed([...answer]), streamText: () => Stream.empty })
)

/** Hears of every entry once it is durable. */
export type OnWritten = (entries: ReadonlyArray<Entry>) => void

const heard = (onWritten: OnWritten) =>
  Layer.effect(
    EventWriter,
    Effect.map(EventWriter, ({ write }) =>
      EventWriter.of({ write: (entries) => Effect.tap(write(entries), () => Effect.sync(() => onWritten(entries))) })
    )
  )

/** What is below the Sessions. */
const store = (file: string, onWritten: OnWritten) =>
  Layer.mergeAll(SessionStore.layer, Layer.provide(GroupCommit.layer, heard(onWritten))).pipe(
    Layer.provideMerge(SqliteStore.layer(file))
  )

const host = (file: string, onWritten: OnWritten) =>
  SessionsSql.layer.pipe(Layer.provide([AlarmClock.layer, nullModel]), Layer.provideMerge(store(file, onWritten)))

type Services = Sessions | SessionStore.SessionStore | GroupCommit.GroupCommit | SqlClient.SqlClient

export interface Host {
  readonly sessions: Sessions["Service"]
  /** Runs with the parts of the host, too. */
  run<A, E>(effect: Effect.Effect<A, E, Services | Scope.Scope>): Promise<A>
  close(): Promise<void>
}

/** Opens the host as one process has it. */
export const open = async (file: string, onWritten: OnWritten = () => {}): Promise<Host> => {
  const scope = await Effect.runPromise(Scope.make())
  const context = await Effect.runPromise(Layer.buildWithScope(host(file, onWritten), scope))
  return {
    sessions: Context.get(context, Sessions),
    run: (effect) =>
      Effect.runPromise(Effect.provideContext(Effect.provideService(effect, Scope.Scope, scope), context)),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

/** As many Sessions as ids, each live. */
export const create = (sessions: Sessions["Service"], ids: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.forEach(ids, (id) => sessions.create(id), { concurrency: 64, discard: true }).pipe(Effect.orDie)
