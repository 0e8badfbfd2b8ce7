/**
 * The host over one schema of a PostgreSQL database, with the model that it is given: one server, or several that take
 * over from each other. For several that share the load, see the cluster.
 */
import { Layer } from "effect"
import type { LanguageModel } from "effect/ai"
import * as AlarmClock from "../layers/AlarmClock.ts"
import * as GroupCommit from "../layers/GroupCommit.ts"
import * as PgStore from "../layers/PgStore.ts"
import * as SessionStore from "../layers/SessionStore.ts"
import type { StoreError } from "../layers/StoreError.ts"
import type { Sessions } from "./Sessions.ts"
import * as SessionsSql from "./SessionsSql.ts"

export interface Options<E> extends PgStore.Options {
  /** What answers the Sessions. */
  readonly model: Layer.Layer<LanguageModel.LanguageModel, E>
}

/** The Sessions in that schema. */
export const layer = <E>({ model, ...store }: Options<E>): Layer.Layer<Sessions, StoreError | E> =>
  SessionsSql.layer.pipe(
    Layer.provide([SessionStore.layer, GroupCommit.layer, AlarmClock.layer, model]),
    Layer.provide(PgStore.layer(store))
  )
