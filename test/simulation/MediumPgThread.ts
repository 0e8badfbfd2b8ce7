/** The thread in which the PostgreSQL store of a simulation runs; see `MediumPg.ts`. */
import { type MessagePort, workerData } from "node:worker_threads"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { SessionId } from "../../src/domain/Session.ts"
import * as EventQuery from "../../src/layers/EventQuery.ts"
import * as EventRow from "../../src/layers/EventRow.ts"
import { EventWriter } from "../../src/layers/EventWriter.ts"
import * as PgStore from "../../src/layers/PgStore.ts"
import { SessionStore } from "../../src/layers/SessionStore.ts"
import * as SessionStoreSql from "../../src/layers/SessionStore.ts"
import { header } from "../layers/StoreFixture.ts"

type Rows = ReadonlyArray<EventRow.EventRow>

const encode = ({ events }: { readonly events: ReadonlyArray<Parameters<typeof EventRow.encode>[0]> }, from: number) =>
  events.map((event, n) => EventRow.encode(event, from + n))

const methods = {
  create: (id: string) => Effect.flatMap(SessionStore, (store) => store.create(header(id))),
  fork: (parent: string, child: string) =>
    Effect.flatMap(SessionStore, (store) =>
      store.fork(SessionId.make(parent), { id: SessionId.make(child), createdAt: header(child).createdAt })
    ),
  own: (id: string) =>
    Effect.map(
      Effect.flatMap(SessionStore, (store) => store.open(SessionId.make(id))),
      ({ key, epoch, length }) => ({ key, owner: epoch, length })
    ),
  isOwner: (key: number, owner: number) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.map(EventQuery.epoch(sql, key), (epoch) => epoch === owner)),
  store: (key: number, owner: number, events: Rows) =>
    Effect.flatMap(EventWriter, (writer) => {
      const entry = { session: key, epoch: owner, events }
      return Effect.map(writer.write([entry]), (isAccepted) => isAccepted(entry))
    }),
  page: (id: string, from: number, limit: number) =>
    Effect.flatMap(SessionStore, (store) =>
      Effect.map(store.read(SessionId.make(id), from, limit), (slice): Rows => encode(slice, from))
    ),
  changes: (id: string, from: number, to: number) =>
    Effect.flatMap(SessionStore, (store) =>
      Effect.map(store.changesOf(SessionId.make(id), from, to), ({ changes }): Rows =>
        changes.map((event) => EventRow.encode(event, event.seq))
      )
    ),
  forget: (id: string) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.asVoid(sql`DELETE FROM events USING sessions WHERE session = key AND id = ${id}
        AND seq = (SELECT max(seq) FROM events WHERE session = key)`)
    ),
  close: () => Effect.promise(() => runtime.dispose())
}

export type Method = keyof typeof methods
export type Question<M extends Method> = Parameters<(typeof methods)[M]>
export type Answer<M extends Method> = Effect.Success<ReturnType<(typeof methods)[M]>>

type Services = SessionStore | SqlClient.SqlClient | EventWriter

const { url, schema, port, bell } = workerData as {
  readonly url: string
  readonly schema: string
  readonly port: MessagePort
  readonly bell: Int32Array
}

const store = PgStore.layer({ url: Redacted.make(url), schema })
const runtime = ManagedRuntime.make(Layer.provideMerge(SessionStoreSql.layer, store))

port.on("message", async ({ method, parameters }: { method: Method; parameters: ReadonlyArray<never> }) => {
  const program = methods[method] as (...parameters: ReadonlyArray<never>) => Effect.Effect<unknown, unknown, Services>
  try {
    const run = method === "close" ? Effect.runPromise : runtime.runPromise
    port.postMessage({ answer: await run(program(...parameters) as Effect.Effect<unknown>) })
  } catch (error) {
    port.postMessage({ error: String(error) })
  }
  Atomics.store(bell, 0, 1)
  Atomics.notify(bell, 0)
})
