import type { Mutant } from "./Mutant.ts"

const delivery = [
  "test/layers/SchedulerDrive.test.ts",
  "test/layers/Delivery.test.ts",
  "test/layers/Failures.test.ts",
  "test/layers/Pitfalls.test.ts"
]
const log = ["test/domain/ScheduleLog.test.ts", "test/layers/Failures.test.ts"]
const time = ["test/domain/ScheduleRequest.test.ts", "test/domain/Due.test.ts", "test/domain/Recurrence.test.ts"]
const agent = ["test/host/Agent.test.ts", "test/host/SessionsSql.test.ts"]
const store = ["test/contract/EventLog.test.ts", "test/layers/SessionLogSql.test.ts", "test/layers/GroupCommit.test.ts"]

const domain: ReadonlyArray<Mutant> = [
  {
    fault: "a reminder is due only after its target",
    file: "domain/TargetHeap.ts",
    find: "node.at > last",
    replace: "node.at >= last",
    tests: ["test/domain/Due.test.ts"]
  },
  {
    fault: "the latest target is taken for the earliest",
    file: "domain/TargetHeap.ts",
    find: "b.at < a.at",
    replace: "b.at > a.at",
    tests: ["test/domain/Due.test.ts"]
  },
  {
    fault: "a reminder is due at a target that it left",
    file: "domain/ScheduleLog.ts",
    find: ".filter((target) => isCurrent(log.active, target))",
    replace: "",
    tests: ["test/domain/TargetHeap.test.ts", "test/domain/ScheduleLog.test.ts"]
  },
  {
    fault: "targets of the past are kept for ever",
    file: "domain/ScheduleLog.ts",
    find: "targets.size <= SLACK",
    replace: "targets.size < 1e9 + SLACK",
    tests: ["test/domain/TargetHeap.test.ts"]
  },
  {
    fault: "recurring reminders go before one-shots",
    file: "domain/Due.ts",
    find: "if (oneShot !== undefined) return",
    replace: "if (oneShot !== undefined && due.every(isOneShot)) return",
    tests: ["test/domain/Due.test.ts"]
  },
  {
    fault: "due reminders keep the order of their creation, not of their targets",
    file: "domain/Due.ts",
    find: "records.toSorted((a, b) => a.scheduledAt - b.scheduledAt)",
    replace: "records",
    tests: ["test/domain/Due.test.ts"]
  },
  {
    fault: "a calendar dispatch does not commit the next target",
    file: "domain/Due.ts",
    find: '...(record.kind === "every" ? {} : { nextScheduledAt })',
    replace: "...{}",
    tests: ["test/domain/Due.test.ts"]
  },
  {
    fault: "the fold adopts the reminders of a fork's parent",
    file: "domain/ScheduleDraft.ts",
    find: "if (seq < draft.base.seedLength) return Result.succeed(inherit(draft, data))",
    replace: "",
    tests: log
  },
  {
    fault: "a fork gives the ids of its parent again",
    file: "domain/ScheduleDraft.ts",
    find: "return Result.succeed(inherit(draft, data))",
    replace: "return Result.succeed(numberOf(data) < 0 ? inherit(draft, data) : undefined)",
    tests: log
  },
  {
    fault: "an id may be used again once its reminder has ended",
    file: "domain/ScheduleDraft.ts",
    find: "HashMap.has(draft.base.ids, id)",
    replace: "HashMap.has(draft.base.active, id)",
    tests: ["test/domain/ScheduleLog.test.ts"]
  },
  {
    fault: "a decision before the target is believed",
    file: "domain/ScheduleDraft.ts",
    find: "if (acceptedAt < record.scheduledAt)",
    replace: "if (acceptedAt < 0)",
    tests: log
  },
  {
    fault: "the next target may be the decision's instant",
    file: "domain/ScheduleDraft.ts",
    find: "next <= acceptedAt",
    replace: "next < acceptedAt",
    tests: log
  },
  {
    fault: "an interval drifts: the next target counts from the decision",
    file: "domain/FixedRate.ts",
    find: "(now - ((now - target) % (seconds * 1_000)))",
    replace: "(now - 0 * (target + seconds))",
    tests: ["test/domain/FixedRate.test.ts"]
  },
  {
    fault: "a dispatch is stored without its fields",
    file: "domain/ScheduleChange.ts",
    find: "Schema.encodeSync(ScheduleChange, strict)",
    replace: "Schema.encodeSync(ScheduleChange)",
    tests: ["test/domain/ScheduleChange.test.ts"]
  },
  {
    fault: "unknown fields of a change are passed over",
    file: "domain/StrictDecoder.ts",
    find: 'const strict = { onExcessProperty: "error" } as const',
    replace: 'const strict = { onExcessProperty: "ignore" } as const',
    tests: ["test/domain/ScheduleChange.test.ts", "test/domain/ScheduleLog.test.ts"]
  },
  {
    fault: "unknown fields of a change are passed over, where the decoder is quick",
    file: "domain/StrictDecoder.ts",
    find: "hasKeys(given, fields.length) ? decoded : undefined",
    replace: "hasKeys(given, -1) ? undefined : decoded",
    tests: ["test/domain/StrictDecoder.test.ts", "test/domain/ScheduleLog.test.ts"]
  },
  {
    fault: "the old state of a log changes with the new one",
    file: "domain/ScheduleDraft.ts",
    find: "const reminder = { ...entry.value }",
    replace: "const reminder: Touched = entry.value",
    tests: ["test/domain/ScheduleLog.test.ts"]
  },
  {
    fault: "a one-shot may be set for this very instant",
    file: "domain/ScheduleRequest.ts",
    find: "when.instant > now",
    replace: "when.instant >= now",
    tests: ["test/domain/ScheduleRequest.test.ts"]
  },
  {
    fault: "a line separator in a prompt ends the line of the frame",
    file: "domain/FollowUp.ts",
    find: "/[\\u007f-\\u009f\\u2028\\u2029]/gu",
    replace: "/[\\u007f]/gu",
    tests: ["test/domain/FollowUp.test.ts"]
  },
  {
    fault: "a time that is shown twice means the second",
    file: "domain/WallTime.ts",
    find: "if (shows(period, local)) return local - period.offset\n  return Number.NaN",
    replace:
      "if (shows(period, local) && !ZoneRules.periodsAround(rules, local).some((p) => p.start > period.start && shows(p, local))) return local - period.offset\n  return Number.NaN",
    tests: [...time, "test/domain/WallTime.test.ts"]
  },
  {
    fault: "an occurrence is computed from what the clocks show, not from what they have shown",
    file: "domain/WallTime.ts",
    find: "latest = Math.max(latest, Math.min(end - 1, instant) + offset)",
    replace: "latest = Math.min(end - 1, instant) + offset",
    tests: [...time, "test/domain/WallTime.test.ts"]
  },
  {
    fault: "a prompt is measured in characters",
    file: "domain/Prompt.ts",
    find: "new TextEncoder().encode(text).length",
    replace: "text.length",
    tests: ["test/domain/Prompt.test.ts"]
  }
]

