/**
 * What is done with one Session: input is checked here, and whoever has the Session live does the rest.
 */
import { Clock, Effect } from "effect"
import * as Instant from "../domain/Instant.ts"
import type { SessionHeader, SessionId } from "../domain/Session.ts"
import { SessionStore } from "../layers/SessionStore.ts"
import type { Reminders } from "../services/Reminders.ts"
import type { HostError } from "./HostError.ts"
import * as PromptInput from "./PromptInput.ts"
import { decodeId, decodeLength, idOrNew } from "./SessionInput.ts"
import type { Sessions } from "./Sessions.ts"
import { storeFailure } from "./StoreFailure.ts"

/** Whoever has Sessions live, or makes them so, here or elsewhere. */
export interface Owner {
  open(id: SessionId): Effect.Effect<SessionHeader, HostError>
  close(id: SessionId): Effect.Effect<void, HostError>
  reminders(id: SessionId): Effect.Effect<Reminders["Service"], HostError>
  prompt(id: SessionId, prompt: PromptInput.CheckedPrompt): Effect.Effect<number, HostError>
}

type Calls = Pick<Sessions["Service"], "create" | "open" | "close" | "fork" | "reminders" | "prompt">

const now = Effect.map(Clock.currentTimeMillis, Instant.clamp)

export const make = (owner: Owner, { transcript }: Pick<Sessions["Service"], "transcript">) =>
  Effect.map(SessionStore, (store): Calls => ({
    create: Effect.fn("Sessions.create")(function* (input?: unknown) {
      const header = { version: 1, id: yield* idOrNew(input), createdAt: yield* now } as const
      yield* Effect.mapError(store.create(header), storeFailure)
      return yield* owner.open(header.id)
    }),

    open: Effect.fn("Sessions.open")(function* (input: unknown) {
      return yield* owner.open(yield* decodeId(input))
    }),

    close: Effect.fn("Sessions.close")(function* (input: unknown) {
      yield* transcript(input, 0, 1)
      yield* owner.close(yield* decodeId(input))
    }),

    fork: Effect.fn("Sessions.fork")(function* (input: unknown, options: Parameters<Calls["fork"]>[1] = {}) {
      const parent = yield* decodeId(input)
      const child = { id: yield* idOrNew(options.id), createdAt: yield* now }
      const length = yield* decodeLength(options.length)
      return yield* Effect.mapError(store.fork(parent, child, length), storeFailure)
    }),

    reminders: Effect.fn("Sessions.reminders")(function* (input: unknown) {
      return yield* owner.reminders(yield* decodeId(input))
    }),

    prompt: Effect.fn("Sessions.prompt")(function* (input: unknown, message: Parameters<Calls["prompt"]>[1]) {
      const checked = yield* PromptInput.decode(message)
      return yield* owner.prompt(yield* decodeId(input), checked)
    })
  }))
