import { readFileSync, truncateSync, writeFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { json, run } from "./Cli.ts"
import { change, create, events, every, folder, header, note } from "./LogText.ts"

const fine = (id: string) => header(id) + events(every("schedule-1"), note(1))
const mars = { kind: "daily", time: "09:00:00.000", timeZone: "Mars/Base", scheduledAt: "2026-12-02T08:00:00.000Z" }

/** What was found wrong, each as its Session, its place and its message. */
const problems = (ran: any): ReadonlyArray<string> =>
  json(ran).problems.map(({ session, seq, message }: any) => `${session} ${seq} ${message}`)

const check = (text: string | Uint8Array) => run(["verify", "-", "--json"], text)

/** A store of two Sessions, changed behind the program's back. */
const damaged = (...statements: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const here = yield* folder
    const file = here.at("store.db")
    yield* run(["import", yield* here.write("a", fine("a")), yield* here.write("b", fine("b")), "--db", file])
    const sql = new DatabaseSync(file, { enableForeignKeyConstraints: false, defensive: false })
    for (const statement of statements) sql.exec(statement)
    sql.close()
    return file
  })

describe("verify, of a log", () => {
  it.effect("finds nothing wrong with an exported one, nor with its events alone, which can't be imported", () =>
    Effect.gen(function* () {
      const whole = yield* check(fine("a"))
      assert.deepStrictEqual(
        [whole.code, json(whole)],
        [0, { files: [{ file: "-", kind: "log", sessions: 1, events: 2 }], problems: [], notes: [] }]
      )
      const alone = yield* check(events(note(1)))
      assert.strictEqual(alone.code, 0)
      assert.match(json(alone).notes[0].message, /header/u)
    })
  )

  it.effect("says what is wrong where, the first of each kind", () =>
    Effect.gen(function* () {
      const wrong = [
        ["", /^null null It holds no log\.$/u],
        [fine("a").slice(0, -5), /^a 1 .*line 3 /u],
        [header("a") + events(note(1), { ...note(2), seq: 2 }), /^a 1 .*line 3 has seq 2, where 1 comes next/u],
        [header("a", { seedLength: 3 }) + events(note(1)), /^a null .*seedLength/u],
        [header("a") + events(every("schedule-1"), every("schedule-1"), every("schedule-1")), /^a 1 .*used before/u],
        [header("a") + events({ type: "turn/ended", data: {} }), /^a 0 .*turn\/ended/u],
        [header("a") + events(change({ operation: "create", schedule: 1 })), /^a 0 .*schedule/u],
        [
          header("a") + events({ type: "turn/ended", data: { turn: 2 ** 53 - 1, outcome: "failed" } }),
          /^a 0 .*turn\/ended/u
        ],
        [header("a") + events(note(JSON.parse(`${"[".repeat(501)}${"]".repeat(501)}`))), /^a 0 .*deeper than 500/u],
        [Buffer.from(header("a") + events(note("\u00ff")), "latin1"), /^(?:a|null) null .*UTF-8/u],
        ["SQLite format 3", /^null 0 .*line 1/u]
      ] as const
      for (const [text, expected] of wrong) {
        const ran = yield* check(text)
        const found = problems(ran)
        assert.deepStrictEqual([ran.code, json(ran).code, found.length], [1, "verification_failed", 1], String(text))
        assert.match(found[0] ?? "", expected)
      }
    })
  )

  it.effect("says all that is wrong with one, up to the line that ends it", () =>
    Effect.gen(function* () {
      const text =
        header("a") + events(change({ operation: "delete", id: "schedule-1" }), { type: "turn/ended", data: 1 })
      const found = problems(yield* check(`${text}{"seq":2,`))
      assert.match(found.join("\n"), /^a 0 .*not active.*\na 1 .*turn\/ended.*\na 2 .*line 4.*$/u)
    })
  )

  it.effect("notes a zone that is not known here, which is no problem", () =>
    Effect.gen(function* () {
      const ran = yield* check(header("a") + events(create("schedule-1", mars)))
      assert.strictEqual(ran.code, 0)
      assert.match(json(ran).notes[0].message, /schedule-1 .*Mars\/Base/u)
    })
  )

  it.effect("goes on with the other files, and tells people what it found of each", () =>
    Effect.gen(function* () {
      const here = yield* folder
      const [bad, good] = [yield* here.write("bad", `${fine("a")}nothing`), yield* here.write("good", fine("b"))]
      const ran = yield* run(["verify", bad, good])
      const lines = ran.out.join("\n").split("\n")
      assert.deepStrictEqual([ran.code, ran.err], [1, ["session-schedule: 1 problem found."]])
      assert.strictEqual(lines[0], `${bad}: 1 Session, 2 events: 1 problem`)
      assert.include(lines[1], `  problem ${bad}: Session a: `)
      assert.strictEqual(lines[2], `${good}: 1 Session, 2 events: fine`)
      const missing = yield* run(["verify", here.at("none"), "--json"])
      assert.deepStrictEqual([missing.code, json(missing).code], [1, "unreadable_file"])
      assert.strictEqual((yield* run(["verify"])).code, 2)
    }).pipe(Effect.provide(NodeServices.layer))
  )
})

