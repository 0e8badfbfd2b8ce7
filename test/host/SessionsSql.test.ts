import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Stream } from "effect"
import { LanguageModel } from "effect/ai"
import type { SessionEvent } from "../../src/domain/Session.ts"
import { advance, setClock, settle } from "../../src/testing/VirtualTime.ts"
import * as Hosts from "./Hosts.ts"
import * as ScriptedModel from "./ScriptedModel.ts"

const now = "2026-12-01T00:00:00.000Z"

/** A host on a fresh file, at noon of nothing in particular. */
const fresh = Effect.gen(function* () {
  yield* setClock(now)
  const file = yield* Hosts.temporaryFile
  return { file, host: yield* Hosts.open(file) }
})

const told = (events: ReadonlyArray<SessionEvent>): ReadonlyArray<string> =>
  events.flatMap(({ type, data }) => {
    const { message } = data as {
      readonly message?: {
        readonly kind?: string
        readonly role?: string
        readonly content?: unknown
        readonly text?: string
      }
    }
    if (type === "inbox/queued") return [message?.kind === "prompt" ? `you: ${message.text ?? ""}` : "reminder"]
    return type === "turn/output" && typeof message?.content === "string" ? [`agent: ${message.content}`] : []
  })

const transcript = (host: Hosts.Host, id: string) =>
  Effect.map(host.sessions.transcript(id, 0, 1_000), ({ events }) => events)

