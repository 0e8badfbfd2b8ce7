import { existsSync, lstatSync, mkdirSync, readdirSync, statSync, symlinkSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Schedule, Schema } from "effect"
import { SessionHeader } from "../../src/domain/Session.ts"
import { BusyTimeout } from "../../src/layers/SqliteDriver.ts"
import { json, run } from "./Cli.ts"
import { change, events, every, folder, header, note } from "./LogText.ts"
import * as Process from "./Process.ts"

const strange = [
  "\u2028\u2029\r\n\t\u0000\u007f\u009b",
  "\ud800 half a character",
  JSON.parse('{"10":1,"__proto__":{"a":1},"":[[[{"deep":true}]]],"huge":1e300,"tiny":5e-324}'),
  "é 👩‍👩‍👧 日本語",
  null,
  [],
  ""
]

const full = (id: string, rest: object = {}): string =>
  header(id, rest) +
  events(
    every("schedule-1"),
    ...strange.map(note),
    change({ operation: "dispatch", id: "schedule-1", acceptedAt: "2026-12-01T00:05:00.000Z" }),
    { type: "inbox/queued", data: { message: { kind: "prompt", id: 1, text: "Hello" } } }
  )

const encodeHeader = Schema.encodeSync(Schema.fromJsonString(Schema.Struct({ header: SessionHeader })))
const Events = Schema.Array(Schema.Struct({ type: Schema.NonEmptyString, data: Schema.Json }))

