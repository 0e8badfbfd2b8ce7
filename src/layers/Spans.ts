/**
 * Spans of what happens to a Session's reminders. They cost next to nothing where nobody collects them: neither is a
 * span made, nor are its attributes.
 */
import { Effect, type Fiber, Tracer } from "effect"

export type Attributes = Readonly<Record<string, unknown>>

export interface Options {
  /** As its `SessionLabel` has it. */
  readonly session: string | undefined
  readonly attributes?: () => Attributes
  readonly span?: Pick<Tracer.SpanOptions, "root" | "parent" | "links">
}

const isCollected = (fiber: Fiber.Fiber<unknown, unknown>): boolean =>
  fiber.cache.tracerEnabled && fiber.getRef(Tracer.Tracer) !== Tracer.nativeTracer

const attributesOf = ({ session, attributes }: Options): Attributes => ({
  ...(session === undefined ? {} : { session_id: session }),
  ...attributes?.()
})

/** The effect, in a span of that name. */
export const within = <A, E, R>(self: Effect.Effect<A, E, R>, name: string, options: Options): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) =>
    isCollected(fiber)
      ? (Effect.withSpan(self, name, {
          captureStackTrace: false,
          ...options.span,
          attributes: attributesOf(options)
        }) as Effect.Effect<A, E, R>)
      : self
  )

/** Adds to the span that is open, what only became known in it. */
export const annotate = (attributes: () => Attributes): Effect.Effect<void> =>
  Effect.withFiber((fiber) => (isCollected(fiber) ? Effect.annotateCurrentSpan(attributes()) : Effect.void))

/** The span that is open. */
export const current: Effect.Effect<Tracer.AnySpan | undefined> = Effect.withFiberSucceed((fiber) =>
  isCollected(fiber) ? fiber.cache.span : undefined
)

/** One value as it is, several as a list: most messages are of one reminder. */
export const oneOrAll = <A>(values: ReadonlyArray<A>): A | ReadonlyArray<A> | undefined =>
  values.length === 1 ? values[0] : values
