import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { advance, setClock, settle } from "../../src/testing/VirtualTime.ts"
import * as Hosts from "./Hosts.ts"
import * as ScriptedModel from "./ScriptedModel.ts"

/** Two hosts on one file; the Session `s` was live at `first`, until `second` opened it. */
const two = Effect.gen(function* () {
  yield* setClock("2026-12-01T00:00:00.000Z")
  const file = yield* Hosts.temporaryFile
  const first = (yield* Hosts.open(file)).sessions
  const second = (yield* Hosts.open(file)).sessions
  yield* first.create("s")
  const reminders = yield* first.reminders("s")
  yield* reminders.create({ prompt: "tea", after_seconds: 3_600 })
  yield* second.open("s")
  return { file, first, second, reminders }
})

/** What comes of it, while time passes. */
const awaited = Effect.fnUntraced(function* <A, E>(fiber: Fiber.Fiber<A, E>) {
  while (fiber.pollUnsafe() === undefined) yield* advance("1 second")
  return yield* Fiber.join(fiber)
})

const prompts = (list: ReadonlyArray<{ readonly prompt: string }>) => list.map(({ prompt }) => prompt)

describe("Two servers on one file", () => {
  it.effect("each do what they are asked, though the other has opened the Session since", () =>
    Effect.gen(function* () {
      const { first, second, reminders } = yield* two
      assert.deepStrictEqual(prompts(yield* reminders.list), ["tea"])
      assert.deepInclude((yield* first.list)[0], { state: "live" })
      const created = yield* (yield* second.reminders("s")).create({ prompt: "bread", after_seconds: 60 })
      assert.deepInclude(yield* reminders.delete(created.id), { deleted: true })
      yield* (yield* second.reminders("s")).create({ prompt: "milk", after_seconds: 60 })
      for (const { reminders } of [first, second, first]) {
        assert.deepStrictEqual(prompts(yield* (yield* reminders("s")).list), ["tea", "milk"])
      }
    })
  )

  it.effect("take a prompt once, though the other has opened the Session since", () =>
    Effect.gen(function* () {
      const { first, second } = yield* two
      const ended = first.follow("s", 0).pipe(Stream.filter(({ type }) => type === "turn/ended"))
      for (const [n, { prompt }] of [first, second, first].entries()) {
        yield* prompt("s", { text: "hello" })
        yield* awaited(yield* Effect.forkChild(Stream.runDrain(Stream.take(ended, n + 1))))
      }
      const { events } = yield* first.transcript("s", 0)
      assert.strictEqual(events.filter(({ type }) => type === "inbox/queued").length, 3)
      assert.strictEqual(events.filter(({ type }) => type === "turn/ended").length, 3)
    })
  )

  it.effect("make a Session live when they are told to open it, though the other has opened it since", () =>
    Effect.gen(function* () {
      const { first, second } = yield* two
      yield* first.open("s")
      yield* settle
      yield* Effect.ignore((yield* second.reminders("s")).delete("schedule-9"))
      yield* first.open("s")
      while ((yield* second.list)[0]?.state === "live") yield* advance("1 minute")
      assert.deepInclude((yield* first.list)[0], { state: "live" })
    })
  )

  it.effect("show each other's events to those who follow, within seconds", () =>
    Effect.gen(function* () {
      const { first, second } = yield* two
      const followed = yield* first.follow("s", 1).pipe(Stream.take(4), Stream.runCollect, Effect.forkChild)
      yield* settle
      yield* second.prompt("s", { text: "hello" })
      assert.deepStrictEqual(
        (yield* awaited(followed)).map(({ type }) => type),
        ["inbox/queued", "turn/started", "turn/output", "turn/ended"]
      )
    })
  )

  it.effect("take a prompt, though a turn of the Session that was lost still runs", () =>
    Effect.gen(function* () {
      const { file, first } = yield* two
      const model = ScriptedModel.make(Effect.never)
      const third = yield* Hosts.open(file, model.layer)
      yield* third.sessions.prompt("s", { text: "hello" })
      while (model.asked.length < 1) yield* settle
      yield* first.open("s")
      const prompting = yield* Effect.forkChild(third.sessions.prompt("s", { text: "again" }))
      yield* awaited(prompting)
      while (model.asked.length < 2) yield* settle
      yield* awaited(yield* Effect.forkChild(third.close))
    })
  )
})
