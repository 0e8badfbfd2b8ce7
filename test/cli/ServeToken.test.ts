import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem } from "effect"
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { folder, main, start, startWith } from "./Process.ts"

const TOKEN = "s3cret-s3cret-s3cret"

const serve = (db: string, env: Record<string, string>, ...args: ReadonlyArray<string>) =>
  startWith({ env }, "serve", "--port", "0", "--db", db, "--json", "--log-level", "trace", ...args)

const status = (url: string, token?: string) =>
  Effect.promise(async (signal) => {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const response = await fetch(url, { headers, signal })
    await response.text()
    return response.status
  })

/** Uses the host with and without its token, and stops it; nothing that it left behind holds the token. */
const use = ({ firstLine, pid, signal, ended }: Effect.Success<ReturnType<typeof startWith>>) =>
  Effect.gen(function* () {
    const url = String(JSON.parse(yield* firstLine).url).replace("0.0.0.0", "127.0.0.1")
    assert.strictEqual(yield* status(`${url}/sessions`), 401)
    assert.strictEqual(yield* status(`${url}/sessions`, "wrong"), 401)
    assert.strictEqual(yield* status(`${url}/sessions`, TOKEN), 200)
    assert.strictEqual(yield* status(`${url}/sessions/${TOKEN}`, TOKEN), 404)
    for (const file of ["cmdline", "comm"]) {
      assert.notInclude(readFileSync(`/proc/${pid}/${file}`, "utf8"), TOKEN)
    }
    yield* signal("SIGTERM")
    const { code, out, err } = yield* ended
    assert.deepStrictEqual([code, err], [0, ""])
    assert.notInclude(out, TOKEN)
  })

describe("serve with a token", () => {
  it.live("of a file, on all addresses", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const here = yield* folder
      yield* files.writeFileString(`${here}/token`, `${TOKEN}\n`)
      const env = { SESSION_SCHEDULE_TOKEN: "" }
      yield* use(yield* serve(`${here}/a.db`, env, "--host", "0.0.0.0", "--token-file", `${here}/token`))
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("of the environment, on this machine's own address, too", () =>
    Effect.gen(function* () {
      yield* use(yield* serve(`${yield* folder}/a.db`, { SESSION_SCHEDULE_TOKEN: TOKEN }))
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("warns of one that can be guessed, where others may guess", () =>
    Effect.gen(function* () {
      const env = { SESSION_SCHEDULE_TOKEN: "s3cret" }
      const { firstLine, signal, ended } = yield* serve(`${yield* folder}/a.db`, env, "--host", "0.0.0.0")
      yield* firstLine
      yield* signal("SIGTERM")
      const { err } = yield* ended
      assert.match(err, /^timestamp=[^\n]+ level=WARN [^\n]+can be guessed[^\n]+\n$/u)
      assert.notInclude(err, "s3cret")
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("does not begin when the token can't be read", () =>
    Effect.gen(function* () {
      const here = yield* folder
      const ran = yield* (yield* serve(`${here}/a.db`, {}, "--token-file", `${here}/token`)).ended
      assert.deepStrictEqual([ran.code, JSON.parse(ran.out).code], [1, "invalid_token"])
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("reads no more of the file than a token may have", () =>
    Effect.gen(function* () {
      const here = yield* folder
      const ran = yield* (yield* serve(`${here}/a.db`, {}, "--token-file", "/dev/zero")).ended
      const { code, message } = JSON.parse(ran.out)
      assert.deepStrictEqual([ran.code, code], [1, "invalid_token"])
      assert.include(message, "larger than 4096 bytes")
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("waits for nobody who does not write to a pipe", () =>
    Effect.gen(function* () {
      const pipe = `${yield* folder}/pipe`
      execFileSync("mkfifo", [pipe])
      const ran = yield* (yield* start("list", "--session", "a", "--json", "--token-file", pipe)).ended
      assert.deepStrictEqual([ran.code, JSON.parse(ran.out).code], [1, "invalid_token"])
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("reads it from a pipe, too, as a shell makes one", () =>
    Effect.gen(function* () {
      const line = `exec "$0" "$1" list --session a --url http://127.0.0.1:1 --json --token-file <(echo ${TOKEN})`
      const { ended } = yield* startWith({ command: ["bash"] }, "-c", line, process.execPath, main)
      assert.strictEqual(JSON.parse((yield* ended).out).code, "unreachable")
    })
  )
})
