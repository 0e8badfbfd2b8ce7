/**
 * Reminders in an agent host of your own: `SessionReminders` over a log in a file and a tiny Agent that answers one
 * message after the other. Run it with `node examples/own-host.ts FILE`, say "in 5 seconds stretch", kill it, and run it
 * again: the reminder comes, once.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import { Clock, Console, Context, Effect, Layer, Schedule, Stdio, Stream, TxRef } from "effect"
import {
  AgentQueue,
  AlarmClock,
  EventLog,
  Instant,
  PersistenceBarrier,
  Reminders,
  type Session,
  SessionReminders
} from "../src/index.ts"
import * as JsonLinesLog from "./json-lines-log.ts"

type Log = ReturnType<typeof JsonLinesLog.open>

const event = (type: "message" | "answer", data: string) =>
  Effect.map(Clock.currentTimeMillis, (millis): Session.NewEvent => ({ at: Instant.clamp(millis), type, data }))

/** The messages that nobody has answered, whenever they were said. */
const unanswered = ({ events }: Log): ReadonlyArray<string> => {
  const answers = events.filter(({ type }) => type === "answer").length
  return events
    .filter(({ type }) => type === "message")
    .slice(answers)
    .map(({ data }) => String(data))
}

interface Turns {
  answer(text: string): Effect.Effect<string>
  tell(answer: string): Effect.Effect<void>
}

/** An Agent over its log: what it is told, what it does about it, and what reminders need of it. */
export const makeAgent = Effect.fnUntraced(function* (log: Log) {
  type Doing = "nothing" | "turn" | "maintenance"
  const state = yield* TxRef.make<{ doing: Doing; waiting: number }>({
    doing: "nothing",
    waiting: unanswered(log).length
  })
  const enter = (doing: Doing) => Effect.suspend(() => TxRef.set(state, { doing, waiting: unanswered(log).length }))
  const is = (test: (doing: Doing, waiting: number) => boolean) =>
    Effect.map(TxRef.get(state), ({ doing, waiting }) => test(doing, waiting))
  const until = (condition: Effect.Effect<boolean>) =>
    Effect.flatMap(condition, (holds) => (holds ? Effect.void : Effect.txRetry))

  // Idle is more than "no turn runs": a message that waits will open one, and a reminder must not come between.
  const isIdle = is((doing, waiting) => doing === "nothing" && waiting === 0)
  const claim = Effect.flatMap(isIdle, (idle) =>
    idle ? enter("maintenance") : Effect.fail(new AgentQueue.AgentBusy())
  )
  const begin = Effect.andThen(until(is((doing, waiting) => doing === "nothing" && waiting > 0)), enter("turn"))

  const queue = AgentQueue.AgentQueue.of({
    awaitIdle: Effect.tx(until(isIdle)),
    maintain: (effect) =>
      Effect.acquireUseRelease(
        Effect.tx(claim),
        () => effect,
        () => Effect.andThen(log.stage(), enter("nothing"))
      ),
    followUp: ({ text }) => Effect.flatMap(event("message", text), log.stage)
  })

  // No turn for a message that a crash could still undo, and nothing told of it before its answer is durable. A turn that
  // a crash cut short is done again, and what it has done by then may be done twice; a real Agent keeps its calls, too.
  const durable = Effect.retry(log.barrier.flush, Schedule.spaced("1 second"))
  const turn = Effect.fnUntraced(function* ({ answer, tell }: Turns) {
    yield* durable
    const [text = ""] = unanswered(log)
    const said = yield* answer(text)
    yield* log.append([yield* event("answer", said)])
    yield* durable
    yield* tell(said)
    yield* enter("nothing")
  })

  return {
    queue,
    /** What a person says; accepted once it is durable. */
    say: Effect.fnUntraced(function* (text: string) {
      yield* Effect.tx(until(is((doing) => doing !== "maintenance")))
      yield* log.append([yield* event("message", text)])
      yield* TxRef.update(state, ({ doing }) => ({ doing, waiting: unanswered(log).length }))
      yield* log.barrier.flush
    }),
    /** Answers what there is, and what comes, for ever. */
    run: (turns: Turns) => Effect.forever(Effect.andThen(Effect.tx(begin), turn(turns)))
  }
})

/** Stands for a model, which would call `ScheduleTools`. */
const answerWith = (reminders: Reminders.Reminders["Service"]) => (text: string) => {
  const { seconds, prompt } = /^in (?<seconds>\d+) seconds (?<prompt>.+)$/u.exec(text)?.groups ?? {}
  return prompt === undefined
    ? Effect.succeed(`You said: ${text}`)
    : Effect.match(reminders.create({ prompt, after_seconds: Number(seconds) }), {
        onSuccess: ({ id }) => `${id} is set`,
        onFailure: ({ message }) => message
      })
}

const program = Effect.gen(function* () {
  const log = JsonLinesLog.open(process.argv[2] ?? "own-host.jsonl")
  const agent = yield* makeAgent(log)
  const session = SessionReminders.layer.pipe(
    Layer.provide([
      Layer.succeed(EventLog.EventLog, log.eventLog),
      Layer.succeed(PersistenceBarrier.PersistenceBarrier, log.barrier),
      Layer.succeed(AgentQueue.AgentQueue, agent.queue),
      AlarmClock.layer
    ])
  )
  const reminders = Context.get(yield* Layer.build(session), Reminders.Reminders)
  for (const { id, prompt } of yield* reminders.list) yield* Console.log(`${id}: ${prompt}`)
  const { stdin } = yield* Stdio.Stdio
  const lines = stdin.pipe(Stream.decodeText(), Stream.splitLines)
  const listen = Stream.runForEach(lines, (text) => Effect.catch(agent.say(text), Effect.logError))
  yield* Effect.forkScoped(listen)
  return yield* agent.run({ answer: answerWith(reminders), tell: Console.log })
})

if (import.meta.main) NodeRuntime.runMain(program.pipe(Effect.scoped, Effect.provide(NodeStdio.layer)))
