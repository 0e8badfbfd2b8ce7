import { chmodSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Fiber, Layer, Schema } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import * as SqliteStore from "../../src/layers/SqliteStore.ts"
import { StoreError } from "../../src/layers/StoreError.ts"
import { advance } from "../../src/testing/VirtualTime.ts"
import { runProcess, temporaryFolder } from "./StoreFixture.ts"

const open = (file: string) =>
  Effect.map(Layer.build(SqliteStore.layer(file)), (context) => Context.get(context, SqlClient.SqlClient))

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
            assert.deepStrictEqual(
              (yield* sql`SELECT id FROM sessions`).map((row) => ({ ...row })),
              expected
            )
            yield* sql`INSERT OR IGNORE INTO sessions (id, created_at) VALUES ('s', 0)`
          })
        )
      }
    })
  )

  it.effect("opens a file so that what it acknowledges survives a power cut", () =>
    Effect.gen(function* () {
      const sql = yield* open(yield* newFile)
      const pragmas = yield* Effect.forEach(["journal_mode", "synchronous", "foreign_keys"], (name) =>
        Effect.map(sql.unsafe(`PRAGMA ${name}`), ([row]) => Object.values(row ?? {})[0])
      )
      assert.deepStrictEqual(pragmas, ["wal", 2, 1])
    })
  )
})

/** The superuser may write anything, so somebody else must try, who may not even come near this file. */
const superuser = process.getuid?.() === 0
const NOBODY = 65_534
const nobodyReaches = (folder: string): boolean =>
  (statSync(folder).mode & 0o005) === 0o005 && (dirname(folder) === folder || nobodyReaches(dirname(folder)))

/** What SQLite itself says of a file; damage may keep it from saying anything. */
const check = (file: string, pragma: string): unknown => {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]
  } catch {
    return undefined
  } finally {
    database.close()
  }
}

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
      assert.match(yield* refusal("nul\u0000.db"), /null bytes/u)
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

  it.effect("when one of its indexes no longer finds all there is", () =>
    Effect.gen(function* () {
      const file = yield* filled
      const bytes = readFileSync(file)
      const isHidden = (at: number) => {
        writeFileSync(file, Buffer.from(bytes).fill(7, at, at + 1))
        return check(file, "quick_check") === "ok" && check(file, "integrity_check") !== "ok"
      }
      const places = Array.from({ length: Math.floor(bytes.length / 61) }, (_, n) => bytes.length - 1 - 61 * n)
      assert.isDefined(places.find(isHidden))
      assert.match(yield* refusal(file), /^it is damaged\./u)
    })
  )

  it.effect("when it is cut off, or was written over", () =>
    Effect.gen(function* () {
      const file = yield* filled
      const bytes = readFileSync(file)
      truncateSync(file, 9_000)
      assert.match(yield* refusal(file), /^it is damaged\./u)
      for (const at of [bytes.indexOf("CREATE"), bytes.length >> 1, bytes.length - 4_096]) {
        writeFileSync(file, Buffer.from(bytes).fill(7, at, at + 2_000))
        assert.match(yield* refusal(file), /^it is damaged\./u)
      }
    })
  )

  it.effect.skipIf(superuser && !(nobodyReaches(import.meta.dirname) && nobodyReaches(dirname(process.execPath))))(
    "when it may not be written",
    () =>
      Effect.gen(function* () {
        const file = yield* filled
        chmodSync(file, 0o444)
        chmodSync(dirname(file), 0o555)
        const { code, errors } = yield* runProcess(file, "s", 1, superuser ? { uid: NOBODY, gid: NOBODY } : {})
        chmodSync(dirname(file), 0o755)
        assert.strictEqual(code, 1)
        assert.match(errors, /^StoreError: The database .* cannot be used: it cannot be (written|opened)\./u)
      })
  )

  it.effect("when another program keeps it locked for longer than one waits", () =>
    Effect.gen(function* () {
      const file = yield* filled
      const other = new DatabaseSync(file)
      other.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
      const refused = yield* Effect.forkChild(refusal(file))
      yield* advance("4 seconds")
      assert.isUndefined(refused.pollUnsafe())
      yield* advance("2 seconds")
      assert.match(yield* Fiber.join(refused), /^another program keeps it locked\./u)
      other.close()
    })
  )

  const Damage = Schema.Array(
    Schema.Struct({
      at: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 99 })),
      byte: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))
    })
  )

  it.effect.prop(
    "or opened, whatever was written over it",
    [Damage],
    ([damage]) =>
      Effect.gen(function* () {
        const file = yield* filled
        const bytes = readFileSync(file)
        for (const { at, byte } of damage)
          bytes.fill(byte, Math.floor((bytes.length * at) / 100), Math.floor((bytes.length * (at + 1)) / 100))
        writeFileSync(file, bytes)
        const exit = yield* visit(file)
        if (Exit.isFailure(exit)) assert.instanceOf(Cause.squash(exit.cause), StoreError)
      }),
    { arbitrary: { runs: 40 } }
  )
})

