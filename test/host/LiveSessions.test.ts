import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Scope } from "effect"
import { SessionId } from "../../src/domain/Session.ts"
import * as LiveSessions from "../../src/host/LiveSessions.ts"
import { settle } from "../../src/testing/VirtualTime.ts"

const a = SessionId.make("a")
const b = SessionId.make("b")

/** Sessions that are opened slowly, and what happened to them. */
const world = Effect.gen(function* () {
  const story: Array<string> = []
  const gate = yield* Deferred.make<void>()
  const sessions = yield* LiveSessions.make<string, string>({
    build: (id) =>
      Effect.gen(function* () {
        story.push(`open ${id}`)
        yield* Effect.addFinalizer(() => Effect.sync(() => void story.push(`close ${id}`)))
        if (id === b) return yield* Effect.fail("broken")
        yield* Deferred.await(gate)
        return `session ${id}`
      }),
    rest: (session) => Effect.sync(() => void story.push(`rest ${session}`))
  })
  return { story, gate, sessions }
})

describe("LiveSessions", () => {
  it.effect("opens a Session once, however many ask for it", () =>
    Effect.gen(function* () {
      const { story, gate, sessions } = yield* world
      const opening = yield* Effect.forkChild(
        Effect.all([sessions.open(a), sessions.open(a), sessions.open(a)], { concurrency: "unbounded" })
      )
      yield* settle
      assert.isFalse(sessions.isLive(a))
      yield* Deferred.succeed(gate, undefined)
      assert.deepStrictEqual(yield* Fiber.join(opening), ["session a", "session a", "session a"])
      assert.isTrue(sessions.isLive(a))
      assert.deepStrictEqual(story, ["open a"])
    })
  )

  it.effect("lets a Session come to rest before it is closed, and opens it anew afterwards", () =>
    Effect.gen(function* () {
      const { story, gate, sessions } = yield* world
      yield* Deferred.succeed(gate, undefined)
      yield* sessions.open(a)
      yield* sessions.close(a)
      yield* sessions.close(a)
      yield* sessions.open(a)
      assert.deepStrictEqual(story, ["open a", "rest session a", "close a", "open a"])
    })
  )

  it.effect("discards a Session only if it was not opened anew since", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      yield* Deferred.succeed(gate, undefined)
      const sessions = yield* LiveSessions.make<object, never>({
        build: () => Effect.as(Deferred.await(gate), {}),
        rest: () => Effect.void
      })
      const first = yield* sessions.open(a)
      yield* sessions.close(a)
      const second = yield* sessions.open(a)
      yield* sessions.discard(a, () => first)
      assert.isTrue(sessions.isLive(a))
      yield* sessions.discard(a, () => second)
      assert.isFalse(sessions.isLive(a))
    })
  )

  it.effect("keeps nothing of a Session that can't be opened", () =>
    Effect.gen(function* () {
      const { story, sessions } = yield* world
      assert.strictEqual(yield* Effect.flip(sessions.open(b)), "broken")
      assert.isFalse(sessions.isLive(b))
      assert.deepStrictEqual(story, ["open b", "close b"])
    })
  )

  it.effect("closes what it was opening when the caller gives up", () =>
    Effect.gen(function* () {
      const { story, sessions } = yield* world
      const opening = yield* Effect.forkChild(sessions.open(a))
      yield* settle
      yield* Fiber.interrupt(opening)
      assert.isFalse(sessions.isLive(a))
      assert.deepStrictEqual(story, ["open a", "close a"])
    })
  )

  it.effect("closes every Session with its own scope", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { story, gate, sessions } = yield* Effect.provideService(world, Scope.Scope, scope)
      yield* Deferred.succeed(gate, undefined)
      yield* sessions.open(a)
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(story, ["open a", "rest session a", "close a"])
    })
  )
})
