/**
 * A Session as an entity of the cluster: whichever runner owns its shard keeps it live, and answers for it.
 */
import { Schema } from "effect"
import { Entity } from "effect/cluster"
import { Rpc } from "effect/rpc"
import { CorruptScheduleLog, InvalidRequest, PersistenceUncertain } from "../domain/ScheduleError.ts"
import { DeleteResult, ScheduleView } from "../domain/ScheduleView.ts"
import { SessionHeader } from "../domain/Session.ts"
import { HostError } from "../host/HostError.ts"
import { AnyJson } from "../services/ScheduleRpc.ts"

/** A Session that is live, and which of its owners answered. */
export const Opened = Schema.Struct({ header: SessionHeader, epoch: Schema.Int })
export type Opened = typeof Opened.Type

/**
 * The cluster sends a call again when the connection to its runner breaks, and so perhaps twice. It names the owner that
 * it is for, and itself: another owner refuses it, and the same one does it once.
 */
const once = { epoch: Schema.Int, call: Schema.String }
const ListFailed = Schema.Union([HostError, CorruptScheduleLog, PersistenceUncertain])
const ScheduleFailed = Schema.Union([...ListFailed.members, InvalidRequest])

/** All without `call` may be repeated without harm. */
export const SessionEntity = Entity.make("Session", [
  /** Makes it live, and asks the store whether this is still its newest owner. */
  Rpc.make("open", { success: Opened, error: HostError }),
  /** The same without asking the store: a call does that by itself. */
  Rpc.make("owner", { success: Opened, error: HostError }),
  /** Makes it cold, until the next call. */
  Rpc.make("close", { error: HostError }),
  Rpc.make("list", { success: Schema.Array(ScheduleView), error: ListFailed }),
  /** `input`: the arguments of `schedule_create`, in any shape. */
  Rpc.make("create", {
    payload: { ...once, input: Schema.optionalKey(AnyJson) },
    success: ScheduleView,
    error: ScheduleFailed
  }),
  Rpc.make("delete", {
    payload: { ...once, id: Schema.optionalKey(AnyJson) },
    success: DeleteResult,
    error: ScheduleFailed
  }),
  /** Queues a checked prompt; answers the number of the message, once it is durable. */
  Rpc.make("prompt", {
    payload: { ...once, text: Schema.String, timeZone: Schema.optionalKey(Schema.String) },
    success: Schema.Int,
    error: HostError
  })
])
