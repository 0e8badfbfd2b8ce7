/**
 * The host as it runs out of the box: Sessions in one SQLite file, answered by the local model.
 */
import { Layer } from "effect"
import * as AlarmClock from "../layers/AlarmClock.ts"
import * as GroupCommit from "../layers/GroupCommit.ts"
import * as SessionStore from "../layers/SessionStore.ts"
import * as SqliteStore from "../layers/SqliteStore.ts"
import type { StoreError } from "../layers/StoreError.ts"
import * as LocalModel from "./LocalModel.ts"
import type { Sessions } from "./Sessions.ts"
import * as SessionsSql from "./SessionsSql.ts"

/** The Sessions in that file, which is made if it is missing. */
export const layer = (file: string): Layer.Layer<Sessions, StoreError> =>
  SessionsSql.layer.pipe(
    Layer.provide([SessionStore.layer, GroupCommit.layer, AlarmClock.layer, LocalModel.layer]),
    Layer.provide(SqliteStore.layer(file))
  )
