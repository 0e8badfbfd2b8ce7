import { spawnSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { run } from "./Cli.ts"
import { folder } from "./LogText.ts"

/** Asks bash what it would offer for the last of the words that were typed. */
const ASK = `
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=\${#COMP_LINE}
offer=$(complete -p session-schedule); offer=\${offer#*-F }; offer=\${offer%% *}
$offer "$1" "\${!#}" "\${@:$#-1:1}"
printf '%s\\n' "\${COMPREPLY[@]}"
`

const bash = (...args: ReadonlyArray<string>) => spawnSync("bash", ["-c", ASK, "bash", ...args], { encoding: "utf8" })
const hasBash = spawnSync("bash", ["--version"]).status === 0

describe("--completions", () => {
  it.effect.skipIf(!hasBash)("gives bash what completes commands, flags, and the names of files", () =>
    Effect.gen(function* () {
      const here = yield* folder
      const script = yield* here.write("script", (yield* run(["--completions", "bash"])).out.join("\n"))
      const log = yield* here.write("some.jsonl", "")
      const offered = (...words: ReadonlyArray<string>) => {
        const { stdout, stderr } = bash(script, "session-schedule", ...words)
        assert.strictEqual(stderr, "")
        return stdout.trim().split("\n")
      }
      assert.deepStrictEqual(offered("ver"), ["verify"])
      assert.deepStrictEqual(offered("ex"), ["export"])
      assert.includeMembers(offered("export", "--"), ["--all", "--out", "--db", "--url"])
      assert.deepStrictEqual(offered("sessions", "cr"), ["create"])
      for (const words of [["import"], ["verify"], ["replay"], ["serve", "--db"], ["list", "--token-file"]]) {
        assert.deepStrictEqual(offered(...words, here.at("some")), [log])
      }
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("knows zsh and fish, each with every command", () =>
    Effect.gen(function* () {
      for (const shell of ["zsh", "fish"]) {
        const { code, out } = yield* run(["--completions", shell])
        assert.strictEqual(code, 0)
        for (const command of ["history", "export", "import", "verify"]) assert.include(out.join("\n"), command)
      }
    })
  )
})
