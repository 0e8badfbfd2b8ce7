import { chmodSync, copyFileSync, readdirSync, readFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { run } from "./Cli.ts"
import { events, every, folder, header } from "./LogText.ts"
import * as Process from "./Process.ts"

/** The superuser may write anything, so somebody else has to read. */
const uid = process.getuid?.() === 0 ? 65_534 : undefined

const log = (id: string) => header(id) + events(every("schedule-1"))

/** A folder with a store of one Session, and how to have it read by somebody who may not write there. */
const place = Effect.gen(function* () {
  const here = yield* folder
  const db = here.at("store.db")
  yield* run(["import", "-", "--db", db], log("first"))
  const allow = (folder: number, file: number) =>
    Effect.sync(() => {
      chmodSync(here.at("."), folder)
      for (const name of readdirSync(here.at("."))) chmodSync(here.at(name), file)
    })
  yield* Effect.addFinalizer(() => allow(0o755, 0o644))
  const bytes = () => readdirSync(here.at(".")).map((name) => [name, readFileSync(here.at(name)).toString("base64")])
  const read = (...args: ReadonlyArray<string>) =>
    Effect.flatMap(Process.startWith({ uid }, ...args), ({ ended }) => ended)
  return { ...here, db, allow, bytes, read }
})

/** A connection that writes, as a server has it, and never tidies up: neither does one that is killed. */
const write = Effect.fnUntraced(function* (db: string, statement: string) {
  const sql = yield* Effect.acquireRelease(
    Effect.sync(() => new DatabaseSync(db)),
    (sql) => Effect.sync(() => sql.close())
  )
  sql.exec(`PRAGMA wal_autocheckpoint = 0; ${statement}`)
})

const rename = "UPDATE sessions SET id = 'second'"

describe("Whoever may not write", () => {
  for (const [what, folder, file] of [
    ["a folder", 0o555, 0o644],
    ["a file", 0o777, 0o444]
  ] as const) {
    it.live(`${what} can read a store, which stays as it is, alone`, () =>
      Effect.gen(function* () {
        const { allow, bytes, db, read } = yield* place
        yield* allow(folder, file)
        const before = bytes()
        const exported = yield* read("export", "first", "--db", db)
        assert.deepStrictEqual(exported, { code: 0, out: log("first"), err: "" })
        assert.match((yield* read("history", "first", "--db", db)).out, /schedule-1 +every +waits/u)
        assert.deepInclude(yield* read("verify", db), { code: 0, out: `${db}: 1 Session, 1 event: fine\n` })
        assert.deepStrictEqual(bytes(), before)
      }).pipe(Effect.provide(NodeServices.layer))
    )
  }

  it.live("a folder reads what is not in the file yet, while a server writes it", () =>
    Effect.gen(function* () {
      const { allow, db, names, read } = yield* place
      yield* write(db, rename)
      yield* allow(0o555, 0o644)
      assert.deepInclude(yield* read("export", "second", "--db", db), { code: 0, out: log("second") })
      assert.deepStrictEqual(yield* names, ["store.db", "store.db-shm", "store.db-wal"])
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("a folder is told to copy a file whose latest changes lie beside it, which the copy has", () =>
    Effect.gen(function* () {
      const { allow, at, bytes, db, read } = yield* place
      yield* write(db, rename)
      copyFileSync(db, at("copy.db"))
      copyFileSync(`${db}-wal`, at("copy.db-wal"))
      yield* allow(0o555, 0o644)
      const before = bytes()
      for (const args of [
        ["export", "second", "--db", at("copy.db")],
        ["verify", at("copy.db")]
      ]) {
        const { code, err, out } = yield* read(...args)
        assert.strictEqual(code, 1)
        assert.match(out + err, /copy\.db cannot be used: the latest of it is in its -wal file.* Copy both files/u)
      }
      assert.deepStrictEqual(bytes(), before)
      yield* allow(0o755, 0o644)
      assert.strictEqual((yield* run(["export", "second", "--db", at("copy.db")])).out.join(""), log("second"))
    }).pipe(Effect.provide(NodeServices.layer))
  )
})

describe("Whoever may write", () => {
  it.effect("leaves nothing beside a store that was read, by two at once too, and the store as it is", () =>
    Effect.gen(function* () {
      const { bytes, db, names } = yield* place
      const before = bytes()
      for (const args of [
        ["export", "first", "--db", db],
        ["history", "first", "--db", db],
        ["verify", db]
      ]) {
        assert.strictEqual((yield* run(args)).code, 0)
        assert.deepStrictEqual(yield* names, ["store.db"])
      }
      const two = yield* Effect.all([run(["verify", db]), run(["export", "first", "--db", db])], { concurrency: 2 })
      assert.deepStrictEqual(
        two.map(({ code }) => code),
        [0, 0]
      )
      assert.deepStrictEqual(bytes(), before)
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("leaves what a server has beside its store, or had when it was killed, and moves nothing of it", () =>
    Effect.gen(function* () {
      const { at, db } = yield* place
      yield* write(db, rename)
      copyFileSync(db, at("killed.db"))
      copyFileSync(`${db}-wal`, at("killed.db-wal"))
      const bytes = () =>
        ["store.db", "store.db-wal", "killed.db", "killed.db-wal"].map((name) => readFileSync(at(name)))
      const before = bytes()
      for (const file of [db, at("killed.db")]) {
        assert.strictEqual((yield* run(["export", "second", "--db", file])).out.join(""), log("second"))
      }
      assert.deepStrictEqual(bytes(), before)
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
