import { assert, describe, layer } from "@effect/vitest"
import { Cause, Effect } from "effect"
import { TestClock } from "effect/testing"
import { follow, get, host, isRefused, post } from "./HttpClient.ts"

const say = (session: string, text: string) => post(`/sessions/${session}/prompts`, { text })

describe("the live transcript", () => {
  layer(host)("as server-sent events", (it) => {
    it.effect("tells what is there, then what comes, each once, with its place as the id", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "a" })
        yield* say("a", "one")
        const { texts } = yield* follow("/sessions/a/events")
        assert.deepStrictEqual(yield* texts, ["0", "one"])
        yield* say("a", "two\nlines")
        assert.deepStrictEqual(yield* texts, ["1", "two\nlines"])
      })
    )

    it.effect("begins at a place, and after the last event that a client saw before", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "b" })
        for (const text of ["one", "two", "three"]) yield* say("b", text)
        const placed = yield* follow("/sessions/b/events?from=1")
        assert.deepStrictEqual(yield* placed.texts, ["1", "two"])
        const resumed = yield* follow("/sessions/b/events?from=0", { "last-event-id": "1" })
        assert.deepStrictEqual(yield* resumed.texts, ["2", "three"])
      })
    )

    it.effect("shows that it lives at once, and every fifteen seconds", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "c" })
        const { next } = yield* follow("/sessions/c/events")
        assert.strictEqual((yield* next).event, "heartbeat")
        yield* TestClock.adjust("15 seconds")
        assert.strictEqual((yield* next).event, "heartbeat")
      })
    )

    it.effect("says why it ends when it can't go on", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "d" })
        const { next } = yield* follow("/sessions/d/events")
        assert.strictEqual((yield* next).event, "heartbeat")
        yield* say("d", "fail")
        const last = yield* next
        assert.deepInclude(JSON.parse(last.data), { code: "session_moved" })
        assert.strictEqual(last.event, "failure")
        assert.isTrue(Cause.isDone(yield* Effect.flip(next)))
      })
    )

    it.effect("refuses a Session that is not there before it begins", () =>
      Effect.gen(function* () {
        isRefused(yield* get("/sessions/nobody/events"), 404, "session_not_found")
      })
    )
  })
})