const core: ReadonlyArray<Mutant> = [
  {
    fault: "no barrier before the decision",
    file: "layers/TransactionsSerial.ts",
    find: 'yield* flush(self, "before")',
    replace: "",
    tests: delivery
  },
  {
    fault: "no barrier after the append",
    file: "layers/TransactionsSerial.ts",
    find: 'yield* flush(self, "after")',
    replace: "",
    tests: delivery
  },
  {
    fault: "what a failed barrier left pending is lost with a close",
    file: "layers/TransactionsSerial.ts",
    find: "self.unconfirmed ? Effect.ignore(",
    replace: "false ? Effect.ignore(",
    tests: delivery
  },
  {
    fault: "transactions run at the same time",
    file: "layers/TransactionsSerial.ts",
    find: "({ turn }) => turn.withPermit(effect)",
    replace: "() => effect",
    tests: delivery
  },
  {
    fault: "a call can be cancelled between its append and its barrier",
    file: "layers/TransactionsSerial.ts",
    find: "yield* Effect.uninterruptible(decided)",
    replace: "yield* decided",
    tests: delivery
  },
  {
    fault: "what is new in the log is not read",
    file: "layers/FoldedLog.ts",
    find: "self.folded = { log, end: slice.end }",
    replace: "self.folded ??= { log, end: slice.end }",
    tests: delivery
  },
  {
    fault: "the owner does not look at what may have been appended",
    file: "layers/TransactionsSerial.ts",
    find: "FoldedLog.outdate(self.folded)",
    replace: "",
    tests: [...delivery, "test/contract/Transactions.test.ts"]
  },
  {
    fault: "the owner's look passes no barrier though something waits for one",
    file: "layers/TransactionsSerial.ts",
    find: "Effect.suspend(() => (self.unconfirmed ? ",
    replace: "Effect.suspend(() => (false ? ",
    tests: [...delivery, "test/contract/Transactions.test.ts"]
  },
  {
    fault: "the owner does not hear of calls",
    file: "layers/RemindersDurable.ts",
    find: "Effect.ensuring(scheduler.wake)",
    replace: "Effect.ensuring(Effect.void)",
    tests: delivery
  },
  {
    fault: "the owner hears of changes only if they were confirmed",
    file: "layers/RemindersDurable.ts",
    find: "Effect.ensuring(scheduler.wake)",
    replace: "Effect.tap(scheduler.wake)",
    tests: delivery
  },
  {
    fault: "the owner waits for the idle Agent while it holds the queue",
    file: "layers/Delivery.ts",
    find: "self.agent.awaitIdle.pipe(",
    replace: "self.transactions.run(() => Effect.as(self.agent.awaitIdle, { changes: [], value: undefined })).pipe(",
    tests: delivery
  },
  {
    fault: "the Agent is not held while a reminder is queued",
    file: "layers/Delivery.ts",
    find: "Effect.andThen(self.agent.maintain(send(self))),",
    replace: "Effect.andThen(send(self)),",
    tests: [...delivery, "test/host/SessionsSql.test.ts"]
  },
  {
    fault: "the dispatch is appended before the message is queued",
    file: "layers/Delivery.ts",
    find: "return Effect.map(queue(agent, due), () => {",
    replace: "return Effect.map(Effect.forkDetach(Effect.ignore(queue(agent, due))), () => {",
    tests: delivery
  },
  {
    fault: "the decision that was made before the Agent was held is carried out",
    file: "layers/Delivery.ts",
    find: "let sent: Due.Send | undefined\n    const transaction = transactions.run((log, now) => {\n      const due = Due.decide(log, now)",
    replace:
      "let sent: Due.Send | undefined\n    const transaction = transactions.run((log, now) => {\n      const due = (Object(agent).stale ??= Due.decide(log, now))",
    tests: delivery
  },
  {
    fault: "a failed append of a dispatch is tried again",
    file: "layers/SchedulerDrive.ts",
    find: 'error._tag === "Unconfirmed" && error.stage === "append"',
    replace: "false",
    tests: delivery
  },
  {
    fault: "a failed barrier stops the owner",
    file: "layers/SchedulerDrive.ts",
    find: 'error.stage === "append"',
    replace: 'error.stage !== "before"',
    tests: delivery
  },
  {
    fault: "a change during a drive is forgotten",
    file: "layers/SchedulerDrive.ts",
    find: '(!self.woken || self.status === "faulted")',
    replace: "true",
    tests: delivery
  },
  {
    fault: "the alarm is not set",
    file: "layers/SchedulerDrive.ts",
    find: "Effect.as(setAlarm(self, wait.until), true)",
    replace: "Effect.succeed(true)",
    tests: delivery
  },
  {
    fault: "a wake does not end the wait after a failure",
    file: "layers/SchedulerDrive.ts",
    find: "self.backOff?.rouse()",
    replace: "",
    tests: delivery
  },
  {
    fault: "the wait after a failure grows without end",
    file: "layers/BackOff.ts",
    find: "Math.min(firstMillis * 2 ** failures++, longestMillis)",
    replace: "firstMillis * 2 ** failures++ + 0 * longestMillis",
    tests: delivery
  },
  {
    fault: "an alarm rings before its instant",
    file: "layers/AlarmClock.ts",
    find: "entry.at <= now;",
    replace: "entry.at <= now + 1;",
    tests: ["test/layers/AlarmClock.test.ts"]
  },
  {
    fault: "the wall clock is not looked at again while an alarm is far",
    file: "layers/AlarmClock.ts",
    find: "Math.min(millis, longestWait)",
    replace: "millis",
    tests: ["test/layers/AlarmClock.test.ts", ...delivery]
  },
  {
    fault: "an alarm that is set earlier wakes nobody",
    file: "layers/AlarmClock.ts",
    find: "return entries.peek() === entry ? ",
    replace: "return entries.peek() !== entry ? ",
    tests: ["test/layers/AlarmClock.test.ts"]
  },
  {
    fault: "an item removed from the middle of the queue leaves it in disorder",
    file: "layers/InstantQueue.ts",
    find: "put(last, risen === index ? sink(last, index) : risen)",
    replace: "put(last, risen)",
    tests: ["test/layers/InstantQueue.test.ts"]
  }
]

