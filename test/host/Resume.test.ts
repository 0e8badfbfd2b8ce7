import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Logger, Stream } from "effect"
import { LanguageModel } from "effect/ai"
import * as Resume from "../../src/host/Resume.ts"
import { Sessions } from "../../src/host/Sessions.ts"
import { advance, setClock, settle } from "../../src/testing/VirtualTime.ts"
import * as Hosts from "./Hosts.ts"

const silent = Layer.effect(
  LanguageModel.LanguageModel,
  LanguageModel.make({ generateText: () => Effect.never, streamText: () => Stream.never })
)

/** Closes a host whose model never ends, and so would be waited for for as long as there is patience. */
const close = (host: Hosts.Host) =>
  Effect.gen(function* () {
    const closing = yield* Effect.forkChild(host.close)
    yield* advance("10 seconds")
    yield* Fiber.join(closing)
  })

const remind = ({ sessions }: Hosts.Host, id: string, seconds: number) =>
  Effect.flatMap(sessions.reminders(id), (reminders) => reminders.create({ prompt: "stretch", after_seconds: seconds }))

const resumable = ({ sessions }: Hosts.Host) =>
  Effect.map(sessions.resumable, (found) => found.map(({ id }): string => id))

const states = ({ sessions }: Hosts.Host) =>
  Effect.map(sessions.list, (all) => all.map(({ id, state }) => `${id} ${state}`))

const resume = ({ sessions }: Hosts.Host) =>
  Effect.andThen(Effect.provideService(Resume.run, Sessions, sessions), settle)

const types = ({ sessions }: Hosts.Host, id: string) =>
  Effect.map(sessions.transcript(id, 0, 1_000), ({ events }) => events.map(({ type }) => type))

const fresh = Effect.andThen(setClock("2026-12-01T00:00:00.000Z"), Hosts.temporaryFile)

describe("A host that resumes", () => {
  it.effect("opens the Sessions that have active reminders, by their next target, and leaves others cold", () =>
    Effect.gen(function* () {
      const file = yield* fresh
      const before = yield* Hosts.open(file)
      for (const [id, seconds] of [
        ["later", 7_200],
        ["quiet", 0],
        ["soon", 60],
        ["over", 1]
      ] as const) {
        yield* before.sessions.create(id)
        if (seconds > 0) yield* remind(before, id, seconds)
      }
      assert.deepStrictEqual(yield* resumable(before), [])
      yield* advance("10 seconds")
      yield* before.close

      const after = yield* Hosts.open(file)
      assert.deepStrictEqual(yield* resumable(after), ["soon", "later"])
      yield* resume(after)
      assert.deepStrictEqual(yield* states(after), ["later live", "quiet cold", "soon live", "over cold"])
      yield* advance("1 minute")
      assert.deepStrictEqual((yield* types(after, "soon")).slice(1), [
        "inbox/queued",
        "schedule/change",
        "turn/started",
        "turn/output",
        "turn/ended"
      ])
    })
  )

  it.effect("goes on with a reminder that was queued for a turn that never ended", () =>
    Effect.gen(function* () {
      const file = yield* fresh
      const before = yield* Hosts.open(file, silent)
      yield* before.sessions.create("cut")
      yield* remind(before, "cut", 1)
      yield* advance("2 seconds")
      assert.strictEqual((yield* types(before, "cut")).at(-1), "turn/started")
      const other = yield* Hosts.open(file)
      assert.deepStrictEqual(yield* resumable(other), ["cut"])
      yield* close(before)

      assert.deepStrictEqual(yield* resumable(other), ["cut"])
      yield* resume(other)
      assert.deepStrictEqual((yield* types(other, "cut")).slice(-3), ["turn/started", "turn/output", "turn/ended"])
      yield* other.close
      assert.deepStrictEqual(yield* resumable(yield* Hosts.open(file)), [])
    })
  )

  it.effect("answers what someone said, and leaves to a fork's parent what the fork took over", () =>
    Effect.gen(function* () {
      const file = yield* fresh
      const before = yield* Hosts.open(file, silent)
      yield* before.sessions.create("parent")
      yield* before.sessions.prompt("parent", { text: "first" })
      yield* settle
      yield* before.sessions.prompt("parent", { text: "second" })
      yield* before.sessions.fork("parent", { id: "child" })
      yield* close(before)

      const after = yield* Hosts.open(file)
      assert.deepStrictEqual(yield* resumable(after), ["parent"])
      yield* resume(after)
      assert.deepStrictEqual((yield* types(after, "parent")).slice(-2), ["turn/output", "turn/ended"])
      assert.deepStrictEqual(yield* states(after), ["parent live", "child cold"])
    })
  )

  it.effect("lets others run between any two Sessions that it opens", () =>
    Effect.gen(function* () {
      const file = yield* fresh
      const ids = Array.from({ length: 40 }, (_, n) => `s${n}`)
      const before = yield* Hosts.open(file)
      for (const id of ids) yield* Effect.andThen(before.sessions.create(id), remind(before, id, 60))
      yield* before.close

      const { sessions } = yield* Hosts.open(file)
      let turns = 0
      yield* Effect.forkChild(
        Effect.forever(
          Effect.andThen(
            Effect.sync(() => turns++),
            Effect.yieldNow
          )
        )
      )
      const openedIn: Array<number> = []
      const open = (id: unknown) => Effect.tap(sessions.open(id), () => Effect.sync(() => openedIn.push(turns)))
      yield* Effect.provideService(Resume.run, Sessions, { ...sessions, open })
      assert.strictEqual(openedIn.length, ids.length)
      assert.isAtLeast(new Set(openedIn).size, 5)
    })
  )

  it.effect("logs a Session that can't be opened, and opens the others", () =>
    Effect.gen(function* () {
      const file = yield* fresh
      const before = yield* Hosts.open(file)
      for (const id of ["shut", "broken", "fine"]) yield* before.sessions.create(id)
      yield* before.sessions.prompt("shut", { text: "hello" })
      yield* settle
      for (const [index, id] of ["shut", "broken", "fine"].entries()) yield* remind(before, id, 60 + index)
      yield* before.close
      yield* Hosts.damage(file, "shut")
      yield* Hosts.damage(file, "broken")

      const after = yield* Hosts.open(file)
      assert.deepStrictEqual(yield* resumable(after), ["shut", "fine", "broken"])
      const logged: Array<unknown> = []
      const logger = Logger.make(({ message }) => void logged.push(message))
      yield* Effect.provide(resume(after), Logger.layer([logger]))
      assert.deepStrictEqual(yield* states(after), ["shut cold", "broken live", "fine live"])
      assert.isTrue(logged.some((message) => String(message).startsWith("The Session shut could not be resumed")))
    })
  )
})
