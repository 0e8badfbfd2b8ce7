import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, FileSystem } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import * as Shapes from "../host/ChatShapes.ts"
import * as FakeEndpoint from "../host/FakeEndpoint.ts"
import { json, run } from "./Cli.ts"

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url))
const key = "sk-secret"

const serveWith = (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}) =>
  run(["serve", "--port", "0", "--db", "/proc/never.db", ...args]).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(environment))
  )

const asked = ["--model-url", "http://127.0.0.1:11434/v1", "--model", "qwen3:8b"]

/** Serves with that environment, asks one thing of it, and stops: what was said, and all that was printed. */
const conversation = async (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, [main, "serve", "--port", "0", ...args], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"]
  })
  try {
    let printed = ""
    for (const output of [child.stdout, child.stderr]) {
      output.setEncoding("utf8").on("data", (part: string) => (printed += part))
    }
    let url = ""
    for await (const line of createInterface(child.stdout)) {
      url = /http:\/\/[\d.:]+/u.exec(line)?.[0] ?? ""
      if (url !== "") break
    }
    const headers = { "content-type": "application/json" }
    await fetch(`${url}/sessions`, { method: "POST", headers, body: '{"id":"s"}' })
    await fetch(`${url}/sessions/s/prompts`, { method: "POST", headers, body: '{"text":"hello"}' })
    let said = ""
    for await (const part of (await fetch(`${url}/sessions/s/events`)).body!) {
      said += Buffer.from(part).toString()
      if (said.includes("turn/ended")) break
    }
    const closed = once(child, "close")
    child.kill("SIGTERM")
    await closed
    return { said, printed }
  } finally {
    child.kill("SIGKILL")
  }
}

describe("serve with a model of one's own choice", () => {
  it.live("answers with the model at that address, and shows the key to nobody else", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const db = `${yield* files.makeTempDirectoryScoped()}/schedule.db`
      const endpoint = yield* FakeEndpoint.make(
        FakeEndpoint.json(Shapes.error(`busy: ${key}`, "server_error"), 500),
        FakeEndpoint.json(Shapes.says("Hello, I am another model."))
      )
      const args = ["--db", db, "--model-url", `${endpoint.url}/`, "--model", "qwen3:8b", "--log-level", "all"]
      const environment = { SESSION_SCHEDULE_MODEL_KEY: `${key}\n`, OPENAI_API_KEY: "sk-other" }
      const { said, printed } = yield* Effect.promise(() => conversation(args, environment))
      assert.include(said, "Hello, I am another model.")
      const [first] = endpoint.asked
      assert.strictEqual(first?.path, "/v1/chat/completions")
      assert.strictEqual(first?.headers.authorization, `Bearer ${key}`)
      assert.strictEqual(first?.body.model, "qwen3:8b")
      assert.include(printed, "InternalProviderError")
      for (const text of [said, printed, JSON.stringify(first?.body)]) assert.notInclude(text, "sk-")
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("takes the address and the name together, or neither", () =>
    Effect.gen(function* () {
      for (const args of [
        asked.slice(0, 2),
        asked.slice(2),
        [...asked.slice(0, 2), "--model", " "],
        ["--model-url", "", ...asked.slice(2)]
      ]) {
        const { code, out, err } = yield* serveWith(args)
        assert.deepStrictEqual([code, out, err.length], [2, [], 1])
        assert.match(err[0] ?? "", /^session-schedule: --model-url and --model go together/u)
        assert.strictEqual(json(yield* serveWith([...args, "--json"])).code, "wrong_usage")
      }
    })
  )

  it.effect("refuses an address that is none of an API, and one that holds a secret, without repeating it", () =>
    Effect.gen(function* () {
      for (const url of [
        "localhost:11434/v1",
        "ftp://localhost/v1",
        "http://",
        "/v1",
        `http://me:${key}@localhost/v1`,
        `http://localhost/v1?api-key=${key}`,
        `http://localhost/v1#${key}`
      ]) {
        const { code, out, err } = yield* serveWith(["--model-url", url, "--model", "qwen3:8b"])
        assert.deepStrictEqual([code, out, err.length], [1, [], 1])
        assert.match(err[0] ?? "", /--model-url is no address of an API: write one such as/u)
        assert.notInclude(err[0] ?? "", key)
      }
    })
  )

  it.effect("refuses a key that no header can hold, and takes an empty one for none", () =>
    Effect.gen(function* () {
      for (const broken of [`${key} ${key}`, `${key}\n${key}`, `${key}é`]) {
        const ran = yield* serveWith([...asked, "--json"], { SESSION_SCHEDULE_MODEL_KEY: broken })
        assert.deepStrictEqual([ran.code, json(ran).code], [1, "invalid_model_key"])
        assert.notInclude(JSON.stringify(ran), key)
      }
      for (const environment of [{}, { SESSION_SCHEDULE_MODEL_KEY: "" }, { SESSION_SCHEDULE_MODEL_KEY: " \n" }]) {
        assert.strictEqual(json(yield* serveWith([...asked, "--json"], environment)).code, "unusable_database")
      }
    })
  )
})
