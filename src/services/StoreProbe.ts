/**
 * Finds out whether the store can be written now, by writing to it.
 */
import { Context, type Effect, Schema } from "effect"

/** The store takes nothing now; `problem` says in one line what is wrong, and what to do. */
export class StoreUnusable extends Schema.TaggedError<StoreUnusable>()("StoreUnusable", { problem: Schema.String }) {}

/** A write that changes nothing, as durable as every other; undefined where the store has none. It never waits for long. */
export const StoreProbe = Context.Reference<Effect.Effect<void, StoreUnusable> | undefined>(
  "effect-session-schedule/StoreProbe",
  { defaultValue: () => undefined }
)
