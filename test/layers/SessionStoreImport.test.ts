import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer, Option, Stream } from "effect"
import { type SessionEvent, SessionId } from "../../src/domain/Session.ts"
import * as SessionStore from "../../src/layers/SessionStore.ts"
import { type SqlStore, stores } from "../contract/SqlStores.ts"
import { change, header, message } from "./StoreFixture.ts"

const worldOf = Effect.fnUntraced(function* ({ make }: SqlStore) {
  const context = yield* Layer.build(Layer.provide(SessionStore.layer, yield* make))
  return Context.get(context, SessionStore.SessionStore)
})

const id = SessionId.make("s")

/** So many events, every third of them a change. */
const events = (count: number): ReadonlyArray<SessionEvent> =>
  Array.from({ length: count }, (_, seq) => ({ seq, ...(seq % 3 === 0 ? change(seq) : message(seq)) }))

describe.each(stores)("SessionStore.import, $name", (sqlStore) => {
  const world = worldOf(sqlStore)

  it.effect("makes a cold Session of a header and all its events, however many", () =>
    Effect.gen(function* () {
      const store = yield* world
      const whole = { ...header("s"), parentId: SessionId.make("elsewhere"), seedLength: 7 }
      yield* store.import(whole, Stream.fromIterable(events(1_234)))
      assert.deepStrictEqual(Option.getOrThrow(yield* store.find(id)).header, whole)
      assert.deepStrictEqual((yield* store.read(id, 0, 2_000)).events, events(1_234))
      assert.strictEqual((yield* store.open(id)).epoch, 1)
      yield* store.import(header("empty"), Stream.empty)
      assert.strictEqual(Option.getOrThrow(yield* store.find(SessionId.make("empty"))).length, 0)
    })
  )

  it.effect("refuses an id that is taken, and leaves that Session as it was", () =>
    Effect.gen(function* () {
      const store = yield* world
      yield* store.import(header("s"), Stream.fromIterable(events(3)))
      const error = yield* Effect.flip(store.import(header("s"), Stream.fromIterable(events(9))))
      assert.strictEqual(error._tag, "SessionExists")
      assert.deepStrictEqual((yield* store.read(id, 0)).events, events(3))
    })
  )

  it.effect("leaves nothing when the events fail half-way, or come twice, or it is interrupted", () =>
    Effect.gen(function* () {
      const store = yield* world
      const broken = Stream.concat(Stream.fromIterable(events(1_000)), Stream.fail("torn" as const))
      assert.strictEqual(yield* Effect.flip(store.import(header("s"), broken)), "torn")
      assert.deepStrictEqual(yield* store.find(id), Option.none())

      const twice = Stream.fromIterable([...events(600), ...events(1)])
      assert.propertyVal(yield* Effect.flip(store.import(header("s"), twice)), "_tag", "SessionStoreError")
      assert.deepStrictEqual(yield* store.find(id), Option.none())

      const begun = yield* Deferred.make<void>()
      const endless = Stream.concat(
        Stream.fromIterable(events(1_000)),
        Stream.fromEffect(Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))
      )
      const importing = yield* Effect.forkChild(store.import(header("s"), endless))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(importing)
      assert.deepStrictEqual(yield* store.find(id), Option.none())
      yield* store.import(header("s"), Stream.fromIterable(events(2)))
      assert.deepStrictEqual((yield* store.read(id, 0)).events, events(2))
    })
  )
})