describe("verify, of a store", () => {
  it.effect("finds nothing wrong with one, and leaves it as it is, to the byte", () =>
    Effect.gen(function* () {
      const file = yield* damaged()
      const before = readFileSync(file)
      const ran = yield* run(["verify", file, "--json"])
      assert.deepStrictEqual(
        [ran.code, json(ran)],
        [0, { files: [{ file, kind: "store", sessions: 2, events: 4 }], problems: [], notes: [] }]
      )
      assert.isTrue(before.equals(readFileSync(file)))
    }).pipe(Effect.provide(NodeServices.layer))
  )

  const wrong = {
    "an event that is missing": ["DELETE FROM events WHERE session = 1 AND seq = 0", /^a 0 Event 0 is missing: 1/u],
    "data that is no JSON": [`UPDATE events SET data = '{' WHERE session = 2 AND seq = 1`, /^b 1 .*no JSON/u],
    "a change that does not fold": [
      `UPDATE events SET data = replace(data, 'every', 'never') WHERE session = 1 AND seq = 0`,
      /^a 0 .*schedule\.kind/u
    ],
    "a time that is none": ["UPDATE events SET at = 1e15 WHERE session = 1 AND seq = 1", /^a 1 The time/u],
    "a number that is too large to be read": [
      "UPDATE events SET at = 1e17 WHERE session = 2",
      /^b null The log cannot/u
    ],
    "an id that names no Session": ["UPDATE sessions SET id = 'a/b' WHERE key = 1", /^a\/b null The header/u],
    "events that belong to no Session": ["DELETE FROM sessions WHERE key = 2", /^null null 2 events belong/u]
  } as const

  for (const [what, [statement, expected]] of Object.entries(wrong)) {
    it.effect(`finds ${what}`, () =>
      Effect.gen(function* () {
        const ran = yield* run(["verify", yield* damaged(statement), "--json"])
        const found = problems(ran)
        assert.deepStrictEqual([ran.code, found.length], [1, 1], found.join())
        assert.match(found[0] ?? "", expected)
      }).pipe(Effect.provide(NodeServices.layer))
    )
  }

  it.effect("finds an index that no longer finds all there is", () =>
    Effect.gen(function* () {
      const file = yield* damaged(
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET sql = replace(sql, '<>', '=') WHERE name = 'other_events'"
      )
      const ran = yield* run(["verify", file, "--json"])
      assert.strictEqual(ran.code, 1)
      assert.match(problems(ran)[0] ?? "", /^null null The database is damaged: .*other_events/u)
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("finds one that was cut off, that is another program's, or that is no database at all", () =>
    Effect.gen(function* () {
      const cut = yield* damaged()
      truncateSync(cut, 4_096)
      const foreign = yield* damaged("PRAGMA application_id = 1")
      const none = yield* damaged()
      writeFileSync(none, "x".repeat(10_000))
      for (const [file, expected] of [
        [cut, /damaged|malformed/u],
        [foreign, /another program/u],
        [none, /not a SQLite database/u]
      ] as const) {
        const ran = yield* run(["verify", file, "--json"])
        assert.strictEqual(ran.code, 1)
        assert.match(problems(ran).join(), expected)
      }
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
