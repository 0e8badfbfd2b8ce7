import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { readFileSync } from "node:fs"
import { VERSION } from "../../src/Version.ts"
import { json, run } from "./Cli.ts"
import * as Process from "./Process.ts"

const commands = [
  "serve",
  "create",
  "list",
  "delete",
  "sessions",
  "history",
  "export",
  "import",
  "verify",
  "mcp",
  "preview",
  "replay"
]

describe("session-schedule", () => {
  it.live("says which Node.js it needs, on one that is too old", () =>
    Effect.gen(function* () {
      const old = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })'
      const command = [process.execPath, "--import", `data:text/javascript,${old}`, Process.main] as const
      const { code, err, out } = yield* (yield* Process.startWith({ command }, "--version")).ended
      assert.deepStrictEqual([code, out], [1, ""])
      assert.match(err, /^session-schedule: This is Node\.js 20\.20\.2, and it needs 22\.19 or later\./u)
    }).pipe(Effect.scoped)
  )

  it.effect("helps with itself and with every command", () =>
    Effect.gen(function* () {
      const [all] = (yield* run(["--help"])).out
      for (const command of commands) {
        assert.match(all ?? "", new RegExp(`^ +${command} `, "mu"))
        const ran = yield* run([command, "--help"])
        assert.deepStrictEqual([ran.code, ran.err], [0, []])
        assert.include(ran.out.join("\n"), `session-schedule ${command}`)
      }
      assert.strictEqual((yield* run([])).code, 0)
      assert.match((yield* run(["--version"])).out[0] ?? "", /\d+\.\d+\.\d+/u)
    })
  )

  it.effect("exits with 2 on wrong usage, and says what is wrong in one line beside the output", () =>
    Effect.gen(function* () {
      const wrong = [
        ["nonsense"],
        ["preview"],
        ["preview", "{}", "{}"],
        ["preview", "{}", "--nonsense"],
        ["preview", "{}", "--now", "noon"],
        ["preview", "{}", "--count", "0"],
        ["preview", "{}", "--count", "1001"],
        ["replay"],
        ["history"],
        ["history", "a", "schedule-1", "schedule-2"],
        ["export", "a", "--url", "nowhere"],
        ["import"],
        ["import", "a", "--url", "http://127.0.0.1:4319"],
        ["verify"],
        ["replay", "-", "--seed-length", "x"],
        ["create", "{}"],
        ["delete", "--session", "s"],
        ["list", "--session", "s", "--url", "ftp://x"],
        ["serve", "--port", "65536"],
        ["serve", "--port", "x"],
        ["serve", "--db", ""],
        ["serve", "--host", ""],
        ["serve", "--token", "s3cret"],
        ["mcp"],
        ["sessions", "create", "a", "b"]
      ]
      for (const args of wrong) {
        const ran = yield* run(args)
        assert.deepStrictEqual([ran.code, ran.out, ran.err.length], [2, [], 1], args.join(" "))
        assert.match(ran.err[0] ?? "", /^session-schedule: [^\n]+ \(see session-schedule.* --help\)$/u)
        const asJson = yield* run([...args, "--json"])
        assert.deepStrictEqual([asJson.code, asJson.err], [2, []])
        assert.strictEqual(json(asJson).code, "wrong_usage")
      }
    })
  )

  it.effect("serves no address that other machines reach without a token", () =>
    Effect.gen(function* () {
      for (const host of ["0.0.0.0", "::", "[::]", "0", "192.168.1.2", "example.com"]) {
        const args = ["serve", "--host", host]
        const ran = yield* run(args).pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({}))))
        assert.deepStrictEqual([ran.code, ran.out, ran.err.length], [1, [], 1])
        assert.match(ran.err[0] ?? "", /SESSION_SCHEDULE_TOKEN or with --token-file/u)
      }
      const asJson = yield* run(["serve", "--host", "0.0.0.0", "--json"])
      assert.strictEqual(json(asJson).code, "token_required")
    })
  )

  it("has the version of the package", () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))
    assert.strictEqual(VERSION, version)
  })
})
