import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import * as JsonLinesLog from "../../examples/json-lines-log.ts"
import * as OwnHost from "../../examples/own-host.ts"
import { Instant } from "../../src/index.ts"
import { VirtualTime } from "../../src/testing/index.ts"
import { contract } from "../contract/AgentQueue.contract.ts"

const file = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "session-schedule-own-host-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
).pipe(Effect.map((folder) => join(folder, "log.jsonl")))

const change = (data: unknown) => ({ at: Instant.clamp(0), type: "schedule/change", data })

contract(
  "the example's",
  Effect.gen(function* () {
    const log = JsonLinesLog.open(yield* file)
    const agent = yield* OwnHost.makeAgent(log)
    const heard: Array<string> = []
    let turn = yield* Deferred.make<string>()
    yield* Effect.forkScoped(
      agent.run({
        answer: (text) =>
          Effect.gen(function* () {
            if (text !== "hello") heard.push(text)
            turn = yield* Deferred.make<string>()
            return yield* Deferred.await(turn)
          }),
        tell: () => Effect.void
      })
    )
    yield* VirtualTime.settle
    return {
      queue: agent.queue,
      say: Effect.asVoid(Effect.forkChild(agent.say("hello"))),
      endTurn: Effect.suspend(() => Effect.asVoid(Deferred.succeed(turn, "done"))),
      commit: Effect.orDie(Effect.andThen(log.eventLog.append([change({})]), log.barrier.flush)),
      heard: Effect.sync(() => heard)
    }
  })
)

describe("The log of the example", () => {
  const data = (log: ReturnType<typeof JsonLinesLog.open>) => log.events.map(({ data }) => data)

  it.effect("shows an event at once, in its place, and keeps it over a restart once it was flushed", () =>
    Effect.gen(function* () {
      const path = yield* file
      const log = JsonLinesLog.open(path)
      yield* log.eventLog.append([change("a"), change("b")])
      assert.deepStrictEqual(yield* log.eventLog.read(1), { events: [{ seq: 1, ...change("b") }], end: 2 })
      yield* log.barrier.flush
      yield* log.eventLog.append([change("lost")])
      assert.deepStrictEqual(data(JsonLinesLog.open(path)), ["a", "b"])
    })
  )

  it.effect("appends all events or none, as they are at that moment", () =>
    Effect.gen(function* () {
      const log = JsonLinesLog.open(yield* file)
      const list = [1]
      yield* log.eventLog.append([change(list)])
      list.push(2)
      for (const bad of [1n, undefined]) {
        const { operation } = yield* Effect.flip(log.eventLog.append([change("good"), change(bad)]))
        assert.strictEqual(operation, "append")
      }
      assert.deepStrictEqual(data(log), [[1]])
    })
  )

  it.effect("stores a held-back event with the next change, or not at all", () =>
    Effect.gen(function* () {
      const path = yield* file
      const log = JsonLinesLog.open(path)
      yield* log.stage(change("message"))
      yield* log.barrier.flush
      assert.deepStrictEqual(data(log), [])
      yield* log.eventLog.append([change("dispatch")])
      yield* log.eventLog.append([change("next")])
      yield* log.barrier.flush
      assert.deepStrictEqual(data(JsonLinesLog.open(path)), ["message", "dispatch", "next"])
      assert.strictEqual(readFileSync(path, "utf8").trim().split("\n").length, 1)
    })
  )

  it.effect("leaves out a line that was cut short, wherever, and writes over it", () =>
    Effect.gen(function* () {
      const path = yield* file
      const first = JsonLinesLog.open(path)
      yield* first.eventLog.append([change("kept")])
      yield* first.barrier.flush
      const whole = readFileSync(path, "utf8")
      for (let cut = 0; cut < whole.length; cut++) {
        truncateSync(path, whole.length)
        appendFileSync(path, whole.slice(0, cut))
        const log = JsonLinesLog.open(path)
        assert.deepStrictEqual(data(log), ["kept"])
        yield* log.eventLog.append([change(cut)])
        yield* log.barrier.flush
        assert.deepStrictEqual(data(JsonLinesLog.open(path)), ["kept", cut])
      }
    })
  )
})

/** The example as a process, what it has printed, and how to wait for more. */
const start = (path: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const example = fileURLToPath(new URL("../../examples/own-host.ts", import.meta.url))
      const child = spawn(process.execPath, [example, path], { stdio: ["pipe", "pipe", "inherit"] })
      return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() }
    }),
    ({ child }) => kill(child)
  )

const kill = (child: ChildProcess) =>
  Effect.promise(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill("SIGKILL")
    await once(child, "exit")
  })

type Started = Effect.Success<ReturnType<typeof start>>

const nextLine = ({ lines }: Started) =>
  Effect.promise(async () => {
    const { done, value } = await lines.next()
    if (done === true) throw new Error("the example ended")
    return value
  })

it.live("a host of one's own is killed with a reminder on its way, and brings it after the restart, once", () =>
  Effect.gen(function* () {
    const path = yield* file
    const first = yield* start(path)
    first.child.stdin.write("in 2 seconds stretch\n")
    assert.strictEqual(yield* nextLine(first), "schedule-1 is set")
    yield* kill(first.child)

    const second = yield* start(path)
    assert.strictEqual(yield* nextLine(second), "schedule-1: stretch")
    assert.strictEqual(yield* nextLine(second), "You said: [SCHEDULE REMINDER]")
    yield* kill(second.child)

    const third = yield* start(path)
    third.child.stdin.write("hello\n")
    let line = yield* nextLine(third)
    while (line !== "You said: hello") line = yield* nextLine(third)
    const log = JsonLinesLog.open(path).events
    const reminders = log.filter(({ type, data }) => type === "message" && String(data).includes('"stretch"'))
    assert.strictEqual(reminders.length, 1)
    assert.strictEqual(log.filter(({ type }) => type === "schedule/change").length, 2)
    const commits = readFileSync(path, "utf8").split("\n")
    assert.include(
      commits.find((line) => line.includes("[SCHEDULE REMINDER]")),
      '"operation":"dispatch"'
    )
  }).pipe(Effect.scoped)
)