describe("import and export", () => {
  it.effect("give the same bytes, whatever the events hold, and every part of the header", () =>
    Effect.gen(function* () {
      const here = yield* folder
      const db = ["--db", here.at("new/store.db")]
      const fork = full("b.2", { parentId: "a", seedLength: 10 })
      const files = [yield* here.write("1", full("a")), yield* here.write("2", fork)]
      const imported = yield* run(["import", ...files, ...db])
      assert.deepStrictEqual(imported, { code: 0, out: ["Imported a, 10 events.\nImported b.2, 10 events."], err: [] })
      for (const [id, text] of [
        ["a", full("a")],
        ["b.2", fork]
      ] as const) {
        const exported = yield* run(["export", id, ...db])
        assert.deepStrictEqual([exported.code, exported.out.join("")], [0, text])
      }
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect.prop(
    "give the same bytes for any header and any events",
    { header: SessionHeader, all: Events },
    ({ header, all }) =>
      Effect.gen(function* () {
        const here = yield* folder
        const storable = all.filter(({ type }) => type.isWellFormed() && !type.includes("\0"))
        const text = `${encodeHeader({ header: { ...header, seedLength: storable.length } })}\n${events(...storable)}`
        const db = ["--db", here.at("store.db")]
        assert.strictEqual((yield* run(["import", "-", ...db], text)).code, 0, text)
        assert.strictEqual((yield* run(["export", header.id, ...db])).out.join(""), text)
      }).pipe(Effect.provide(NodeServices.layer)),
    { arbitrary: { runs: 15 } }
  )

  it.effect("move a whole store, Session by Session, in files that are never overwritten", () =>
    Effect.gen(function* () {
      const here = yield* folder
      const ids = ["a", "A2", "b.c_d-e"]
      for (const id of ids) yield* run(["import", "-", "--db", here.at("1.db")], full(id))
      const ran = yield* run(["export", "--all", "--out", here.at("out/x"), "--db", here.at("1.db"), "--json"])
      const names = ids.map((id) => `out/x/${id}.jsonl`)
      assert.deepStrictEqual(
        json(ran).exported,
        ids.map((id, n) => ({ id, events: 10, file: here.at(names[n] ?? "") }))
      )
      yield* run(["import", ...names.map(here.at), "--db", here.at("2.db")])
      for (const id of ids) {
        assert.strictEqual((yield* run(["export", id, "--db", here.at("2.db")])).out.join(""), full(id))
      }
      const again = yield* run(["export", "a", "--out", here.at("out/x"), "--db", here.at("1.db"), "--json"])
      assert.deepStrictEqual([again.code, json(again).code], [1, "file_exists"])
      assert.strictEqual(yield* here.read("out/x/a.jsonl"), full("a"))
      const fine = yield* run(["export", "a", "--out", here.at("y"), "--db", here.at("1.db")])
      assert.deepStrictEqual(fine.out, [`Exported 1 Session to ${here.at("y")}.`])
      yield* here.write("file", "")
      const inFile = yield* run(["export", "a", "--out", here.at("file/x"), "--db", here.at("1.db"), "--json"])
      assert.deepStrictEqual([inFile.code, json(inFile).code], [1, "unwritable_file"])
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("write through no link, whatever lies in the folder, and leave nothing else there", () =>
    Effect.gen(function* () {
      const here = yield* folder
      const db = ["--db", here.at("store.db")]
      yield* run(["import", "-", ...db], full("a"))
      const precious = yield* here.write("precious", "mine")
      mkdirSync(here.at("out"))
      symlinkSync(precious, here.at("out/a.jsonl.part"))
      assert.strictEqual((yield* run(["export", "a", "--out", here.at("out"), ...db])).code, 0)
      assert.deepStrictEqual(readdirSync(here.at("out")), ["a.jsonl", "a.jsonl.part"])
      assert.isTrue(lstatSync(here.at("out/a.jsonl")).isFile())
      mkdirSync(here.at("dangling"))
      symlinkSync(here.at("nothing"), here.at("dangling/a.jsonl"))
      const dangling = yield* run(["export", "a", "--out", here.at("dangling"), "--json", ...db])
      assert.deepStrictEqual([dangling.code, json(dangling).code], [1, "file_exists"])
      assert.deepStrictEqual(readdirSync(here.at("dangling")), ["a.jsonl"])
      assert.isFalse(existsSync(here.at("nothing")))
      assert.strictEqual(yield* here.read("precious"), "mine")
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("give a file to one of two that export to a folder at once", () =>
    Effect.gen(function* () {
      const here = yield* folder
      const db = ["--db", here.at("store.db")]
      yield* run(["import", "-", ...db], full("a"))
      const exported = run(["export", "a", "--out", here.at("out"), "--json", ...db])
      const ran = yield* Effect.all([exported, exported, exported], { concurrency: 3 })
      assert.deepStrictEqual(ran.map(({ code }) => code).toSorted(), [0, 1, 1])
      for (const lost of ran.filter(({ code }) => code === 1)) assert.strictEqual(json(lost).code, "file_exists")
      assert.deepStrictEqual(readdirSync(here.at("out")), ["a.jsonl"])
      assert.strictEqual(yield* here.read("out/a.jsonl"), full("a"))
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("leave nothing of a file that was not written to its end", () =>
    Effect.gen(function* () {
      const here = yield* folder
      const db = ["--db", here.at("store.db")]
      const notes = Array.from({ length: 60_000 }, () => note("x".repeat(200)))
      yield* run(["import", yield* here.write("log", header("a") + events(...notes)), ...db])
      const { ended, signal } = yield* Process.start("export", "a", "--out", here.at("out"), ...db)
      const isWriting = Effect.sync(() => {
        const [part] = existsSync(here.at("out")) ? readdirSync(here.at("out")) : []
        return part !== undefined && existsSync(here.at(`out/${part}/a.jsonl`))
      })
      const written = Effect.repeat(isWriting, { until: (writing) => writing, schedule: Schedule.spaced("5 millis") })
      yield* Effect.raceFirst(written, ended)
      yield* signal("SIGINT")
      assert.deepInclude(yield* ended, { code: 130, out: "" })
      assert.deepStrictEqual(readdirSync(here.at("out")), [])
      assert.deepStrictEqual(yield* here.names, ["log", "out", "store.db"])
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("are one log for replay and import", () =>
    Effect.gen(function* () {
      const here = yield* folder
      yield* run(["import", "-", "--db", here.at("store.db")], full("a"))
      const exported = (yield* run(["export", "a", "--db", here.at("store.db")])).out.join("")
      const replayed = yield* run(["replay", "-", "--json"], exported)
      assert.deepStrictEqual(
        json(replayed).active.map(({ id, scheduledAt }: any) => [id, scheduledAt]),
        [["schedule-1", "2026-12-01T00:10:00.000Z"]]
      )
    }).pipe(Effect.provide(NodeServices.layer))
  )
})

describe("import", () => {
  const wrong = {
    "a log without a header": [events(note(1)), "missing_header", /first line is no \{ "header" \}/u],
    "an empty file": ["", "missing_header", /first line/u],
    "a header of another version": [header("a", { version: 2 }), "corrupt_schedule_log", /line 1 /u],
    "an id that names no Session": [header("a/b"), "corrupt_schedule_log", /line 1 /u],
    "a second header": [header("a") + header("a"), "corrupt_schedule_log", /line 2 /u],
    "a torn last line": [full("a").slice(0, -9), "corrupt_schedule_log", /line 11 /u],
    "an event that is missing": [header("a") + events({ ...note(1), seq: 1 }), "corrupt_schedule_log", /line 2 .*seq/u],
    "a change that does not fold": [
      header("a") + events(every("schedule-1"), every("schedule-1")),
      "corrupt_schedule_log",
      /event 1 is corrupt \(id: schedule-1 was used before\)/u
    ],
    "an event of a host that no host can read": [
      header("a") + events({ type: "turn/started", data: {} }),
      "corrupt_schedule_log",
      /event 0 \(turn\/started\) is corrupt/u
    ],
    "bytes that are no text": [
      Buffer.concat([Buffer.from(header("a")), Buffer.from(events(note("\u00ff")), "latin1")]),
      "corrupt_schedule_log",
      /UTF-8/u
    ],
    "a type that no store can keep": [
      header("a") + events({ type: "a\0b", data: 1 }),
      "corrupt_schedule_log",
      /type of event 0/u
    ],
    "a seed that is longer than the log": [
      header("a", { seedLength: 2 }) + events(note(1)),
      "corrupt_schedule_log",
      /seedLength/u
    ]
  } as const

  for (const [what, [text, code, message]] of Object.entries(wrong)) {
    it.effect(`refuses ${what}, and nothing is made of it or of any other file`, () =>
      Effect.gen(function* () {
        const here = yield* folder
        const files = [yield* here.write("good", full("good")), yield* here.write("bad", text)]
        const ran = yield* run(["import", ...files, "--db", here.at("store.db"), "--json"])
        assert.deepInclude(json(ran), { code, file: here.at("bad") })
        assert.match(json(ran).message, message)
        assert.strictEqual(ran.code, 1)
        assert.isFalse(existsSync(here.at("store.db")))
      }).pipe(Effect.provide(NodeServices.layer))
    )
  }

  it.effect("refuses a Session that is there already, in the store or twice among the files, and changes nothing", () =>
    Effect.gen(function* () {
      const here = yield* folder
      const db = ["--db", here.at("store.db"), "--json"]
      const [a, other, b] = [
        yield* here.write("a", full("a")),
        yield* here.write("other", header("a") + events(note("another"))),
        yield* here.write("b", full("b"))
      ]
      assert.deepInclude(json(yield* run(["import", b, a, a, ...db])), { code: "session_exists", file: a })
      assert.isFalse(existsSync(here.at("store.db")))
      assert.strictEqual((yield* run(["import", a, ...db])).code, 0)
      const again = yield* run(["import", b, other, ...db])
      assert.deepInclude(json(again), { code: "session_exists", file: other })
      assert.strictEqual((yield* run(["export", "a", ...db])).out.join(""), full("a"))
      assert.strictEqual(json(yield* run(["export", "b", ...db])).code, "session_not_found")
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("says so when another program keeps the file locked", () =>
    Effect.gen(function* () {
      const here = yield* folder
      const db = ["--db", here.at("store.db")]
      yield* run(["import", "-", ...db], full("a"))
      const other = yield* Effect.acquireRelease(
        Effect.sync(() => new DatabaseSync(here.at("store.db"))),
        (other) => Effect.sync(() => other.close())
      )
      other.exec("BEGIN IMMEDIATE")
      const ran = yield* Effect.provideService(run(["import", "-", ...db], full("b")), BusyTimeout, 0)
      assert.strictEqual(ran.code, 1)
      assert.match(ran.err[0] ?? "", /another program keeps it locked/u)
      const read = yield* run(["export", "a", ...db])
      assert.strictEqual(read.out.join(""), full("a"))
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("leaves no part of a Session when it is killed half-way", () =>
    Effect.gen(function* () {
      const here = yield* folder
      const padding = "x".repeat(200)
      const big = header("big") + events(...Array.from({ length: 60_000 }, (_, n) => note(`${padding}${n}`)))
      const file = yield* here.write("big", big)
      const wal = here.at("store.db-wal")
      yield* run(["import", "-", "--db", here.at("store.db")], full("a"))
      const child = yield* Process.start("import", file, "--db", here.at("store.db"))
      const isWriting = Effect.sync(() => (statSync(wal, { throwIfNoEntry: false })?.size ?? 0) > 1_000_000)
      yield* Effect.repeat(isWriting, { until: (is) => is, schedule: Schedule.spaced(2) })
      yield* child.signal("SIGKILL")
      assert.strictEqual((yield* child.ended).code, null)
      const missing = yield* run(["export", "big", "--db", here.at("store.db"), "--json"])
      assert.strictEqual(json(missing).code, "session_not_found")
      assert.strictEqual((yield* run(["verify", here.at("store.db")])).code, 0)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})

describe("export", () => {
  it.effect("says what is missing, and which flags don't go together", () =>
    Effect.gen(function* () {
      const here = yield* folder
      yield* here.write("other.db", "nothing of SQLite's")
      yield* run(["import", "-", "--db", here.at("store.db")], full("a"))
      const refused = [
        [["export", "a", "--db", here.at("none.db")], "unusable_database", 1],
        [["export", "a", "--db", here.at("other.db")], "unusable_database", 1],
        [["export", "b", "--db", here.at("store.db")], "session_not_found", 1],
        [["export", "a/b", "--db", here.at("store.db")], "invalid_session_id", 1],
        [["export", "a", "--url", "http://127.0.0.1:1"], "unreachable", 1],
        [["export"], "wrong_usage", 2],
        [["export", "a", "--all"], "wrong_usage", 2],
        [["export", "--all"], "wrong_usage", 2],
        [["export", "a", "--db", "x", "--url", "http://127.0.0.1:1"], "wrong_usage", 2]
      ] as const
      for (const [args, code, exit] of refused) {
        const ran = yield* run([...args, "--json"])
        assert.deepStrictEqual([ran.code, json(ran).code], [exit, code], args.join(" "))
      }
      assert.isFalse(existsSync(here.at("none.db")))
    }).pipe(Effect.provide(NodeServices.layer))
  )
})

describe("on the file of a running host", () => {
  it.live("Sessions are exported, imported, told and verified, and none becomes live", () =>
    Effect.gen(function* () {
      const here = yield* folder
      const file = here.at("store.db")
      const db = ["--db", file]
      const host = yield* Process.serve(file)
      const at = ["--url", JSON.parse(yield* host.firstLine).url]
      yield* run(["sessions", "create", "live", ...at])
      const tea = JSON.stringify({ prompt: "Tea", after_seconds: 3_600 })
      assert.strictEqual((yield* run(["create", tea, "--session", "live", ...at])).code, 0)

      const imported = yield* run(["import", "-", ...db], full("cold"))
      assert.strictEqual(imported.code, 0)
      for (const id of ["live", "cold"]) {
        const [fromFile, fromHost] = [yield* run(["export", id, ...db]), yield* run(["export", id, ...at])]
        assert.strictEqual(fromHost.code, 0)
        assert.strictEqual(fromHost.out.join(""), fromFile.out.join(""))
        assert.deepStrictEqual(yield* run(["history", id, ...at]), yield* run(["history", id, ...db]))
      }
      assert.strictEqual((yield* run(["export", "cold", ...at])).out.join(""), full("cold"))
      assert.deepStrictEqual(json(yield* run(["verify", file, "--json"])).problems, [])
      yield* run(["export", "--all", "--out", here.at("out"), ...at])
      assert.strictEqual(yield* here.read("out/cold.jsonl"), full("cold"))
      const states = json(yield* run(["sessions", ...at, "--json"])).map(({ id, state }: any) => [id, state])
      assert.deepStrictEqual(states, [
        ["live", "live"],
        ["cold", "cold"]
      ])
      assert.strictEqual((yield* run(["create", tea, "--session", "cold", ...at, "--json"])).code, 0)
      const listed = json(yield* run(["list", "--session", "cold", ...at, "--json"]))
      assert.deepInclude(
        listed.map(({ id }: any) => id),
        "schedule-2"
      )
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
