import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { execFile, spawn } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { promisify } from "node:util"
import * as Process from "../cli/Process.ts"
import * as Page from "./Page.ts"

const page = Page.read("README.md")

/** The block of shell commands that has these words. */
const block = (words: string): string =>
  Page.blocks(page, "sh").find((text) => text.includes(words)) ?? assert.fail(words)

const has = (program: string): boolean =>
  (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)))

/** Stands for npm in a clone: the scripts of the command and of the server, at an address that is free. */
const NPM = `#!/bin/sh
case "$1" in
  run) shift 4 ;;
  start) shift 2; set -- serve "$@" --port 0 --db data/schedule.db --json ;;
esac
case "$1" in sessions | create | list) set -- "$@" --url "http://$ADDRESS" ;; esac
exec "${process.execPath}" "${Process.main}" "$@"
`

/** A folder that is like a clone, and how to type there what the page shows. */
const clone = Effect.map(Process.folder, (folder) => {
  for (const name of ["bin", "data", "other", ".config/fish/completions"])
    mkdirSync(join(folder, name), { recursive: true })
  const command = `#!/bin/sh\nexec "${process.execPath}" "${Process.main}" "$@"\n`
  for (const [name, text] of [
    ["npm", NPM],
    ["session-schedule", command]
  ] as const) {
    writeFileSync(join(folder, "bin", name), text)
    chmodSync(join(folder, "bin", name), 0o755)
  }
  const PATH = [join(folder, "bin"), dirname(process.execPath), process.env["PATH"]].join(delimiter)
  const options = (address: string) => ({
    cwd: folder,
    env: { ...process.env, PATH, HOME: folder, ADDRESS: address }
  })
  const typed = (lines: string, address: string) => ["-e", "-c", lines.replaceAll("localhost:4319", address)] as const
  return {
    db: join(folder, "data/schedule.db"),
    /** What the lines print. */
    type: (lines: string, address = "") =>
      Effect.tryPromise((signal) =>
        promisify(execFile)("sh", typed(lines, address), { ...options(address), signal })
      ).pipe(Effect.map(({ stdout }) => stdout)),
    /** What the lines print until it is enough; they go on until the test ends. */
    follow: (lines: string, isEnough: (printed: string) => boolean, address = "") =>
      Effect.flatMap(
        Effect.acquireRelease(
          Effect.sync(() => spawn("sh", typed(lines, address), { ...options(address), detached: true })),
          ({ pid = 0 }) => Effect.sync(() => process.kill(-pid, "SIGKILL"))
        ),
        ({ stdout }) =>
          Effect.callback<string>((resume) => {
            let printed = ""
            stdout.setEncoding("utf8").on("data", (part: string) => {
              printed += part
              if (isEnough(printed)) resume(Effect.succeed(printed))
            })
          })
      )
  }
})

const serve = (db: string) =>
  Effect.gen(function* () {
    const { url } = JSON.parse(yield* (yield* Process.serve(db)).firstLine)
    return new URL(url).host
  })

const count = (text: string, part: string): number => text.split(part).length - 1

describe("The front page", () => {
  it.live.runIf(has("curl"))("has a session with curl that works as printed", () =>
    Effect.gen(function* () {
      const { db, follow } = yield* clone
      const lines = block("curl -sN").replace("in 10 seconds", "in 1 second")
      const isOver = (printed: string) => count(printed, '"turn/ended"') === 2
      const printed = yield* follow(lines, isOver, yield* serve(db))
      const told = ['"kind":"prompt"', "schedule_create", '"turn/ended"', '"kind":"follow-up"', "stretch"]
      for (const part of told) assert.include(printed, part)
      assert.isAbove(printed.indexOf('"kind":"follow-up"'), printed.indexOf('"turn/ended"'))
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live.runIf(has("curl") && has("openssl"))("makes a token, and asks with it", () =>
    Effect.gen(function* () {
      const { type, follow } = yield* clone
      const ready = yield* follow(block("--token-file token"), (printed) => printed.includes("\n"))
      const address = `localhost:${new URL(JSON.parse(ready).url).port}`
      assert.deepStrictEqual(JSON.parse(yield* type(block("authorization: Bearer"), address)), [])
      assert.match(yield* type("curl -s localhost:4319/sessions", address), /"code":"unauthorized"/u)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("previews a rule that daylight saving concerns", () =>
    Effect.gen(function* () {
      const { type } = yield* clone
      assert.match(yield* type(block("preview --now")), /2026-03-08/u)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("asks a server with the command, and moves and checks its Sessions", () =>
    Effect.gen(function* () {
      const { db, type } = yield* clone
      const address = yield* serve(db)
      const asked = yield* type(block("sessions create tea"), address)
      assert.isAbove(count(asked, "schedule-1"), 1)
      const moved = yield* type(block("export --all"), address)
      assert.match(moved, /Exported 1 Session to backup\./u)
      assert.match(moved, /other\/schedule\.db: 1 Session, \d+ events?: fine/u)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("completes the command in three shells", () =>
    Effect.gen(function* () {
      const { type } = yield* clone
      const lines = block("--completions").replace("${fpath[1]}", ".")
      const files = "~/.bashrc _session-schedule ~/.config/fish/completions/session-schedule.fish"
      const sizes = yield* type(`${lines}\nwc -c < ~/.bashrc; for file in ${files}; do grep -c verify $file; done`)
      assert.isTrue(
        sizes
          .trim()
          .split("\n")
          .every((size) => Number(size) > 0)
      )
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it("shows the program and the test that others run as they are", () => {
    const composed = Page.read("test/package/consumer/Composed.ts").replace(/^\/\*\*[^]*?\*\/\n/u, "")
    const timeTravel = Page.read("test/examples/time-travel.test.ts")
    assert.deepStrictEqual(Page.blocks(page, "ts"), [composed, timeTravel])
  })

  it("names scripts that there are", () => {
    const { scripts } = JSON.parse(Page.read("package.json"))
    for (const [, name = ""] of page.matchAll(/npm run (?:-s )?([a-z][\w:-]*)/gu)) assert.property(scripts, name)
  })
})
