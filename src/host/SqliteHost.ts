/**
 * The host over one SQLite file, with the model that it is given.
 */
import { Layer } from "effect"
import type { LanguageModel } from "effect/ai"
import * as AlarmClock from "../layers/AlarmClock.ts"
import * as GroupCommit from "../layers/GroupCommit.ts"
import * as SessionStore from "../layers/SessionStore.ts"
import * as SqliteStore from "../layers/SqliteStore.ts"
import type { StoreError } from "../layers/StoreError.ts"
import * as StoreProbeSqlite from "../layers/StoreProbeSqlite.ts"
import type { Sessions } from "./Sessions.ts"
import * as SessionsSql from "./SessionsSql.ts"

export interface Options<E> {
  /** Where the Sessions are kept; made if it is missing. */
  readonly file: string
  /** What answers them: `LocalModel.layer`, `OpenAiModel.layer(…)`, or any other model of `effect/ai`. */
  readonly model: Layer.Layer<LanguageModel.LanguageModel, E>
}

/** The Sessions in that file. */
export const layer = <E>({ file, model }: Options<E>): Layer.Layer<Sessions, StoreError | E> =>
  SessionsSql.layer.pipe(
    Layer.provide([SessionStore.layer, GroupCommit.layer, AlarmClock.layer, StoreProbeSqlite.layer(file), model]),
    Layer.provide(SqliteStore.layer(file))
  )
