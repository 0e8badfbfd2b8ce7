/**
 * A write to the SQLite file that changes nothing.
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { StoreProbe, StoreUnusable } from "../services/StoreProbe.ts"
import { BusyTimeout } from "./SqliteDriver.ts"
import { fromCause } from "./StoreError.ts"
import { APPLICATION_ID } from "./StoreSchema.ts"

/** How long it waits for another process that writes, in milliseconds. */
const PATIENCE = 250

export const make = (file: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // SQLite writes the mark to the file's first page, and to its disk, whatever was there before.
    return sql.unsafe(`PRAGMA application_id = ${APPLICATION_ID}`).pipe(
      Effect.provideService(BusyTimeout, PATIENCE),
      Effect.uninterruptible,
      Effect.asVoid,
      Effect.catchCause((cause) => Effect.fail(new StoreUnusable({ problem: fromCause(file, cause).problem })))
    )
  })

export const layer = (file: string): Layer.Layer<never, never, SqlClient.SqlClient> =>
  Layer.effect(StoreProbe, make(file))
