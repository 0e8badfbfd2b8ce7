/**
 * Sessions in memory, as small as the front of the host can bear: no turns, no store, reminders that are never due.
 */
import { Clock, Effect, Layer, Option, PubSub, Schema, Stream } from "effect"
import * as Instant from "../../src/domain/Instant.ts"
import * as ScheduleChange from "../../src/domain/ScheduleChange.ts"
import * as ScheduleLog from "../../src/domain/ScheduleLog.ts"
import * as ScheduleRequest from "../../src/domain/ScheduleRequest.ts"
import { ScheduleId } from "../../src/domain/ScheduleRecord.ts"
import { view } from "../../src/domain/ScheduleView.ts"
import { CorruptScheduleLog, invalid, PersistenceUncertain } from "../../src/domain/ScheduleError.ts"
import { type SessionEvent, type SessionHeader, SessionId } from "../../src/domain/Session.ts"
import { Reminders } from "../../src/services/Reminders.ts"
import { HostError } from "../../src/host/HostError.ts"
import { Sessions } from "../../src/host/Sessions.ts"

interface Fake {
  readonly header: SessionHeader
  readonly events: Array<SessionEvent>
  readonly added: PubSub.PubSub<SessionEvent>
  isLive: boolean
}

const now = Effect.map(Clock.currentTimeMillis, Instant.clamp)

const refused = (code: HostError["code"]) => new HostError({ code, message: `refused: ${code}` })

const decodeId = (id: unknown) =>
  Effect.mapError(Schema.decodeUnknownEffect(SessionId)(id), () => refused("invalid_session_id"))

const reminders = (fake: Fake, append: (type: string, data: unknown) => Effect.Effect<void>): Reminders["Service"] => {
  const log = Effect.suspend(() => Effect.fromResult(ScheduleLog.fold(fake.events, fake.header.seedLength ?? 0)))
  return Reminders.of({
    create: Effect.fnUntraced(function* (input) {
      const request = yield* Effect.fromResult(ScheduleRequest.decode(input))
      if (request.prompt === "uncertain") {
        return yield* new PersistenceUncertain({ operation: "create", id: "schedule-9" })
      }
      const at = yield* now
      const schedule = yield* Effect.fromResult(ScheduleRequest.plan(request, ScheduleLog.nextId(yield* log), at))
      yield* append("schedule/change", ScheduleChange.encode({ version: 1, operation: "create", schedule }))
      return view(schedule, at)
    }),
    list: Effect.gen(function* () {
      if (fake.header.id === "corrupt") return yield* new CorruptScheduleLog({ seq: 3, reason: "version: expected 1" })
      if (fake.header.id === "broken") return yield* Effect.die(new Error("secret"))
      const at = yield* now
      return ScheduleLog.active(yield* log).map((record) => view(record, at))
    }),
    delete: Effect.fnUntraced(function* (input) {
      const id = yield* Effect.mapError(Schema.decodeUnknownEffect(ScheduleId)(input), () =>
        invalid("invalid_rule", "id: write the id of a reminder")
      )
      if (Option.isNone(ScheduleLog.get(yield* log, id))) return { id, deleted: false, code: "schedule_not_found" }
      yield* append("schedule/change", { version: 1, operation: "delete", id })
      return { id, deleted: true }
    })
  })
}

const make = Effect.gen(function* () {
  const fakes = new Map<string, Fake>()

  const find = (id: unknown) =>
    Effect.suspend(() => {
      if (id === "secret") return Effect.die(new Error("secret"))
      const fake = fakes.get(String(id))
      return fake === undefined ? Effect.fail(refused("session_not_found")) : Effect.succeed(fake)
    })

  const append = (fake: Fake) => (type: string, data: unknown) =>
    Effect.gen(function* () {
      const event = { seq: fake.events.length, at: yield* now, type, data }
      fake.events.push(event)
      yield* PubSub.publish(fake.added, event)
    })

  const add = Effect.fnUntraced(function* (input: unknown, rest: Partial<SessionHeader>, isLive: boolean) {
    const id = yield* decodeId(input ?? `session-${fakes.size + 1}`)
    if (fakes.has(id)) return yield* refused("session_exists")
    const header: SessionHeader = { version: 1, id, createdAt: yield* now, ...rest }
    fakes.set(id, { header, events: [], added: yield* PubSub.unbounded<SessionEvent>(), isLive })
    return header
  })

  return Sessions.of({
    create: (id) => add(id, {}, true),
    open: (id) => (id === "never" ? Effect.never : Effect.map(find(id), (fake) => ((fake.isLive = true), fake.header))),
    close: (id) => Effect.map(find(id), (fake) => void (fake.isLive = false)),
    fork: Effect.fnUntraced(function* (id, options) {
      const { header, events } = yield* find(id)
      const length = options?.length ?? events.length
      if (typeof length !== "number" || length > events.length) return yield* refused("invalid_fork")
      const child = yield* add(options?.id, { parentId: header.id, seedLength: length }, false)
      ;(yield* find(child.id)).events.push(...events.slice(0, length))
      return child
    }),
    list: Effect.sync(() =>
      Array.from(fakes.values(), ({ header, isLive, events }) => ({
        ...header,
        state: isLive ? ("live" as const) : ("cold" as const),
        activeReminders: events.length,
        nextTarget: null,
        corrupt: null
      }))
    ),
    prompt: Effect.fnUntraced(function* (id, input) {
      const fake = yield* find(id)
      if (typeof input.text !== "string") return yield* refused("invalid_prompt")
      if (input.timeZone === "Mars/Base") return yield* refused("invalid_time_zone")
      yield* append(fake)("inbox/queued", input)
      return fake.events.length
    }),
    transcript: (id, from, limit = 100) =>
      Effect.map(find(id), ({ events }) => {
        const part = events.slice(from, from + limit)
        return { events: part, end: from + part.length }
      }),
    follow: (id, from) =>
      Stream.unwrap(
        Effect.map(find(id), ({ events, added }) =>
          Stream.unwrap(
            Effect.map(PubSub.subscribe(added), (later) =>
              Stream.concat(
                Stream.fromIterable(events.slice(from)),
                Stream.mapEffect(Stream.fromSubscription(later), (event) =>
                  event.type === "inbox/queued" && Object(event.data).text === "fail"
                    ? Effect.fail(refused("session_moved"))
                    : Effect.succeed(event)
                )
              )
            )
          )
        )
      ),
    reminders: (id) => Effect.map(find(id), (fake) => ((fake.isLive = true), reminders(fake, append(fake))))
  })
})

export const layer = Layer.effect(Sessions, make)
