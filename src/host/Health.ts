/**
 * Whether the host can do its work: the store takes a write, its writer answers, and the alarm rings.
 */
import { Clock, Deferred, Effect, Exit, Schema } from "effect"
import * as Instant from "../domain/Instant.ts"
import { SessionId } from "../domain/Session.ts"
import { GroupCommit } from "../layers/GroupCommit.ts"
import { Alarm } from "../services/Alarm.ts"
import { StoreProbe } from "../services/StoreProbe.ts"
import type { Glimpse } from "./Census.ts"

/** `ok`: it works; `degraded`: so it does, but for some Sessions; `unavailable`: it does not. */
export const Status = Schema.Literals(["ok", "degraded", "unavailable"])

export const Health = Schema.Struct({
  status: Status,
  checkedAt: Instant.Instant,
  /** What is wrong, in one line, with what each of them needs to work; null if nothing is. */
  problems: Schema.Struct({
    store: Schema.NullOr(Schema.String),
    alarm: Schema.NullOr(Schema.String),
    /** Of a runner alone. */
    cluster: Schema.optionalKey(Schema.NullOr(Schema.String))
  }),
  sessions: Schema.Struct({
    live: Schema.Int,
    /** How many Sessions' reminders or turns stopped. */
    faulted: Schema.Int,
    /** The first of these, by id. */
    faultedIds: Schema.Array(SessionId)
  })
})
export type Health = typeof Health.Type

/** How long a part may take to answer. */
const PATIENCE = "1 second"

/** How long an answer holds, so that to ask often costs no more. */
const FRESH = "1 second"

/** The most faulted Sessions that are named. */
const MAX_NAMED = 100

/** What is wrong with a part, in one line; null if nothing is. */
export type Problem = Effect.Effect<string | null>

/** The problem of a part that is no longer there is that it says nothing. */
const within = (check: Problem, silence: string): Problem =>
  Effect.map(Effect.timeoutOption(check, PATIENCE), (answer) => (answer._tag === "Some" ? answer.value : silence))

/** An event of no Session: a writer that works refuses it. */
const NOBODYS = { session: -1, epoch: -1, events: [{ seq: 0, at: 0, type: "health/probe", data: "null" }] }

const writer = ({ submit }: GroupCommit["Service"]): Problem => {
  const asked = Effect.callback<string | null>((resume) => {
    submit({
      ...NOBODYS,
      settle: (failure) => resume(Effect.succeed(failure?._tag === "CommitError" ? "its writer can't commit." : null))
    })
  })
  return within(asked, "its writer does not answer. See whether the database does; if it does, restart the server.")
}

const rings = Effect.fnUntraced(function* (alarm: Alarm["Service"]) {
  let rung = Deferred.makeUnsafe<void>()
  const handle = yield* alarm.make(Effect.sync(() => void Deferred.doneUnsafe(rung, Exit.void)))
  const ring = Effect.gen(function* () {
    rung = Deferred.makeUnsafe()
    yield* handle.set(Instant.clamp(yield* Clock.currentTimeMillis))
    yield* Deferred.await(rung)
    return null
  })
  return within(ring, "it does not ring: no reminder is delivered. Restart the server.")
})

const sessionsOf = (all: Iterable<readonly [SessionId, { peek(): Glimpse }]>): Health["sessions"] => {
  const faulted: Array<SessionId> = []
  let live = 0
  for (const [id, session] of all) {
    live++
    if (session.peek().isFaulted) faulted.push(id)
  }
  return { live, faulted: faulted.length, faultedIds: faulted.toSorted().slice(0, MAX_NAMED) }
}

const judge = ({ problems, sessions }: Pick<Health, "problems" | "sessions">): Health["status"] => {
  if (Object.values(problems).some((problem) => problem !== null)) return "unavailable"
  return sessions.faulted > 0 ? "degraded" : "ok"
}

/** Checks the host that these Sessions are live in, and its place in the cluster if it has one. */
export const make = Effect.fnUntraced(function* (
  all: () => Iterable<readonly [SessionId, { peek(): Glimpse }]>,
  place?: Problem
) {
  const commits = writer(yield* GroupCommit)
  const probe = yield* StoreProbe
  const alarm = yield* rings(yield* Alarm)

  const store: Problem =
    probe === undefined
      ? commits
      : Effect.matchEffect(probe, { onFailure: ({ problem }) => Effect.succeed(problem), onSuccess: () => commits })

  const parts = {
    store,
    alarm,
    ...(place === undefined ? {} : { cluster: within(place, "its storage does not answer. Is PostgreSQL there?") })
  }

  const check = Effect.gen(function* (): Effect.fn.Return<Health> {
    const problems = yield* Effect.all(parts, { concurrency: "unbounded" })
    const sessions = sessionsOf(all())
    const checkedAt = Instant.clamp(yield* Clock.currentTimeMillis)
    return { status: judge({ problems, sessions }), checkedAt, problems, sessions }
  })
  // Whoever asks first may leave, and others still get the answer.
  return yield* Effect.cachedWithTTL(Effect.uninterruptible(check), FRESH)
})
