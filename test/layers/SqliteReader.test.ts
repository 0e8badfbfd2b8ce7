import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import * as SessionStore from "../../src/layers/SessionStore.ts"
import * as SqliteReader from "../../src/layers/SqliteReader.ts"
import * as SqliteStore from "../../src/layers/SqliteStore.ts"
import { header, temporaryFolder } from "./StoreFixture.ts"

const reader = (file: string) =>
  Effect.map(Layer.build(SqliteReader.layer(file)), (context) => Context.get(context, SqlClient.SqlClient))

const store = (file: string) =>
  Effect.map(Layer.build(Layer.provide(SessionStore.layer, SqliteStore.layer(file))), (context) =>
    Context.get(context, SessionStore.SessionStore)
  )

const filled = Effect.gen(function* () {
  const file = join(yield* temporaryFolder, "store.db")
  yield* Effect.scoped(Effect.flatMap(store(file), (store) => store.create(header("s"))))
  return file
})

describe("SqliteReader", () => {
  it.effect("reads a file while another connection writes it, and sees what was committed since", () =>
    Effect.gen(function* () {
      const file = yield* filled
      const writer = yield* store(file)
      const sql = yield* reader(file)
      const ids = Effect.map(sql<{ readonly id: string }>`SELECT id FROM sessions`, (rows) => rows.map(({ id }) => id))
      assert.deepStrictEqual(yield* ids, ["s"])
      yield* writer.create(header("t"))
      assert.deepStrictEqual(yield* ids, ["s", "t"])
    })
  )

  it.effect("writes nothing, whoever asks it to", () =>
    Effect.gen(function* () {
      const file = yield* filled
      const before = readFileSync(file)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const sql = yield* reader(file)
          const error = yield* Effect.flip(sql`DELETE FROM sessions`)
          assert.match(String(error.reason.cause), /readonly database/u)
        })
      )
      assert.isTrue(before.equals(readFileSync(file)))
    })
  )

  it.effect("tells that a file was written while it was read without locks", () =>
    Effect.gen(function* () {
      const file = yield* filled
      const read = (meanwhile: Effect.Effect<void>) =>
        Effect.flatMap(SqliteReader.openAlone(file), (sql) =>
          Effect.andThen(meanwhile, sql<{ readonly id: string }>`SELECT id FROM sessions`)
        ).pipe(Effect.scoped, Effect.provide(Reactivity.layer), Effect.exit)
      assert.deepStrictEqual(yield* read(Effect.void), Exit.succeed([{ id: "s" }]))
      const exit = yield* read(
        Effect.scoped(Effect.flatMap(store(file), (store) => store.create(header("t")))).pipe(Effect.orDie)
      )
      assert.match(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "", /it was written while it was read/u)
    })
  )

  it.effect("refuses a file that is missing and makes none, and what is no store of this version", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const at = (name: string) => join(folder, name)
      const make = (name: string, ...statements: ReadonlyArray<string>) => {
        const sql = new DatabaseSync(at(name))
        for (const statement of statements) sql.exec(statement)
        sql.close()
      }
      mkdirSync(at("folder"))
      writeFileSync(at("text"), "text".repeat(1_000))
      writeFileSync(at("empty"), "")
      make("foreign", "CREATE TABLE t (x)")
      make("old", "CREATE TABLE t (x)", "PRAGMA application_id = 0x45535343")
      make("new", "CREATE TABLE t (x)", "PRAGMA application_id = 0x45535343", "PRAGMA user_version = 99")
      for (const [name, expected] of [
        ["none", /there is none/u],
        ["folder", /it is a folder/u],
        ["text", /not a SQLite database/u],
        ["empty", /it is empty/u],
        ["foreign", /another program/u],
        ["old", /an older version/u],
        ["new", /a newer version/u]
      ] as const) {
        const error = yield* Effect.flip(Effect.scoped(reader(at(name))))
        assert.match(error.message, expected)
        assert.include(error.message, at(name))
      }
      assert.isFalse(existsSync(at("none")))
    })
  )
})
