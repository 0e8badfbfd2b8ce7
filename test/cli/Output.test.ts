import { spawnSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Sink, Stdio } from "effect"
import { TestClock } from "effect/testing"
import * as Progress from "../../src/cli/Progress.ts"
import { json, run } from "./Cli.ts"
import { create, events, header } from "./LogText.ts"
import * as Process from "./Process.ts"

const ESCAPE = "\u001B"
const log = header("demo") + events(create("schedule-1", { kind: "at", scheduledAt: "2026-12-01T00:10:00.000Z" }))
const colours = { canColor: true, canAnimate: true, canPrompt: false }

describe("colours", () => {
  it.effect("are in what people read where their terminal shows them, and leave the columns in line", () =>
    Effect.gen(function* () {
      const args = ["replay", "-", "--now", "2026-12-02T00:00:00Z"]
      const [plain] = (yield* run(args, log)).out
      const [coloured] = (yield* run(args, log, colours)).out
      assert.notInclude(plain, ESCAPE)
      assert.include(coloured, `${ESCAPE}[33moverdue${ESCAPE}[0m`)
      assert.strictEqual(coloured?.replaceAll(new RegExp(`${ESCAPE}\\[\\d+m`, "gu"), ""), plain)
    })
  )

  it.effect("are never in what programs read", () =>
    Effect.gen(function* () {
      for (const args of [
        ["replay", "-"],
        ["verify", "-"],
        ["preview", "{}"]
      ]) {
        const { out } = yield* run([...args, "--json"], log, colours)
        assert.notInclude(out.join("\n"), ESCAPE)
      }
    })
  )

  it.live("follow NO_COLOR, and the terminal", () =>
    Effect.gen(function* () {
      const printed = (env: Readonly<Record<string, string>>) =>
        Process.startWith({ env: { FORCE_COLOR: "", NO_COLOR: "", ...env }, stdin: log }, "verify", "-").pipe(
          Effect.flatMap(({ ended }) => ended),
          Effect.map(({ out }) => out)
        )
      assert.notInclude(yield* printed({}), ESCAPE)
      assert.include(yield* printed({ FORCE_COLOR: "1" }), ESCAPE)
      assert.notInclude(yield* printed({ FORCE_COLOR: "1", NO_COLOR: "1" }), ESCAPE)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})

describe("wrong usage", () => {
  it.effect("says what was probably meant", () =>
    Effect.gen(function* () {
      const said = (...args: ReadonlyArray<string>) => Effect.map(run(args), ({ err }) => err.join("\n"))
      assert.strictEqual(
        yield* said("exprot", "demo"),
        'session-schedule: Unknown subcommand "exprot" for "session-schedule": did you mean export? (see session-schedule --help)'
      )
      assert.match(yield* said("export", "demo", "--bd", "x"), /--bd .*: did you mean --db\? \(see/u)
      const asJson = json(yield* run(["verfy", "--json"]))
      assert.match(asJson.message, /did you mean verify\?/u)
    })
  )
})

describe("progress", () => {
  /** Work of three seconds that tells how far it is every tenth of one, and what was written beside the output. */
  const written = (stderrIsTerminal: boolean) =>
    Effect.gen(function* () {
      const said: Array<string> = []
      const stdio = Stdio.layerTest({
        stderrIsTerminal: Effect.succeed(stderrIsTerminal),
        stderr: () => Sink.forEach((text) => Effect.sync(() => void said.push(String(text))))
      })
      const work = (tell: Progress.Tell) =>
        Effect.forEach(Array.from({ length: 30 }), (_, n) => Effect.andThen(TestClock.adjust(100), tell(`${n}`)))
      yield* Effect.provide(Progress.during(work), stdio)
      return said
    })

  it.effect("is told to a terminal once work takes long, five times a second at most, and cleared at the end", () =>
    Effect.gen(function* () {
      const clear = `\r${ESCAPE}[K`
      const shown = [9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29]
      assert.deepStrictEqual(yield* written(true), [...shown.map((n) => `${clear}${n}`), clear])
    })
  )

  it.effect("is told to nobody else", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* written(false), [])
    })
  )
})

describe("output that cannot be written", () => {
  const command = `"${process.execPath}" "${Process.main}" --help`
  const shell = (line: string) => spawnSync("sh", ["-c", line], { encoding: "utf8" })

  it("is a failure that says so, on a full disk", () => {
    const { status, stderr } = shell(`${command} > /dev/full`)
    assert.strictEqual(status, 1)
    assert.match(stderr, /^session-schedule: The output cannot be written: ENOSPC/u)
  })

  it("is none where the reader has seen enough", () => {
    const { status, stderr } = shell(`{ ${command}; echo $? >&2; } | head -c 1 > /dev/null`)
    assert.deepStrictEqual([status, stderr], [0, "0\n"])
  })
})
