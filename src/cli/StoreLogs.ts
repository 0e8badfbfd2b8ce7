/**
 * The logs in a store's file. Loaded only by the commands that read one.
 */
import { Effect, Option, type Scope } from "effect"
import { SessionNotFound } from "../layers/SessionStore.ts"
import type { Logs } from "./Logs.ts"
import type { Refusal } from "./Output.ts"
import * as StoreFile from "./StoreFile.ts"

/** How many events are in memory at a time. */
const PAGE = 1_000

export const open = (file: string): Effect.Effect<Logs, Refusal, Scope.Scope> =>
  Effect.map(StoreFile.reading(file), (store): Logs => {
    const explained = Effect.mapError(StoreFile.explain(file))
    return {
      list: explained(Effect.map(store.list, (all) => all.map(({ header }) => header))),
      header: (id) =>
        store.find(id).pipe(
          Effect.flatMap(
            Option.match({
              onNone: () => Effect.fail(new SessionNotFound({ id })),
              onSome: ({ header }) => Effect.succeed(header)
            })
          ),
          explained
        ),
      page: (id, from) => explained(store.read(id, from, PAGE)),
      changes: (id) => explained(store.changesOf(id))
    }
  })
