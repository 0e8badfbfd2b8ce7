/**
 * All Sessions of the host, by id: what the HTTP API, RPC and the command are made of.
 *
 * A call to a Session's Agent or reminders makes it live; listing Sessions and reading transcripts never does.
 */
import { Context, type Effect, Schema, type Stream } from "effect"
import { Instant } from "../domain/Instant.ts"
import { SessionEvent, SessionHeader } from "../domain/Session.ts"
import type { Reminders } from "../services/Reminders.ts"
import type { Health } from "./Health.ts"
import type { HostError } from "./HostError.ts"
import { SessionState, type Timeline } from "./Timeline.ts"

/** A Session in a list. `nextTarget` is the earliest of its active reminders, null without any. */
export const SessionSummary = Schema.Struct({
  ...SessionHeader.fields,
  state: SessionState,
  /** How many reminders are active; null if its log can't be read. */
  activeReminders: Schema.NullOr(Schema.Int),
  nextTarget: Schema.NullOr(Instant),
  /** Why the Session's reminders can't be read; null if they can. */
  corrupt: Schema.NullOr(Schema.String)
})
export type SessionSummary = typeof SessionSummary.Type

/** A part of a Session's log: `end` is the place after it, from which to read on. */
export const Transcript = Schema.Struct({ events: Schema.Array(SessionEvent), end: Schema.Int })
export type Transcript = typeof Transcript.Type

/** What someone says in a Session. The zone is the speaker's, and counts for this message alone. */
export interface PromptInput {
  readonly text: unknown
  readonly timeZone?: unknown
}

export class Sessions extends Context.Service<
  Sessions,
  {
    /** A new Session, live at once, under the id given, or under a new one. */
    create(id?: unknown): Effect.Effect<SessionHeader, HostError>
    /** Makes a Session live; nothing happens to one that is. */
    open(id: unknown): Effect.Effect<SessionHeader, HostError>
    /** Makes a Session cold: waits are cancelled, work in flight is finished, nothing is deleted. */
    close(id: unknown): Effect.Effect<void, HostError>
    /** A new cold Session with the history of another up to an event (all of it without one), and none of its reminders. */
    fork(
      id: unknown,
      options?: { readonly id?: unknown; readonly length?: unknown }
    ): Effect.Effect<SessionHeader, HostError>
    readonly list: Effect.Effect<ReadonlyArray<SessionSummary>, HostError>
    /** One Session as a list shows it. */
    summary(id: unknown): Effect.Effect<SessionSummary, HostError>
    /**
     * The cold Sessions that would have work if they were live: first those without active reminders, but with a message
     * that waits or a turn that was cut off, then those with active reminders by their next target. Those whose reminders
     * can't be read are last.
     */
    readonly resumable: Effect.Effect<ReadonlyArray<SessionSummary>, HostError>
    /** Queues what someone says for the next turn; succeeds, with the number of the message, once it is durable. */
    prompt(id: unknown, input: PromptInput): Effect.Effect<number, HostError>
    /** Durable events of a Session from a place on, at most `limit`. */
    transcript(id: unknown, from: number, limit?: number): Effect.Effect<Transcript, HostError>
    /** Durable events from a place on, and those to come, as they become durable. */
    follow(id: unknown, from: number): Stream.Stream<SessionEvent, HostError>
    /** The reminders of a Session as they stand now, with at most `count` occurrences of each; wakes nobody. */
    timeline(id: unknown, count: number): Effect.Effect<Timeline, HostError>
    /** The reminders of a Session, which becomes live. */
    reminders(id: unknown): Effect.Effect<Reminders["Service"], HostError>
    /** Whether the host can do its work, found out by doing some; asked again within a second, the same answer. */
    readonly health: Effect.Effect<Health>
  }
>()("effect-session-schedule/host/Sessions") {}
