/**
 * What the host itself keeps in a Session's log: the inbox, and the turns that answer it.
 */
import { Schema } from "effect"
import { FollowUp } from "../domain/FollowUp.ts"
import { TimeZone } from "../domain/TimeZone.ts"

/** Far from where a number is no longer counted on exactly, as those of reminders are. */
const Count = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 999_999_999_999_999 }))

/** What someone said. `id` numbers the messages of a Session. The zone is the speaker's, and counts for this message alone. */
export const PromptMessage = Schema.Struct({
  kind: Schema.Literal("prompt"),
  id: Count,
  text: Schema.String,
  timeZone: Schema.optionalKey(TimeZone)
})

/** Reminders that came due. `attempt` counts how often they were given to a turn, the next one included. */
export const FollowUpMessage = Schema.Struct({
  kind: Schema.Literal("follow-up"),
  id: Count,
  ...FollowUp.fields,
  attempt: Count
})

export const Message = Schema.Union([PromptMessage, FollowUpMessage])
export type Message = typeof Message.Type

/** A message waits for a turn. */
export const Queued = Schema.Struct({ message: Message })

/** A turn took these messages out of the inbox. */
export const TurnStarted = Schema.Struct({ turn: Count, messages: Schema.NonEmptyArray(Count) })

/** The model said something, or a tool answered it: a message of `effect/ai`, as JSON. */
export const TurnOutput = Schema.Struct({ turn: Count, message: Schema.Unknown })

/** A turn is over. `interrupted`: the process stopped before it was; `failed`: the model did. */
export const TurnEnded = Schema.Struct({
  turn: Count,
  outcome: Schema.Literals(["completed", "failed", "interrupted"]),
  error: Schema.optionalKey(Schema.String)
})
export type Outcome = (typeof TurnEnded.Type)["outcome"]

/** One event of the host. */
export const HostEvent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("inbox/queued"), data: Queued }),
  Schema.Struct({ type: Schema.Literal("turn/started"), data: TurnStarted }),
  Schema.Struct({ type: Schema.Literal("turn/output"), data: TurnOutput }),
  Schema.Struct({ type: Schema.Literal("turn/ended"), data: TurnEnded })
])
export type HostEvent = typeof HostEvent.Type

const types: ReadonlySet<string> = new Set(HostEvent.members.map((member) => member.fields.type.literal))

/** Whether an event of that type is the host's. */
export const isHostType = (type: string): boolean => types.has(type)
