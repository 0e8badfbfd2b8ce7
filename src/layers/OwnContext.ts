/**
 * A Session's own scope and context, for work that outlives whoever asked for it: it must not run inside that one's span or
 * database transaction.
 */
import { Context, Effect, Scope } from "effect"
import { SessionLabel } from "../services/SessionLabel.ts"

export interface OwnContext {
  readonly scope: Scope.Scope
  readonly context: Context.Context<never>
}

export const make: Effect.Effect<OwnContext, never, Scope.Scope> = Effect.gen(function* () {
  return { scope: yield* Effect.scope, context: yield* Effect.context<never>() }
})

/**
 * In a copy of the context: Effect makes one that is read from a few times over into a map of its own, which 100,000 idle
 * Sessions would keep.
 */
const within = <A, E>(effect: Effect.Effect<A, E>, { context }: OwnContext): Effect.Effect<A, E> =>
  Effect.updateContext(effect, (_: Context.Context<never>) =>
    Context.add(context, SessionLabel, Context.get(context, SessionLabel))
  )

/** Forks the effect, which ends with the Session's scope. */
export const fork = (own: OwnContext, effect: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.asVoid(Effect.forkIn(within(effect, own), own.scope))

/** Has the effect run when the Session's scope is closed. */
export const atEnd = (own: OwnContext, effect: () => Effect.Effect<void>): Effect.Effect<void> =>
  Scope.addFinalizerExit(own.scope, () => within(Effect.suspend(effect), own))
