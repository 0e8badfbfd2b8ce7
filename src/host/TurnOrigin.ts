/**
 * Where the messages of a turn come from, so that a trace tells it. A turn of reminders belongs to the delivery that
 * queued them; one that answers people is only linked to what they asked, since several may share it. What a restart
 * went on with has no origin any more: its attributes name its reminders.
 */
import { Effect, type Tracer } from "effect"
import * as Spans from "../layers/Spans.ts"
import type { Message } from "./HostEvent.ts"

export interface TurnOrigin {
  delivery: Tracer.AnySpan | undefined
  prompts: ReadonlyArray<Tracer.SpanLink>
}

/** Prompts that wait for a turn are few; more of them need no link each. */
const MAX_LINKS = 16

const none: ReadonlyArray<Tracer.SpanLink> = []

export const make = (): TurnOrigin => ({ delivery: undefined, prompts: none })

/** The open span holds the Agent, to queue reminders. */
export const ofDelivery = (origin: TurnOrigin): Effect.Effect<void> =>
  Effect.map(Spans.current, (span) => {
    origin.delivery = span
  })

/** The open span is of someone who says something. */
export const ofPrompt = (origin: TurnOrigin): Effect.Effect<void> =>
  Effect.map(Spans.current, (span) => {
    if (span === undefined || origin.prompts.length >= MAX_LINKS) return
    origin.prompts = [...origin.prompts, { span, attributes: {} }]
  })

/** What the span of a turn is told that begins with a message of that kind, once. */
export const take = (origin: TurnOrigin, kind: Message["kind"] | undefined): NonNullable<Spans.Options["span"]> => {
  if (kind !== "follow-up") {
    const links = origin.prompts
    origin.prompts = none
    return { root: true, links }
  }
  const { delivery } = origin
  origin.delivery = undefined
  return delivery === undefined ? { root: true } : { parent: delivery }
}
