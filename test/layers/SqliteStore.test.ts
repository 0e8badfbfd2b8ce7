import { chmodSync, copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Fiber, Layer, Schema } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import * as SqliteStore from "../../src/layers/SqliteStore.ts"
import { StoreError } from "../../src/layers/StoreError.ts"
import { ended, startProcess, temporaryFolder } from "./StoreFixture.ts"

const open = (file: string) => Effect.map(Layer.build(SqliteStore.layer(file)), (context) => Context.get(context, SqlClient.SqlClient))

/** Opens the file and closes it again. */
const visit = (file: string) => Effect.exit(Effect.scoped(open(file)))

const newFile = Effect.map(temporaryFolder, (folder) => join(folder, "store.db"))

/** A store with a few rows, closed. */
const filled = Effect.gen(function* () {
  const file = yield* newFile
  yield* Effect.scoped(
    Effect.gen(function* () {
      const sql = yield* open(file)
      yield* sql`INSERT INTO sessions (id, created_at) VALUES ('s', 0)`
      yield* sql.unsafe(`WITH RECURSIVE n(seq) AS (SELECT 0 UNION ALL SELECT seq + 1 FROM n WHERE seq < 300)
        INSERT INTO events (session, seq, at, type, data) SELECT 1, seq, 0, 'schedule/change', hex(randomblob(90)) FROM n`)
    })
  )
  return file
})

const refusal = (file: string) =>
  Effect.map(visit(file), (exit) => {
    const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
    assert.instanceOf(error, StoreError)
    assert.notInclude(error.message, "\n")
    assert.include(error.message, file)
    return error.message.slice(error.message.indexOf(": ") + 2)
  })

describe("SqliteStore", () => {
  it.effect("opens a new file in a folder that it makes, and finds it again", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryFolder, "a", "b", "store.db")
      for (const expected of [[], [{ id: "s" }]]) {
        yield* Effect.scoped(
          Effect.gen(function* () {
            const sql = yield* open(file)
            assert.deepStrictEqual((yield* sql`SELECT id FROM sessions`).map((row) => ({ ...row })), expected)
            yield* sql`INSERT OR IGNORE INTO sessions (id, created_at) VALUES ('s', 0)`
          })
        )
      }
    })
  )

  it.effect("opens a file so that what it acknowledges survives a power cut", () =>
    Effect.gen(function* () {
      const sql = yield* open(yield* newFile)
      const pragmas = yield* Effect.forEach(
        ["journal_mode", "synchronous", "busy_timeout", "foreign_keys"],
        (name) => Effect.map(sql.unsafe(`PRAGMA ${name}`), ([row]) => Object.values(row ?? {})[0])
      )
      assert.deepStrictEqual(pragmas, ["wal", 2, 5_000, 1])
    })
  )
})

describe("A file that can't be the store is refused in one line", () => {
  it.effect("when it is a folder", () =>
    Effect.gen(function* () {
      assert.match(yield* refusal(yield* temporaryFolder), /^it is a folder\. Name a file in it\.$/u)
    })
  )

  it.effect("when its folder can't be made", () =>
    Effect.gen(function* () {
      const file = yield* filled
      assert.match(yield* refusal(join(file, "below", "store.db")), /^its folder cannot be made\./u)
      assert.match(yield* refusal("/proc/none/store.db"), /^its folder cannot be made\./u)
      assert.match(yield* refusal(join(file, "store.db")), /^it cannot be opened\./u)
      assert.match(yield* refusal("/proc/store.db"), /^it cannot be opened\./u)
    })
  )

  it.effect("when it is no database", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      writeFileSync(file, "Dear diary, ".repeat(1_000))
      assert.match(yield* refusal(file), /^it is not a SQLite database\./u)
      assert.strictEqual(readFileSync(file, "utf8"), "Dear diary, ".repeat(1_000))
    })
  )

  it.effect("when it belongs to another program, and stays as it was", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      const other = new DatabaseSync(file)
      other.exec("CREATE TABLE sessions (id TEXT)")
      other.close()
      const before = readFileSync(file)
      assert.match(yield* refusal(file), /^it belongs to another program\./u)
      assert.isTrue(readFileSync(file).equals(before))
    })
  )

  it.effect("when a newer version wrote it", () =>
    Effect.gen(function* () {
      const file = yield* filled
      const newer = new DatabaseSync(file)
      newer.exec("PRAGMA user_version = 99")
      newer.close()
      assert.match(yield* refusal(file), /^a newer version of this program wrote it\./u)
    })
  )

  it.effect("when it is cut off", () =>
    Effect.gen(function* () {
      const file = yield* filled
      truncateSync(file, 9_000)
      assert.match(yield* refusal(file), /^it is damaged\./u)
    })
  )

  it.effect("when it may not be written", () =>
    Effect.gen(function* () {
      const file = yield* filled
      chmodSync(file, 0o444)
      // The superuser may write anything, so somebody else has to try.
      const others = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
      const folder = join(file, "..")
      chmodSync(folder, 0o555)
      const { code, errors } = yield* ended(startProcess(file, "s", 1, others))
      chmodSync(folder, 0o755)
      assert.strictEqual(code, 1)
      assert.match(errors, /^StoreError: The database .* cannot be used: it cannot be (written|opened)\./u)
    })
  )

  it.effect("when another program keeps it locked", () =>
    Effect.gen(function* () {
      const file = yield* filled
      const other = new DatabaseSync(file)
      other.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
      assert.match(yield* refusal(file), /^another program keeps it locked\./u)
      other.close()
    })
  )

  const Damage = Schema.Array(Schema.Struct({ at: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 99 })), byte: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 })) }))

  it.effect.prop("or opened, whatever was written over it", [Damage], ([damage]) =>
    Effect.gen(function* () {
      const file = yield* filled
      const bytes = readFileSync(file)
      for (const { at, byte } of damage) bytes.fill(byte, Math.floor((bytes.length * at) / 100), Math.floor((bytes.length * (at + 1)) / 100))
      writeFileSync(file, bytes)
      const exit = yield* visit(file)
      if (Exit.isFailure(exit)) assert.instanceOf(Cause.squash(exit.cause), StoreError)
    }), { arbitrary: { runs: 40 } }
  )
})
