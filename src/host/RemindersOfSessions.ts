/**
 * Where RPC finds the reminders of a Session: among the host's, made live by the call.
 */
import { Effect, Layer } from "effect"
import { RemindersBySession } from "../services/ScheduleRpc.ts"
import { answered } from "./HostFailure.ts"
import { Sessions } from "./Sessions.ts"

export const make = Effect.map(Sessions, (sessions) =>
  RemindersBySession.of({ get: (session) => answered(sessions.reminders(session)) })
)

export const layer: Layer.Layer<RemindersBySession, never, Sessions> = Layer.effect(RemindersBySession, make)
