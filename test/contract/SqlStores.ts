/** The SQL stores, for suites that run over each of them. */
import { join } from "node:path"
import { Effect, type Layer, type Scope } from "effect"
import type { SqlClient } from "effect/sql"
import type { EventWriter } from "../../src/layers/EventWriter.ts"
import * as EventWriterPg from "../../src/layers/EventWriterPg.ts"
import * as EventWriterSqlite from "../../src/layers/EventWriterSqlite.ts"
import * as PgStore from "../../src/layers/PgStore.ts"
import * as SqliteStore from "../../src/layers/SqliteStore.ts"
import type { StoreError } from "../../src/layers/StoreError.ts"
import { temporaryFolder } from "../layers/StoreFixture.ts"
import * as Place from "../postgres/Place.ts"
import * as Postgres from "../postgres/Postgres.ts"

type Store = Layer.Layer<SqlClient.SqlClient | EventWriter, StoreError>

export interface SqlStore {
  readonly name: string
  /** A new store. */
  readonly make: Effect.Effect<Store>
  /** A new store that other processes can open too, by the name of its place; see `StoreProcess.ts`. */
  readonly makeShared: Effect.Effect<{ readonly store: Store; readonly place: string }, never, Scope.Scope>
  readonly writer: Effect.Effect<EventWriter["Service"], never, SqlClient.SqlClient>
}

const sqlite: SqlStore = {
  name: "in SQLite",
  make: Effect.succeed(SqliteStore.layer(":memory:")),
  makeShared: Effect.map(temporaryFolder, (folder) => {
    const place = join(folder, "store.db")
    return { store: SqliteStore.layer(place), place }
  }),
  writer: EventWriterSqlite.make
}

const postgres: SqlStore = {
  name: "in PostgreSQL",
  make: Effect.map(Postgres.newStore, PgStore.layer),
  makeShared: Effect.map(Postgres.newStore, (options) => ({
    store: PgStore.layer(options),
    place: Place.show(options)
  })),
  writer: EventWriterPg.make
}

export const stores: ReadonlyArray<SqlStore> = [sqlite, postgres]
