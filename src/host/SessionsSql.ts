/**
 * The Sessions of the host, over the SQL store.
 */
import { Effect, Layer } from "effect"
import * as ScheduleMetrics from "../layers/ScheduleMetrics.ts"
import * as Followers from "./Followers.ts"
import * as Following from "./Following.ts"
import * as Health from "./Health.ts"
import * as HostMetrics from "./HostMetrics.ts"
import * as LiveCall from "./LiveCall.ts"
import type * as LiveSession from "./LiveSession.ts"
import * as OwnedSessions from "./OwnedSessions.ts"
import * as SessionCalls from "./SessionCalls.ts"
import * as SessionReader from "./SessionReader.ts"
import { Sessions } from "./Sessions.ts"

const make = Effect.gen(function* () {
  const followers = Followers.make()
  const live = yield* OwnedSessions.make({ tell: followers.tell })
  const health = yield* Health.make(live.all)
  yield* HostMetrics.register(() => OwnedSessions.glimpses(live))
  yield* ScheduleMetrics.register
  const reader = yield* SessionReader.make(() => Effect.succeed(live.isLive))

  const calls = yield* SessionCalls.make(LiveCall.owner(live), reader)

  return Sessions.of({ ...reader, ...calls, follow: Following.make(followers, reader), health })
})

/** The host's Sessions; closing the layer closes those that are live. */
export const layer: Layer.Layer<Sessions, never, LiveSession.Requirements> = Layer.effect(Sessions, make)
