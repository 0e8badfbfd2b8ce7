/**
 * The three tools of a live Session, for models and for MCP. A model sees exact JSON Schemas; what it sends is taken as
 * it is and judged by the domain, so that any argument gets one of our codes instead of a protocol error.
 */
import { type JsonSchema, Schema } from "effect"
import { Tool, Toolkit } from "effect/ai"
import { ScheduleFailure } from "../domain/ScheduleError.ts"
import * as ScheduleArguments from "../domain/ScheduleArguments.ts"
import { DeleteResult, ScheduleView } from "../domain/ScheduleView.ts"

/** The JSON Schema of arguments, with nothing besides what it names. */
const argumentsOf = (schema: Schema.Constraint): JsonSchema.JsonSchema => {
  const { schema: root, definitions } = Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" })
  return Object.keys(definitions).length === 0 ? root : { ...root, $defs: definitions }
}

const failing = { failure: ScheduleFailure, failureMode: "return" } as const

export const Create = Tool.dynamic("schedule_create", {
  description:
    "Create a durable reminder in this conversation. It comes back as a later turn when it is due. Give the prompt and " +
    "exactly one selector. Times need an explicit offset or time_zone: never guess one, ask.",
  parameters: argumentsOf(ScheduleArguments.Arguments),
  success: ScheduleView,
  ...failing
})
  .annotate(Tool.Title, "Create a reminder")
  .annotate(Tool.Readonly, false)
  .annotate(Tool.Destructive, false)
  .annotate(Tool.Idempotent, false)
  .annotate(Tool.OpenWorld, false)

export const List = Tool.dynamic("schedule_list", {
  description: "List the active reminders of this conversation, in the order of their creation.",
  parameters: { type: "object", properties: {}, additionalProperties: false },
  success: Schema.Array(ScheduleView),
  ...failing
})
  .annotate(Tool.Title, "List reminders")
  .annotate(Tool.Readonly, true)
  .annotate(Tool.Destructive, false)
  .annotate(Tool.Idempotent, true)
  .annotate(Tool.OpenWorld, false)

export const Delete = Tool.dynamic("schedule_delete", {
  description: "Delete one reminder of this conversation by its id. Deleting one that has ended is no failure.",
  parameters: argumentsOf(
    Schema.Struct({ id: Schema.NonEmptyString.annotate({ description: "as schedule_list shows it" }) })
  ),
  success: DeleteResult,
  ...failing
})
  .annotate(Tool.Title, "Delete a reminder")
  .annotate(Tool.Readonly, false)
  .annotate(Tool.Destructive, true)
  .annotate(Tool.Idempotent, true)
  .annotate(Tool.OpenWorld, false)

/** What a host hands to its model. */
export const ScheduleTools = Toolkit.make(Create, List, Delete)
