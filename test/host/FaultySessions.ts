/**
 * The host's Sessions over a store in memory, with a fault for each of the ids that name one.
 */
import { Effect, Layer, Stream } from "effect"
import { CorruptScheduleLog, PersistenceUncertain } from "../../src/domain/ScheduleError.ts"
import { HostError } from "../../src/host/HostError.ts"
import * as LocalModel from "../../src/host/LocalModel.ts"
import { Sessions } from "../../src/host/Sessions.ts"
import * as SqliteHost from "../../src/host/SqliteHost.ts"
import type { Reminders } from "../../src/services/Reminders.ts"

const defect = Effect.die(new Error("secret"))

const faults: Readonly<Record<string, Partial<Reminders["Service"]>>> = {
  broken: { list: defect },
  corrupt: { list: Effect.fail(new CorruptScheduleLog({ seq: 3, reason: "version: expected 1" })) },
  uncertain: { create: () => Effect.fail(new PersistenceUncertain({ operation: "create", id: "schedule-9" })) }
}

const lost = new HostError({ code: "persistence_uncertain", message: "The store did not confirm it." })

const make = Effect.map(Sessions, (sessions) =>
  Sessions.of({
    ...sessions,
    open: (id) => (id === "never" ? Effect.never : sessions.open(id)),
    reminders: (id) =>
      id === "secret"
        ? defect
        : Effect.map(sessions.reminders(id), (reminders) => ({ ...reminders, ...faults[String(id)] })),
    follow: (id, from) =>
      id === "lost"
        ? Stream.concat(Stream.take(sessions.follow(id, from), 1), Stream.fail(lost))
        : sessions.follow(id, from)
  })
)

export const layer = Layer.provide(
  Layer.effect(Sessions, make),
  SqliteHost.layer({ file: ":memory:", model: LocalModel.layer })
)