const host: ReadonlyArray<Mutant> = [
  {
    fault: "a turn starts on a message that is not durable",
    file: "host/Agent.ts",
    find: "yield* log.flush.pipe(",
    replace: "yield* (Effect.void as typeof log.flush).pipe(",
    tests: agent
  },
  {
    fault: "a turn runs before it is durable that it began",
    file: "host/Agent.ts",
    find: "messages: [first, ...rest] } }])\n  yield* durable",
    replace: "messages: [first, ...rest] } }])",
    tests: agent
  },
  {
    fault: "a prompt does not wait while the Agent is held",
    file: "host/Agent.ts",
    find: 'yield* Phase.until(phase, () => phase.current !== "held")',
    replace: "",
    tests: agent
  },
  {
    fault: "a held Agent can be held again",
    file: "host/Agent.ts",
    find: 'Phase.enter(phase, "held")',
    replace: 'Phase.enter(phase, "idle")',
    tests: agent
  },
  {
    fault: "a message that never got its dispatch is answered",
    file: "host/Inbox.ts",
    find: "if (staged !== undefined && !dropped)",
    replace: "if (staged !== undefined)",
    tests: agent
  },
  {
    fault: "a prompt shares the turn of a reminder",
    file: "host/Conversation.ts",
    find: "followUp === 0 ? queued.slice(0, 1)",
    replace: "followUp === 0 ? queued",
    tests: agent
  },
  {
    fault: "reminders that crash their turn are tried for ever",
    file: "host/Conversation.ts",
    find: "message.attempt < MAX_ATTEMPTS",
    replace: "message.attempt > 0",
    tests: agent
  },
  {
    fault: "reminders that were seen are sent again after a crash",
    file: "host/Conversation.ts",
    find: "outputs === 0 ?",
    replace: "outputs >= 0 ?",
    tests: agent
  },
  {
    fault: "a fork answers what waits in its parent",
    file: "host/Conversation.ts",
    find: "({ ...state, queued: [], open: null })",
    replace: "({ ...state })",
    tests: agent
  }
]