describe("The host", () => {
  it.effect("brings a reminder back in a turn of its own, in the same conversation", () =>
    Effect.gen(function* () {
      const { host } = yield* fresh
      yield* host.sessions.create("s")
      yield* host.sessions.prompt("s", { text: "remind me in 3 seconds to stretch", timeZone: "Asia/Shanghai" })
      yield* advance("10 seconds")
      assert.deepStrictEqual(told(yield* transcript(host, "s")), [
        "you: remind me in 3 seconds to stretch",
        "agent: I'll remind you in 3 seconds, on Tue 1 Dec 2026 at 08:00:03 (Asia/Shanghai), to stretch. [schedule-1]",
        "reminder",
        "agent: Reminder: stretch"
      ])
    })
  )

  it.effect("puts a reminder's message and its dispatch into one commit, message first", () =>
    Effect.gen(function* () {
      const { host } = yield* fresh
      yield* host.sessions.create("s")
      yield* (yield* host.sessions.reminders("s")).create({ prompt: "stretch", after_seconds: 60 })
      yield* advance("2 minutes")
      const types = (yield* transcript(host, "s")).map(({ type }) => type)
      assert.deepStrictEqual(types, [
        "schedule/change",
        "inbox/queued",
        "schedule/change",
        "turn/started",
        "turn/output",
        "turn/ended"
      ])
    })
  )

  it.effect("reads tomorrow at nine in the zone of who says it", () =>
    Effect.gen(function* () {
      const { host } = yield* fresh
      yield* host.sessions.create("s")
      yield* host.sessions.prompt("s", { text: "remind me tomorrow at 9 to call Ann", timeZone: "Asia/Shanghai" })
      yield* settle
      const [view] = yield* (yield* host.sessions.reminders("s")).list
      assert.strictEqual(view?.scheduledAt, Date.parse("2026-12-02T01:00:00.000Z"))
      assert.strictEqual(view?.prompt as string, "call Ann")
    })
  )

  it.effect("asks for the zone if nobody gave one", () =>
    Effect.gen(function* () {
      const { host } = yield* fresh
      yield* host.sessions.create("s")
      yield* host.sessions.prompt("s", { text: "remind me tomorrow at 9 to call Ann" })
      yield* settle
      assert.deepStrictEqual(yield* (yield* host.sessions.reminders("s")).list, [])
      assert.match(told(yield* transcript(host, "s")).at(-1) ?? "", /^agent: .*time zone/iu)
    })
  )

  it.effect("asks which zone is meant if there are two in one open turn", () =>
    Effect.gen(function* () {
      const { host } = yield* fresh
      yield* host.sessions.create("s")
      yield* Effect.all(
        [
          host.sessions.prompt("s", { text: "hello", timeZone: "America/New_York" }),
          host.sessions.prompt("s", { text: "remind me tomorrow at 9 to call Ann", timeZone: "Asia/Shanghai" })
        ],
        { concurrency: "unbounded" }
      )
      yield* settle
      const started = (yield* transcript(host, "s")).filter(({ type }) => type === "turn/started")
      assert.deepStrictEqual(
        started.map(({ data }) => (data as { readonly messages: unknown }).messages),
        [[1, 2]]
      )
      assert.deepStrictEqual(yield* (yield* host.sessions.reminders("s")).list, [])
      assert.match(told(yield* transcript(host, "s")).at(-1) ?? "", /zone/iu)
    })
  )

  it.effect("delivers what is overdue once a Session is opened again, once", () =>
    Effect.gen(function* () {
      const { file, host } = yield* fresh
      yield* host.sessions.create("s")
      yield* (yield* host.sessions.reminders("s")).create({ prompt: "stretch", after_seconds: 60 })
      yield* host.close
      yield* advance("1 day")
      const again = yield* Hosts.open(file)
      yield* settle
      assert.deepStrictEqual(told(yield* transcript(again, "s")), [])
      yield* again.sessions.open("s")
      yield* settle
      const [first, second, ...rest] = told(yield* transcript(again, "s"))
      assert.strictEqual(first, "reminder")
      assert.match(second ?? "", /^agent: Reminder: stretch/u)
      assert.deepStrictEqual(rest, [])
      yield* advance("1 day")
      assert.strictEqual((yield* transcript(again, "s")).filter(({ type }) => type === "turn/started").length, 1)
    })
  )

  it.effect("wakes nobody by listing Sessions or reading a transcript", () =>
    Effect.gen(function* () {
      const { file, host } = yield* fresh
      yield* host.sessions.create("s")
      yield* (yield* host.sessions.reminders("s")).create({ prompt: "a", after_seconds: 60 })
      yield* (yield* host.sessions.reminders("s")).create({ prompt: "b", after_seconds: 30 })
      yield* host.close
      yield* advance("1 day")
      const again = yield* Hosts.open(file)
      const [summary] = yield* again.sessions.list
      assert.strictEqual(summary?.state, "cold")
      assert.strictEqual(summary?.activeReminders, 2)
      assert.strictEqual(summary?.nextTarget, Date.parse("2026-12-01T00:00:30.000Z"))
      yield* transcript(again, "s")
      yield* settle
      assert.strictEqual((yield* again.sessions.list)[0]?.state, "cold")
    })
  )

  it.effect("lets nothing of one Session's corrupt log reach another", () =>
    Effect.gen(function* () {
      const { file, host } = yield* fresh
      yield* host.sessions.create("good")
      yield* host.sessions.create("bad")
      for (const id of ["good", "bad"]) {
        yield* (yield* host.sessions.reminders(id)).create({ prompt: "stretch", after_seconds: 60 })
      }
      yield* host.close
      yield* Hosts.damage(file, "bad")
      const again = yield* Hosts.open(file)
      yield* again.sessions.open("good")
      yield* again.sessions.open("bad")
      yield* advance("2 minutes")
      assert.deepStrictEqual(told(yield* transcript(again, "good")).at(0), "reminder")
      const failure = yield* Effect.flip((yield* again.sessions.reminders("bad")).list)
      assert.strictEqual(failure._tag, "CorruptScheduleLog")
      const summaries = yield* again.sessions.list
      assert.deepStrictEqual(
        summaries.map(({ activeReminders }) => activeReminders),
        [0, null]
      )
      assert.match(summaries[1]?.corrupt ?? "", /event 0 is corrupt/u)
      yield* again.sessions.prompt("bad", { text: "hello" })
      yield* settle
      assert.include(told(yield* transcript(again, "bad")), "you: hello")
    })
  )

  it.effect("forks a Session's history, and none of its reminders", () =>
    Effect.gen(function* () {
      const { host } = yield* fresh
      yield* host.sessions.create("parent")
      yield* host.sessions.prompt("parent", { text: "remind me in 1 hour to stretch" })
      yield* settle
      const { end } = yield* host.sessions.transcript("parent", 0)
      const header = yield* host.sessions.fork("parent", { id: "child" })
      assert.deepStrictEqual([header.parentId as string | undefined, header.seedLength], ["parent", end])
      assert.deepStrictEqual(told(yield* transcript(host, "child")), told(yield* transcript(host, "parent")))
      const reminders = yield* host.sessions.reminders("child")
      assert.deepStrictEqual(yield* reminders.list, [])
      assert.strictEqual((yield* reminders.create({ prompt: "p", after_seconds: 60 })).id as string, "schedule-2")
      yield* advance("2 hours")
      assert.strictEqual(told(yield* transcript(host, "parent")).filter((line) => line === "reminder").length, 1)
      assert.strictEqual(told(yield* transcript(host, "child")).filter((line) => line === "reminder").length, 1)
    })
  )

  it.effect("does not let a fork answer what waits in its parent", () =>
    Effect.gen(function* () {
      const { file } = yield* fresh
      const never = Layer.effect(
        LanguageModel.LanguageModel,
        LanguageModel.make({ generateText: () => Effect.never, streamText: () => Stream.never })
      )
      const host = yield* Hosts.open(file, never)
      yield* host.sessions.create("parent")
      yield* host.sessions.prompt("parent", { text: "first" })
      yield* settle
      yield* host.sessions.prompt("parent", { text: "second" })
      yield* host.sessions.fork("parent", { id: "child" })
      yield* host.sessions.open("child")
      yield* settle
      const started = (yield* transcript(host, "child")).filter(({ type }) => type === "turn/started")
      assert.strictEqual(started.length, 1)
      assert.strictEqual(yield* host.sessions.prompt("child", { text: "third" }), 3)
      // The model never ends, and so would not be waited for for ever.
      const closing = yield* Effect.forkChild(host.close)
      yield* advance("10 seconds")
      yield* Fiber.join(closing)
    })
  )

  it.effect("streams a transcript as it grows, from any place on", () =>
    Effect.gen(function* () {
      const { host } = yield* fresh
      yield* host.sessions.create("s")
      const following = yield* host.sessions.follow("s", 1).pipe(Stream.take(3), Stream.runCollect, Effect.forkChild)
      yield* settle
      yield* host.sessions.prompt("s", { text: "hello" })
      const events = yield* Fiber.join(following)
      assert.deepStrictEqual(
        events.map(({ seq, type }) => [seq, type]),
        [
          [1, "turn/started"],
          [2, "turn/output"],
          [3, "turn/ended"]
        ]
      )
    })
  )

  it.effect("closes a Session that was opened by another process, and delivers nothing twice", () =>
    Effect.gen(function* () {
      const { file, host } = yield* fresh
      yield* host.sessions.create("s")
      yield* (yield* host.sessions.reminders("s")).create({ prompt: "stretch", after_seconds: 60 })
      const other = yield* Hosts.open(file)
      yield* other.sessions.open("s")
      yield* advance("10 minutes")
      assert.deepStrictEqual(
        told(yield* transcript(other, "s")).filter((line) => line === "reminder"),
        ["reminder"]
      )
      assert.strictEqual((yield* host.sessions.list)[0]?.state, "cold")
      assert.strictEqual((yield* other.sessions.list)[0]?.state, "live")
    })
  )

  it.effect("refuses what it can't use, in words, and changes nothing", () =>
    Effect.gen(function* () {
      const { host } = yield* fresh
      yield* host.sessions.create("s")
      const refused = (effect: Effect.Effect<unknown, { readonly code: string }>) =>
        Effect.map(Effect.flip(effect), ({ code }) => code)
      assert.strictEqual(yield* refused(host.sessions.create("s")), "session_exists")
      assert.strictEqual(yield* refused(host.sessions.create("../s")), "invalid_session_id")
      assert.strictEqual(yield* refused(host.sessions.open("nobody")), "session_not_found")
      assert.strictEqual(yield* refused(host.sessions.close("nobody")), "session_not_found")
      assert.strictEqual(yield* refused(host.sessions.prompt("s", { text: " " })), "invalid_prompt")
      assert.strictEqual(
        yield* refused(host.sessions.prompt("s", { text: "hi", timeZone: "EST" })),
        "invalid_time_zone"
      )
      assert.strictEqual(yield* refused(host.sessions.prompt("s", { text: "hi", timeZone: 7 })), "invalid_time_zone")
      assert.strictEqual(yield* refused(host.sessions.fork("s", { length: 1 })), "invalid_fork")
      assert.strictEqual(yield* refused(host.sessions.fork("s", { length: -1 })), "invalid_fork")
      assert.deepStrictEqual(yield* transcript(host, "s"), [])
    })
  )

  it.effect("ends a turn whose model fails with an error that tells no secret, and goes on", () =>
    Effect.gen(function* () {
      const { file } = yield* fresh
      const failing = Layer.effect(
        LanguageModel.LanguageModel,
        LanguageModel.make({
          generateText: () => Effect.die(new Error("secret")),
          streamText: () => Stream.die("secret")
        })
      )
      const host = yield* Hosts.open(file, failing)
      yield* host.sessions.create("s")
      yield* host.sessions.prompt("s", { text: "hello" })
      yield* settle
      const ended = (yield* transcript(host, "s")).at(-1)
      assert.strictEqual(ended?.type, "turn/ended")
      assert.strictEqual(Object(ended?.data).outcome, "failed")
      assert.notInclude(JSON.stringify(ended), "secret")
      yield* host.sessions.prompt("s", { text: "again" })
      yield* settle
      assert.strictEqual((yield* transcript(host, "s")).filter(({ type }) => type === "turn/ended").length, 2)
    })
  )

  it.effect("ends a turn that says what no store can take, tells why, and goes on", () =>
    Effect.gen(function* () {
      const { file } = yield* fresh
      const endless: unknown = JSON.parse("[".repeat(10_000) + "]".repeat(10_000))
      const model = ScriptedModel.make(ScriptedModel.calls("schedule_create", endless), ScriptedModel.says("hello"))
      const host = yield* Hosts.open(file, model.layer)
      yield* host.sessions.create("s")
      for (const text of ["one", "two"]) {
        yield* host.sessions.prompt("s", { text })
        yield* settle
      }
      const ended = (yield* transcript(host, "s")).filter(({ type }) => type === "turn/ended")
      assert.deepStrictEqual<unknown>(
        ended.map(({ data }) => data),
        [
          { turn: 1, outcome: "failed", error: "The store did not take what was said in this turn." },
          { turn: 2, outcome: "completed" }
        ]
      )
    })
  )

  it.effect("tells the model all that its turn is to answer, however much happened since it was said", () =>
    Effect.gen(function* () {
      const { file } = yield* fresh
      const asked: Array<number> = []
      const counting = Layer.effect(
        LanguageModel.LanguageModel,
        LanguageModel.make({
          generateText: ({ prompt }) =>
            Effect.sync(() => {
              asked.push(prompt.content.filter(({ role }) => role === "user").length)
              return [{ type: "text", text: "ok" }]
            }),
          streamText: () => Stream.never
        })
      )
      const host = yield* Hosts.open(file, counting)
      yield* host.sessions.create("s")
      const reminders = yield* host.sessions.reminders("s")
      yield* Effect.forEach(
        Array.from({ length: 600 }, (_, n) => n),
        (n) => reminders.create({ prompt: `p${n}`, every_seconds: 300 }),
        { discard: true }
      )
      yield* advance("5 minutes")
      assert.deepStrictEqual(asked, [1])
    })
  )

  it.effect("gives no two calls the same id, in a conversation so long that the model does not see its beginning", () =>
    Effect.gen(function* () {
      const { host } = yield* fresh
      yield* host.sessions.create("s")
      const calls: Array<unknown> = []
      for (let from = 0; from < 700;) {
        yield* host.sessions.prompt("s", { text: "list my reminders" })
        const turn = yield* host.sessions.follow("s", from).pipe(
          Stream.takeUntil(({ type }) => type === "turn/ended"),
          Stream.runCollect
        )
        from += turn.length
        for (const { data } of turn) {
          const content: unknown = Object(Object(data).message).content
          if (Array.isArray(content))
            calls.push(...content.filter(({ type }) => type === "tool-call").map(({ id }) => id))
        }
      }
      assert.isAbove(calls.length, 100)
      assert.strictEqual(new Set(calls).size, calls.length)
    })
  )

  it.effect(
    "lets the calls that are under way finish before a Session is closed, and opens it anew for later ones",
    () =>
      Effect.gen(function* () {
        const { host } = yield* fresh
        yield* host.sessions.create("s")
        const reminders = yield* host.sessions.reminders("s")
        const creating = yield* Effect.forkChild(
          Effect.forEach(
            Array.from({ length: 50 }, (_, n) => n),
            (n) => Effect.exit(reminders.create({ prompt: `p${n}`, after_seconds: 60 })),
            { concurrency: "unbounded" }
          )
        )
        yield* Effect.yieldNow
        yield* host.sessions.close("s")
        yield* host.sessions.open("s")
        const acknowledged = (yield* Fiber.join(creating)).filter(Exit.isSuccess).length
        assert.strictEqual((yield* (yield* host.sessions.reminders("s")).list).length, 50)
        assert.strictEqual(acknowledged, 50)
        yield* settle
        assert.strictEqual((yield* host.sessions.list)[0]?.state, "live")
      })
  )

  it.effect("does not let a fork that was taken in the middle of a turn do its work again", () =>
    Effect.gen(function* () {
      const { host } = yield* fresh
      yield* host.sessions.create("parent")
      yield* host.sessions.prompt("parent", { text: "remind me in 1 hour to stretch" })
      yield* settle
      const events = yield* transcript(host, "parent")
      for (const length of [2, 3, 4]) {
        assert.include(["turn/started", "turn/output", "schedule/change"], events[length - 1]?.type)
        yield* host.sessions.fork("parent", { id: `child-${length}`, length })
        yield* host.sessions.prompt(`child-${length}`, { text: "thanks" })
        yield* settle
        assert.deepStrictEqual(yield* (yield* host.sessions.reminders(`child-${length}`)).list, [])
      }
    })
  )

  it.effect("fails the turn of a model that interrupts itself, and goes on", () =>
    Effect.gen(function* () {
      const { file } = yield* fresh
      const giving = Layer.effect(
        LanguageModel.LanguageModel,
        LanguageModel.make({ generateText: () => Effect.interrupt, streamText: () => Stream.never })
      )
      const host = yield* Hosts.open(file, giving)
      yield* host.sessions.create("s")
      for (const text of ["one", "two"]) {
        yield* host.sessions.prompt("s", { text })
        yield* settle
      }
      const ended = (yield* transcript(host, "s")).filter(({ type }) => type === "turn/ended")
      assert.deepStrictEqual(
        ended.map(({ data }) => Object(data).outcome),
        ["failed", "failed"]
      )
    })
  )

  it.effect("does not begin a turn anew that had done something before a crash", () =>
    Effect.gen(function* () {
      const { file } = yield* fresh
      const model = ScriptedModel.make(
        ScriptedModel.calls("schedule_create", { prompt: "second dose", after_seconds: 3_600 }),
        Effect.never
      )
      const host = yield* Hosts.open(file, model.layer)
      yield* host.sessions.create("s")
      yield* (yield* host.sessions.reminders("s")).create({ prompt: "first dose", after_seconds: 60 })
      yield* advance("2 minutes")
      const again = yield* Hosts.open(file)
      yield* again.sessions.open("s")
      yield* settle
      const listed = yield* (yield* again.sessions.reminders("s")).list
      assert.deepStrictEqual(
        listed.map(({ prompt }) => prompt as string),
        ["second dose"]
      )
      const closing = yield* Effect.forkChild(host.close)
      yield* advance("10 seconds")
      yield* Fiber.join(closing)
    })
  )
})
