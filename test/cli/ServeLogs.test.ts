import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { folder, serve, startWith } from "./Process.ts"

/** The code that a WebSocket is closed with after it was sent that text. */
const closedAfter = (url: string, text: string) =>
  Effect.callback<number>((resume) => {
    const socket = new WebSocket(`${url.replace("http", "ws")}/rpc/ws`)
    socket.addEventListener("open", () => socket.send(text))
    socket.addEventListener("close", ({ code }) => resume(Effect.succeed(code)))
  })

describe("The log output of serve", () => {
  it.live("has one line, and no stack, of a WebSocket's message that is too large", () =>
    Effect.gen(function* () {
      const { firstLine, signal, ended } = yield* serve(`${yield* folder}/a.db`)
      const { url } = JSON.parse(yield* firstLine)
      assert.strictEqual(yield* closedAfter(url, "x".repeat(200_000)), 1009)
      yield* signal("SIGTERM")
      const { code, err } = yield* ended
      assert.strictEqual(code, 0)
      assert.match(err, /^timestamp=[^\n]+ level=INFO [^\n]+A WebSocket was closed[^\n]+\n$/u)
      assert.notInclude(err, "Error")
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("has no format that the environment makes up, and the message names the variable", () =>
    Effect.gen(function* () {
      const env = { SESSION_SCHEDULE_LOG_FORMAT: "xml" }
      const { ended } = yield* startWith({ env }, "serve", "--port", "0", "--db", `${yield* folder}/a.db`, "--json")
      const { code, out } = yield* ended
      assert.deepStrictEqual([code, JSON.parse(out).code], [2, "wrong_usage"])
      assert.match(JSON.parse(out).message, /variable SESSION_SCHEDULE_LOG_FORMAT\. Expected: "logfmt" \| "json" \(/u)
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
