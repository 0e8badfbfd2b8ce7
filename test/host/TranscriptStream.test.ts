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
        const { until } = yield* follow("/sessions/a/events")
        const first = yield* until("turn/ended")
        yield* say("a", "two\nlines")
        const told = [...first, ...(yield* until("turn/ended"))]
        const { events } = (yield* get("/sessions/a/transcript")).json
        assert.deepStrictEqual(
          told.map(({ data }) => JSON.parse(data)),
          events
        )
        assert.deepStrictEqual(
          told.map(({ id }) => id),
          events.map(({ seq }: { seq: number }) => String(seq))
        )
      })
    )

    it.effect("begins at a place, or after the last event that a client saw before", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "b" })
        yield* say("b", "one")
        const places = [
          ["/sessions/b/events?from=1", {}, "1"],
          ["/sessions/b/events?from=0", { "last-event-id": "1" }, "2"]
        ] as const
        for (const [path, headers, place] of places) {
          const { until } = yield* follow(path, headers)
          const [first] = yield* until("turn/ended")
          assert.strictEqual(first?.id, place)
        }
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
        yield* post("/sessions", { id: "lost" })
        const { next } = yield* follow("/sessions/lost/events")
        assert.strictEqual((yield* next).event, "heartbeat")
        yield* say("lost", "one")
        assert.strictEqual((yield* next).event, "message")
        const last = yield* next
        assert.deepInclude(JSON.parse(last.data), { code: "persistence_uncertain" })
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
