import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Redacted } from "effect"
import * as Prompt from "../../src/domain/Prompt.ts"
import { MAX_BODY_BYTES } from "../../src/host/EveryRequest.ts"
import { MAX_EVENTS } from "../../src/host/HostApi.ts"
import { Limits } from "../../src/host/Listener.ts"
import { MAX_TOTAL } from "../../src/host/Timeline.ts"
import { host, hostWith, raw, url } from "../host/HttpClient.ts"
import * as Page from "./Page.ts"
import * as Transcript from "./Transcript.ts"

const page = Page.read("docs/security.md")

const fetched = (path: string) =>
  Effect.flatMap(url, (url) =>
    Effect.promise(async (signal) => {
      const response = await fetch(`${url}${path}`, { signal })
      await response.text()
      return response
    })
  )

describe("The page about security", () => {
  for (const step of Transcript.steps(page)) {
    it.effect(`shows what is printed by ${step.command}`, () =>
      Effect.map(Transcript.run(step), (printed) => assert.strictEqual(printed, step.output))
    )
  }

  it("tells the limits as they are", () => {
    const limits = Context.get(Context.empty(), Limits)
    const count = (n: number) => n.toLocaleString("en")
    const seconds = (millis: number) => `${millis / 1_000} s`
    const told = Object.fromEntries(Page.table(page, "limit", "is", "beyond it").map(([limit, is]) => [limit, is]))
    assert.deepStrictEqual(told, {
      "a body, or a WebSocket message": `${count(MAX_BODY_BYTES)} bytes`,
      "all headers of a request": `${count(Number(/maxHeaderSize: ([\d_]+)/u.exec(Page.read("src/host/Listener.ts"))?.[1]?.replace("_", "")))} bytes`,
      "time for the headers": seconds(limits.headersMillis),
      "time for a whole request": seconds(limits.requestMillis),
      "a connection that stands still": seconds(limits.standstillMillis),
      "connections at a time": count(limits.connections),
      "open streams, HTTP and RPC together": count(limits.streams),
      "conversations of MCP clients": count(limits.mcpSessions),
      "events in one answer of a transcript": count(MAX_EVENTS),
      "occurrences in one time line": count(MAX_TOTAL),
      "a prompt of a reminder": `${count(Prompt.MAX_BYTES)} bytes of UTF-8`
    })
  })

  it("names tests that exist", () => {
    const files = Page.table(page, "shown by", "").flatMap(([cell]) => Page.codes(cell))
    assert.isAbove(files.length, 5)
    assert.deepStrictEqual(
      files.filter((file) => !Page.exists(file)),
      []
    )
  })
})

layer(host)("The page about security, of a host on loopback", (it) => {
  it.effect("tells who is answered", () =>
    Effect.gen(function* () {
      const rows = Page.table(page, "on loopback, with", "answer")
      assert.isAbove(rows.length, 4)
      for (const [sent, answer] of rows) {
        const header = Page.code(sent)
        const lines = header.startsWith("Host:") ? [header] : ["Host: localhost", header]
        const got = yield* raw(`GET /sessions HTTP/1.1\r\n${lines.join("\r\n")}\r\nConnection: close\r\n\r\n`)
        assert.strictEqual(/^HTTP\/1\.1 (\d+)/u.exec(got)?.[1], answer?.slice(0, 3), header)
      }
    })
  )

  it.effect("shows the policy that the page is sent under", () =>
    Effect.map(fetched("/"), ({ headers }) => {
      const [policy = ""] = Page.blocks(page, "text")
      assert.strictEqual(headers.get("content-security-policy"), policy.trimEnd().replaceAll("\n", " "))
      assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
      assert.strictEqual(headers.get("referrer-policy"), "no-referrer")
      assert.strictEqual(headers.get("cross-origin-resource-policy"), "same-origin")
    })
  )
})

layer(hostWith({ token: Redacted.make("secret") }))("The page about security, of a host with a token", (it) => {
  it.effect("tells what is open without it, and what is not", () =>
    Effect.gen(function* () {
      const open = Page.table(page, "without a token", "because").flatMap(([paths]) => Page.codes(paths))
      assert.isAbove(open.length, 4)
      for (const path of open) assert.strictEqual((yield* fetched(path)).status, 200, path)
      const closed = /^Everything else answers 401: (.*)\.$/mu.exec(page)?.[1]
      assert.isAbove(Page.codes(closed).length, 4)
      for (const path of Page.codes(closed)) assert.strictEqual((yield* fetched(path)).status, 401, path)
    })
  )
})
