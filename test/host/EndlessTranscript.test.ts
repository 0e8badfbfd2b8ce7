import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema, Stream } from "effect"
import * as Instant from "../../src/domain/Instant.ts"
import type { SessionEvent } from "../../src/domain/Session.ts"
import * as EndlessTranscript from "../../src/host/EndlessTranscript.ts"

/** A transcript of events with so many bytes of text, and how many of them were read at a time. */
const transcript = (sizes: ReadonlyArray<number>) => {
  const all = sizes.map((size, seq): SessionEvent => ({ seq, at: Instant.clamp(0), type: "t", data: "x".repeat(size) }))
  const reads: Array<number> = []
  const read = (from: number, limit: number) =>
    Effect.sync(() => {
      const events = all.slice(from, from + limit)
      reads.push(events.length)
      return { events, end: from + events.length }
    })
  const follow = (from: number, more: Effect.Effect<unknown> = Effect.never) => EndlessTranscript.make(read, more, from)
  return { all, reads, follow }
}

const Sizes = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000 })))

describe("A transcript without an end", () => {
  it.effect("keeps one large event at a time for whoever takes no more", () =>
    Effect.gen(function* () {
      const { reads, follow } = transcript(Array.from({ length: 40 }, () => 1_000_000))
      const pages: Array<number> = []
      yield* follow(0).pipe(
        Stream.mapArray((page) => (pages.push(page.length), page)),
        Stream.take(10),
        Stream.runDrain
      )
      assert.deepStrictEqual(new Set(pages), new Set([1]))
      assert.isAtMost(Math.max(...reads), 2)
    })
  )

  it.effect("reads small events many at a time", () =>
    Effect.gen(function* () {
      const { reads, follow } = transcript(Array.from({ length: 1_000 }, () => 10))
      yield* Stream.runDrain(Stream.take(follow(0), 1_000))
      assert.isAtMost(reads.length, 60)
      assert.strictEqual(Math.max(...reads), 20)
    })
  )

  it.effect.prop("tells each event once, in order, whatever their sizes, in pages of few bytes", [Sizes], ([sizes]) =>
    Effect.gen(function* () {
      const { all, follow } = transcript(sizes)
      const told: Array<SessionEvent> = []
      yield* follow(0).pipe(
        Stream.take(sizes.length),
        Stream.runForEachArray((page) =>
          Effect.sync(() => {
            const bytes = page.reduce((sum, { data }) => sum + String(data).length, 0)
            assert.isTrue(page.length === 1 || bytes <= 65_536)
            told.push(...page)
          })
        )
      )
      assert.deepStrictEqual(told, all)
    })
  )

  it.effect("reads again, at the same place, when there may be more", () =>
    Effect.gen(function* () {
      const { all, follow } = transcript([1, 1])
      let waited = 0
      const more = Effect.sync(() => {
        if (++waited === 3) all.push({ seq: 2, at: Instant.clamp(0), type: "t", data: "late" })
      })
      const told = yield* Stream.runCollect(Stream.take(follow(1, more), 2))
      assert.deepStrictEqual([told.map(({ seq }) => seq), waited], [[1, 2], 3])
    })
  )
})