const logs: ReadonlyArray<Mutant> = [
  {
    fault: "a stale owner's events are stored",
    file: "layers/EventWriterSqlite.ts",
    find: "AND epoch = column2",
    replace: "AND column2 = column2",
    tests: [...store, "test/host/SessionsSql.test.ts"]
  },
  {
    fault: "a stale owner's events are stored in PostgreSQL",
    file: "layers/EventWriterPg.ts",
    find: "ON key = session AND epoch = claimed\n    ORDER BY key FOR SHARE",
    replace: "ON key = session\n    ORDER BY key FOR SHARE",
    tests: ["test/contract/EventLog.test.ts", "test/layers/EventWriterPg.test.ts"]
  },
  {
    fault: "a Session of PostgreSQL can be opened in the midst of its owner's commit",
    file: "layers/EventWriterPg.ts",
    find: "ORDER BY key FOR SHARE OF sessions",
    replace: "ORDER BY key",
    tests: ["test/layers/EventWriterPg.test.ts"]
  },
  {
    fault: "opening a Session of PostgreSQL fences nobody",
    file: "layers/SessionTable.ts",
    find: "epoch = epoch + 1\n",
    replace: "epoch = epoch\n",
    tests: ["test/contract/EventLog.test.ts"]
  },
  {
    fault: "turns of reminders run all at once",
    file: "host/ReminderTurns.ts",
    find: "Queue.take(room)",
    replace: "Effect.void",
    tests: ["test/host/ReminderTurns.test.ts"]
  },
  {
    fault: "a statement that waits for another process keeps the connection from everybody",
    file: "layers/SqliteDriver.ts",
    find: "borrower: (use) => patient(lock, acquirers.borrower(use))",
    replace: "borrower: (use) => acquirers.borrower((one) => patient(lock, use(one)))",
    tests: ["test/layers/SqliteStore.test.ts"]
  },
  {
    fault: "a transaction fails at once where another process writes",
    file: "layers/SqliteDriver.ts",
    find: "return patient(lock, withTransaction(Effect.andThen(begin, self)), () => !began)",
    replace: "return withTransaction(Effect.andThen(begin, self))",
    tests: ["test/layers/SqliteStore.test.ts"]
  },
  {
    fault: "opening a Session fences nobody",
    file: "layers/SessionTable.ts",
    find: "epoch = epoch + 1 WHERE",
    replace: "epoch = epoch WHERE",
    tests: [...store, "test/layers/SessionStore.test.ts", "test/host/SessionsSql.test.ts"]
  },
  {
    fault: "an owner that has nothing to store is not asked whether it is the newest",
    file: "layers/SessionLog.ts",
    find: "Effect.suspend(() => flush(state, state.begun + 1))",
    replace: "Effect.suspend(() => (state.pending.length === 0 ? Effect.void : flush(state, state.begun + 1)))",
    tests: store
  },
  {
    fault: "what failed to be committed is forgotten",
    file: "layers/SessionLog.ts",
    find: "if (failure === null) advance(state, rows)",
    replace: "advance(state, rows)",
    tests: store
  }
]

export const mutants: ReadonlyArray<Mutant> = [...domain, ...core, ...host, ...logs]
