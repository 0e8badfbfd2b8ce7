/**
 * The owner of a Session, wherever it is: each call is asked of the Session's entity.
 */
import { Cause, Clock, Effect, Random } from "effect"
import type { ClusterError } from "effect/cluster"
import { type Operation, PersistenceUncertain, type ScheduleError } from "../domain/ScheduleError.ts"
import type { SessionId } from "../domain/Session.ts"
import type { HostError } from "../host/HostError.ts"
import type { CheckedPrompt } from "../host/PromptInput.ts"
import type { Owner } from "../host/SessionCalls.ts"
import { uncertain } from "../host/StoreFailure.ts"
import { Reminders } from "../services/Reminders.ts"
import { type Opened, SessionEntity } from "./SessionEntity.ts"

/** How long a caller waits for a Session to have an owner, and for its answer. */
const PATIENCE = "20 seconds"

/** How long, in milliseconds, what an owner said of itself is used for a call. */
const RECENT = 1_000

type Unreached =
  | ClusterError.MailboxFull
  | ClusterError.AlreadyProcessingMessage
  | ClusterError.PersistenceError
  | ClusterError.EntityNotAssignedToRunner

const UNREACHED: ReadonlySet<string> = new Set<Unreached["_tag"]>([
  "MailboxFull",
  "AlreadyProcessingMessage",
  "PersistenceError",
  "EntityNotAssignedToRunner"
])

const isUnreached = (error: { readonly _tag: string }): error is Unreached => UNREACHED.has(error._tag)

/** The owner's answer; where there is none, or the owner ended in the midst of the call, nobody knows what it did. */
const answered = <A, E extends { readonly _tag: string }>(
  call: Effect.Effect<A, E>
): Effect.Effect<A, Exclude<E, Unreached> | HostError> =>
  call.pipe(
    Effect.timeoutOrElse({ duration: PATIENCE, orElse: () => uncertain() }),
    Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? uncertain() : Effect.failCause(cause))),
    Effect.mapError((error) => (isUnreached(error) ? uncertain() : (error as Exclude<E, Unreached> | HostError)))
  )

/** A Session that was live a moment ago has no other failure on the way to its reminders than that it is not reached. */
const ofReminders = <A, E extends ScheduleError>(
  operation: Operation,
  call: Effect.Effect<A, E | HostError>
): Effect.Effect<A, E | PersistenceUncertain> =>
  Effect.mapError(call, (error) => (error._tag === "HostError" ? new PersistenceUncertain({ operation }) : error))

export const make = Effect.gen(function* () {
  const client = yield* SessionEntity.client
  const name = Effect.map(Random.nextIntBetween(0, 2 ** 47), (n) => n.toString(36))
  const owner = (id: SessionId) => answered(client(id).owner())

  /** For which owner a call is. To know it costs a call, so what was heard just now counts, once. */
  const to = Effect.fnUntraced(function* (id: SessionId, heard: { opened?: Opened; readonly at: number }) {
    const isRecent = (yield* Clock.currentTimeMillis) - heard.at < RECENT
    const known = isRecent ? heard.opened : undefined
    delete heard.opened
    return { epoch: (known ?? (yield* owner(id))).epoch, call: yield* name }
  })

  const reminders = Effect.fnUntraced(function* (id: SessionId) {
    const of = client(id)
    const call = to(id, { opened: yield* owner(id), at: yield* Clock.currentTimeMillis })
    return Reminders.of({
      create: (input) =>
        ofReminders(
          "create",
          Effect.flatMap(call, (call) => answered(of.create({ ...call, input })))
        ),
      list: ofReminders("list", answered(of.list())),
      delete: (scheduleId) =>
        ofReminders(
          "delete",
          Effect.flatMap(call, (call) => answered(of.delete({ ...call, id: scheduleId })))
        )
    })
  })

  const prompt = Effect.fnUntraced(function* (id: SessionId, { text, timeZone }: CheckedPrompt) {
    const call = yield* to(id, { at: 0 })
    return yield* answered(client(id).prompt({ ...call, text, ...(timeZone === undefined ? {} : { timeZone }) }))
  })

  return {
    open: (id) => Effect.map(answered(client(id).open()), ({ header }) => header),
    close: (id) => answered(client(id).close()),
    reminders,
    prompt
  } satisfies Owner
})
