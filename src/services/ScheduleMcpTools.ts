/**
 * The three tools as MCP shows them: every result is a JSON object, with a schema of its own, and a call names no
 * Session: it is about the one whose server it came to.
 */
import { Context, type Effect, Schema } from "effect"
import { Toolkit } from "effect/ai"
import { ScheduleFailure } from "../domain/ScheduleError.ts"
import { DeleteResult, ScheduleView } from "../domain/ScheduleView.ts"
import { SessionFailure } from "./ScheduleRpc.ts"
import * as ScheduleTools from "./ScheduleTools.ts"

const failure = Schema.Union([ScheduleFailure, SessionFailure])
/** Why a call was refused or failed: a stable code, and what to do instead. */
export type ToolFailure = typeof failure.Type

/** The reminders of the Session that a call is about; whatever goes wrong is told as callers see it. */
export class CalledReminders extends Context.Service<
  CalledReminders,
  {
    create(input: unknown): Effect.Effect<ScheduleView, ToolFailure>
    readonly list: Effect.Effect<ReadonlyArray<ScheduleView>, ToolFailure>
    delete(id: unknown): Effect.Effect<DeleteResult, ToolFailure>
  }
>()("effect-session-schedule/CalledReminders") {}

/** Says of a union of objects that it is an object, which MCP wants to be told. */
const anObject = Schema.makeFilter(() => true, { toJsonSchema: () => ({ type: "object" }) })

export const ScheduleMcpTools = Toolkit.make(
  ScheduleTools.Create.setSuccess(ScheduleView.check(anObject)).setFailure(failure).addDependency(CalledReminders),
  ScheduleTools.List.setSuccess(Schema.Struct({ reminders: Schema.Array(ScheduleView) }))
    .setFailure(failure)
    .addDependency(CalledReminders),
  ScheduleTools.Delete.setSuccess(DeleteResult.check(anObject)).setFailure(failure).addDependency(CalledReminders)
)