/** What another connection, which does not wait, can do now. */
const elsewhere = (file: string, statement: string) =>
  Effect.try({
    try: () => {
      const other = new DatabaseSync(file, { timeout: 0 })
      try {
        other.exec(statement)
      } finally {
        other.close()
      }
    },
    catch: (error) => (error instanceof Error ? error.message : String(error))
  })

const isSqlError = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isFailure(exit) && !Cause.hasDies(exit.cause) && SqlError.isSqlError(Cause.squash(exit.cause))

describe("A transaction of the store", () => {
  it.effect("has the write lock from its beginning, so that it never fails half-way for another process", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      const sql = yield* open(file)
      const insert = "INSERT INTO sessions (id, created_at) VALUES ('t', 0)"
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`SELECT * FROM sessions`
          assert.match(yield* Effect.flip(elsewhere(file, insert)), /locked/u)
          yield* sql`INSERT INTO sessions (id, created_at) VALUES ('s', 0)`
        })
      )
      yield* elsewhere(file, insert)
      assert.strictEqual((yield* sql`SELECT * FROM sessions`).length, 2)
    })
  )

  it.effect("waits for another process that writes, while everything else in this one goes on", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      const sql = yield* open(file)
      const other = new DatabaseSync(file)
      other.exec("BEGIN IMMEDIATE")
      const waiting = yield* Effect.forkChild(
        sql.withTransaction(sql`INSERT INTO sessions (id, created_at) VALUES ('s', 0)`)
      )
      yield* advance("1 second")
      assert.isUndefined(waiting.pollUnsafe())
      other.exec("COMMIT")
      other.close()
      yield* advance("1 second")
      yield* Fiber.join(waiting)
      assert.strictEqual((yield* sql`SELECT * FROM sessions`).length, 1)
    })
  )

  it.effect("keeps nobody who reads waiting while it waits for another process, nor does a single write", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      const sql = yield* open(file)
      const other = new DatabaseSync(file)
      other.exec("BEGIN IMMEDIATE")
      const insert = sql`INSERT INTO sessions (id, created_at) VALUES ('s', 0)`
      const writes = [insert, insert, sql.withTransaction(insert)]
      const waiting = yield* Effect.forkChild(Effect.exit(Effect.all(writes, { concurrency: "unbounded" })))
      yield* advance("1 second")
      assert.strictEqual((yield* sql`SELECT * FROM sessions`).length, 0)
      assert.isUndefined(waiting.pollUnsafe())
      other.close()
    })
  )

  it.effect("waits with all others for one lock, and not each from its own turn on; another lock is another wait", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      const sql = yield* open(file)
      const other = new DatabaseSync(file)
      const insert = Effect.exit(sql`INSERT INTO sessions (id, created_at) VALUES ('s', 0)`)
      other.exec("BEGIN IMMEDIATE")
      const queue = yield* Effect.forkChild(Effect.all([insert, insert, insert, insert, insert, insert]))
      yield* advance("4900 millis")
      assert.isUndefined(queue.pollUnsafe())
      yield* advance("2 seconds")
      assert.isTrue((yield* Fiber.join(queue)).every(isSqlError))
      other.exec("COMMIT")
      yield* advance("11 seconds")
      other.exec("BEGIN IMMEDIATE")
      const later = yield* Effect.forkChild(insert)
      yield* advance("4 seconds")
      other.exec("COMMIT")
      other.close()
      yield* advance("1 second")
      assert.isTrue(Exit.isSuccess(yield* Fiber.join(later)))
    })
  )

  it.effect("that fails for a lock of its own making is not begun again", () =>
    Effect.gen(function* () {
      const sql = yield* open(yield* newFile)
      const reason = new SqlError.LockTimeoutError({ cause: "its own" })
      let times = 0
      const failing = Effect.suspend(() => {
        times++
        return Effect.fail(new SqlError.SqlError({ reason }))
      })
      assert.strictEqual((yield* Effect.flip(sql.withTransaction(failing))).reason, reason)
      assert.strictEqual(times, 1)
    })
  )

  it.effect("that fails at its COMMIT is over, and the next one works", () =>
    Effect.gen(function* () {
      const sql = yield* open(yield* newFile)
      yield* sql`CREATE TABLE late (session INTEGER REFERENCES sessions (key) DEFERRABLE INITIALLY DEFERRED)`
      const exit = yield* Effect.exit(sql.withTransaction(sql`INSERT INTO late VALUES (7)`))
      assert.isTrue(isSqlError(exit))
      assert.deepStrictEqual(yield* sql`SELECT * FROM late`, [])
      yield* sql.withTransaction(sql`INSERT INTO sessions (key, id, created_at) VALUES (7, 's', 0)`)
      yield* sql.withTransaction(sql`INSERT INTO late VALUES (7)`)
      assert.strictEqual((yield* sql`SELECT * FROM late`).length, 1)
    })
  )

  it.effect("that a full disk ends leaves nothing behind, and the next one works once there is room", () =>
    Effect.gen(function* () {
      const sql = yield* open(yield* newFile)
      yield* sql`CREATE TABLE filling (content BLOB)`
      yield* sql`PRAGMA max_page_count = 40`
      const fill = Effect.forEach(Array.from({ length: 60 }), () => sql`INSERT INTO filling VALUES (zeroblob(4000))`)
      assert.isTrue(isSqlError(yield* Effect.exit(sql.withTransaction(fill))))
      assert.deepStrictEqual(yield* sql`SELECT * FROM filling`, [])
      yield* sql`PRAGMA max_page_count = 400`
      yield* sql.withTransaction(fill)
      assert.strictEqual((yield* sql`SELECT * FROM filling`).length, 60)
    })
  )

  it.effect("is nobody else's: what other fibers write meanwhile waits, and is not rolled back with it", () =>
    Effect.gen(function* () {
      const sql = yield* open(yield* newFile)
      const insert = (id: string) => sql`INSERT INTO sessions (id, created_at) VALUES (${id}, 0)`
      const failing = (n: number) =>
        sql.withTransaction(
          Effect.andThen(
            Effect.andThen(insert(`a${n}`), Effect.yieldNow),
            Effect.andThen(insert(`b${n}`), Effect.fail("no"))
          )
        )
      yield* Effect.forEach(
        Array.from({ length: 300 }, (_, n) => n),
        (n) => (n % 3 === 0 ? Effect.ignore(failing(n)) : Effect.andThen(Effect.yieldNow, insert(`s${n}`))),
        { concurrency: "unbounded", discard: true }
      )
      const rows = yield* sql<{ readonly id: string }>`SELECT id FROM sessions`
      assert.strictEqual(rows.filter(({ id }) => id.startsWith("s")).length, 200)
      assert.strictEqual(rows.length, 200)
    })
  )

  it.effect("is rolled back when it is interrupted", () =>
    Effect.gen(function* () {
      const sql = yield* open(yield* newFile)
      const endless = sql.withTransaction(
        Effect.andThen(sql`INSERT INTO sessions (id, created_at) VALUES ('s', 0)`, Effect.never)
      )
      const fiber = yield* Effect.forkChild(endless, { startImmediately: true })
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(yield* sql`SELECT * FROM sessions`, [])
    })
  )
})

describe("Several processes", () => {
  it.live("wait for the one that is about to write a new file, whatever SQLite thinks of that", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      const other = new DatabaseSync(file)
      other.exec("BEGIN IMMEDIATE")
      yield* Effect.forkChild(
        Effect.delay(
          Effect.sync(() => other.close()),
          100
        )
      )
      const sql = yield* open(file)
      assert.deepStrictEqual(yield* sql`SELECT * FROM sessions`, [])
    })
  )

  it.live("can make the same store at once, and commit to it side by side", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      const run = (session: string) => runProcess(file, session, 25)
      const results = yield* Effect.forEach(["a", "b", "c", "d"], run, { concurrency: "unbounded" })
      assert.deepStrictEqual(
        results.map(({ code, errors }) => ({ code, errors })),
        results.map(() => ({ code: 0, errors: "" }))
      )
      const sql = yield* open(file)
      const counts = yield* sql`SELECT count(*) AS events FROM events GROUP BY session`
      assert.deepStrictEqual(
        counts.map(({ events }) => events),
        [25, 25, 25, 25]
      )
    })
  )
})
