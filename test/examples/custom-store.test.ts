import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import * as CustomStore from "../../examples/custom-store.ts"
import { EventLog, Instant, PersistenceBarrier } from "../../src/index.ts"

const example = fileURLToPath(new URL("../../examples/custom-store.ts", import.meta.url))

const change = (data: unknown) => ({ at: Instant.clamp(0), type: "schedule/change", data })

const opened = Effect.fnUntraced(function* (store: CustomStore.Store) {
  const context = yield* CustomStore.open(store, "s")
  const { append, read } = Context.get(context, EventLog.EventLog)
  const { flush } = Context.get(context, PersistenceBarrier.PersistenceBarrier)
  return { append, read, flush, data: Effect.map(read(0), ({ events }) => events.map(({ data }) => data)) }
})

/** What the store holds, whoever owns it. */
const stored = Effect.fnUntraced(function* (store: CustomStore.Store) {
  const data: Array<unknown> = []
  for (let n = 0, batch = yield* store.get("s/0"); batch !== undefined; batch = yield* store.get(`s/${++n}`)) {
    for (const event of JSON.parse(batch).events) data.push(event.data)
  }
  return data
})

/** A store whose puts fail while it is broken, before they take place or after. */
const faulty = () => {
  const store = CustomStore.storeInMemory()
  const state = { broken: "never" as "never" | "before" | "after" }
  const fails = (when: typeof state.broken) =>
    Effect.suspend(() => (state.broken === when ? Effect.fail("broken") : Effect.void))
  const putIfAbsent = (key: string, value: string) =>
    fails("before").pipe(Effect.andThen(store.putIfAbsent(key, value)), Effect.tap(fails("after")))
  return { state, store: { ...store, putIfAbsent } }
}

describe("A store of one's own", () => {
  it.effect("shows an event at once, in its place, and keeps it once it was flushed", () =>
    Effect.gen(function* () {
      const store = CustomStore.storeInMemory()
      const log = yield* opened(store)
      yield* log.flush
      yield* log.append([change("a"), change("b")])
      assert.deepStrictEqual(yield* log.read(1), { events: [{ seq: 1, ...change("b") }], end: 2 })
      assert.deepStrictEqual(yield* stored(store), [])
      yield* log.flush
      yield* log.append([change("c")])
      yield* log.flush
      yield* log.append([change("lost")])
      assert.deepStrictEqual(yield* stored(store), ["a", "b", "c"])
    })
  )

  it.effect("appends all events or none, as they are at that moment", () =>
    Effect.gen(function* () {
      const log = yield* opened(CustomStore.storeInMemory())
      const list = [1]
      yield* log.append([change(list)])
      list.push(2)
      for (const bad of [1n, undefined]) {
        const { operation } = yield* Effect.flip(log.append([change("good"), change(bad)]))
        assert.strictEqual(operation, "append")
      }
      assert.deepStrictEqual(yield* log.data, [[1]])
    })
  )

  for (const when of ["before", "after"] as const) {
    it.effect(`keeps what a put that failed ${when} it took place left in doubt, and stores it once`, () =>
      Effect.gen(function* () {
        const { state, store } = faulty()
        const log = yield* opened(store)
        yield* log.append([change("a")])
        state.broken = when
        const { _tag } = yield* Effect.flip(log.flush)
        assert.strictEqual(_tag, "BarrierError")
        assert.deepStrictEqual(yield* log.data, ["a"])
        state.broken = "never"
        yield* log.append([change("b")])
        yield* log.flush
        assert.deepStrictEqual(yield* stored(store), ["a", "b"])
      })
    )
  }

  it.effect("makes durable, with each of many flushes at once, what was appended before it", () =>
    Effect.gen(function* () {
      const store = CustomStore.storeInMemory()
      const log = yield* opened(store)
      const numbers = Array.from({ length: 20 }, (_, n) => n)
      yield* Effect.forEach(
        numbers,
        (n) =>
          Effect.andThen(log.append([change(n)]), log.flush).pipe(
            Effect.andThen(stored(store)),
            Effect.map((data) => assert.include(data, n))
          ),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(yield* stored(store), numbers)
    })
  )

  it.effect("is taken over with what is stored, and refuses from then on who had it, with and without events", () =>
    Effect.gen(function* () {
      const store = CustomStore.storeInMemory()
      const idle = yield* opened(store)
      yield* idle.append([change("stored")])
      yield* idle.flush
      const busy = yield* opened(store)
      const newest = yield* opened(store)
      assert.deepStrictEqual(yield* newest.data, ["stored"])
      yield* busy.append([change("too late")])
      for (const { flush } of [idle, busy, idle, busy]) {
        assert.strictEqual((yield* Effect.flip(flush))._tag, "BarrierError")
      }
      yield* newest.append([change("newest")])
      yield* newest.flush
      yield* newest.flush
      assert.deepStrictEqual(yield* stored(store), ["stored", "newest"])
    })
  )

  it.effect("has one owner after many opened it at once", () =>
    Effect.gen(function* () {
      const memory = CustomStore.storeInMemory()
      const store = { ...memory, get: (key: string) => Effect.tap(memory.get(key), Effect.yieldNow) }
      const logs = yield* Effect.all(
        Array.from({ length: 5 }, () => opened(store)),
        { concurrency: "unbounded" }
      )
      const flushed = yield* Effect.forEach(logs, ({ flush }) => Effect.isSuccess(flush))
      assert.strictEqual(flushed.filter(Boolean).length, 1)
    })
  )
})

it.live("the example takes a Session over with its reminders, and its first owner is refused", () =>
  Effect.gen(function* () {
    const { stdout } = yield* Effect.promise((signal) => promisify(execFile)(process.execPath, [example], { signal }))
    assert.deepStrictEqual(stdout.trim().split("\n"), [
      "taken over: schedule-1, stretch",
      "the first owner: PersistenceUncertain",
      "stored: schedule-1, stretch",
      "stored: schedule-2, drink"
    ])
  })
)
