/**
 * The host's Sessions over RPC, beside the three tools. Arguments of any shape are taken, and the host judges them.
 */
import { Schema } from "effect"
import { Rpc, RpcGroup } from "effect/rpc"
import { SessionEvent, SessionHeader } from "../domain/Session.ts"
import { RpcAuth } from "../services/RpcAuth.ts"
import { AnyJson, ScheduleRpc } from "../services/ScheduleRpc.ts"
import { Accepted, Failure } from "./HostApi.ts"
import { SessionSummary, Transcript } from "./Sessions.ts"

const error = Failure
/** A missing key is judged like a wrong value. */
const any = Schema.optionalKey(AnyJson)
const session = any

export const SessionsRpc = RpcGroup.make(
  /** A new Session, live at once, under the `id` given, or under a new one. */
  Rpc.make("session_create", { payload: { id: any }, success: SessionHeader, error }),
  /** Makes a Session live; nothing happens to one that is. */
  Rpc.make("session_open", { payload: { session }, success: SessionHeader, error }),
  /** Makes a Session cold; nothing is deleted. */
  Rpc.make("session_close", { payload: { session }, error }),
  /** A new cold Session with the first `length` events of another, with all of them without it, and no reminders. */
  Rpc.make("session_fork", { payload: { session, id: any, length: any }, success: SessionHeader, error }),
  Rpc.make("session_list", { success: Schema.Array(SessionSummary), error }),
  Rpc.make("session_get", { payload: { session }, success: SessionSummary, error }),
  /** Says something; answered once it is durable. `timeZone` is the speaker's. */
  Rpc.make("session_prompt", { payload: { session, text: any, timeZone: any }, success: Accepted, error }),
  /** Durable events from a place on (0), at most `limit` (200). */
  Rpc.make("session_transcript", { payload: { session, from: any, limit: any }, success: Transcript, error }),
  /** The same as a stream that goes on with what comes. It ends when the host stops. */
  Rpc.make("session_follow", { payload: { session, from: any }, success: SessionEvent, error, stream: true })
)

/** All that the host answers over RPC. */
export const HostRpc = ScheduleRpc.merge(SessionsRpc).middleware(RpcAuth)
