/**
 * The three tools over RPC, by Session. Arguments of any shape are taken, and the domain judges them.
 */
import { Context, type Effect, Schema } from "effect"
import { Rpc, RpcGroup } from "effect/rpc"
import { ScheduleFailure } from "../domain/ScheduleError.ts"
import { DeleteResult, ScheduleView } from "../domain/ScheduleView.ts"
import type { Reminders } from "./Reminders.ts"

/** No such Session, or it can't be opened here: a stable code, and what to do instead. */
export const SessionFailure = Schema.Struct({ code: Schema.String, message: Schema.String })
export type SessionFailure = typeof SessionFailure.Type

const error = Schema.Union([ScheduleFailure, SessionFailure])
/** Any JSON as it was parsed: a number that is too large for JavaScript, such as 1e400, is for the domain to judge, too. */
export const AnyJson = Schema.declare((_input): _input is unknown => true, { toCodecJson: () => undefined })
/** A missing key is judged like a wrong value. */
const any = Schema.optionalKey(AnyJson)

export const ScheduleRpc = RpcGroup.make(
  /** `input`: the arguments of `schedule_create`. */
  Rpc.make("schedule_create", { payload: { session: any, input: any }, success: ScheduleView, error }),
  Rpc.make("schedule_list", { payload: { session: any }, success: Schema.Array(ScheduleView), error }),
  Rpc.make("schedule_delete", { payload: { session: any, id: any }, success: DeleteResult, error })
)

/** Where the handlers find a Session's reminders: the host's live Sessions. */
export class RemindersBySession extends Context.Service<
  RemindersBySession,
  {
    get(session: unknown): Effect.Effect<Reminders["Service"], SessionFailure>
  }
>()("effect-session-schedule/RemindersBySession") {}
