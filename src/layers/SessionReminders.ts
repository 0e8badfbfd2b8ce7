/**
 * The composition of one Session's reminders, in reading order. A host mounts it over its own log, barrier and Agent.
 */
import { Context, Effect, Layer, type Scope } from "effect"
import type { AgentQueue } from "../services/AgentQueue.ts"
import type { Alarm } from "../services/Alarm.ts"
import type { EventLog } from "../services/EventLog.ts"
import type { PersistenceBarrier } from "../services/PersistenceBarrier.ts"
import { Reminders } from "../services/Reminders.ts"
import { Scheduler } from "../services/Scheduler.ts"
import { Transactions } from "../services/Transactions.ts"
import * as RemindersDurable from "./RemindersDurable.ts"
import * as SchedulerDrive from "./SchedulerDrive.ts"
import * as TransactionsSerial from "./TransactionsSerial.ts"

/** What a host brings: for each Session a log, its barrier and an Agent, and one alarm for the whole process. */
export type Requirements = EventLog | PersistenceBarrier | AgentQueue | Alarm

/** Opens one Session's reminders: delivery goes on until the scope is closed. */
export const make: Effect.Effect<
  Context.Context<Reminders | Scheduler | Transactions>,
  never,
  Requirements | Scope.Scope
> = Effect.gen(function* () {
  const transactions = yield* TransactionsSerial.make
  const scheduler = yield* Effect.provideService(SchedulerDrive.make, Transactions, transactions)
  const reminders = yield* RemindersDurable.make.pipe(
    Effect.provideService(Transactions, transactions),
    Effect.provideService(Scheduler, scheduler)
  )
  return Context.make(Transactions, transactions).pipe(
    Context.add(Scheduler, scheduler),
    Context.add(Reminders, reminders)
  )
})

export const layer: Layer.Layer<Reminders | Scheduler | Transactions, never, Requirements> = Layer.effectContext(make)
