import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { host, raw } from "./HttpClient.ts"

const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
const version = "Sec-WebSocket-Version: 13"
const upgrade = ["Connection: Upgrade", "Upgrade: websocket"]

const handshake = (...headers: ReadonlyArray<string>) =>
  raw(`GET /rpc/ws HTTP/1.1\r\nHost: localhost\r\n${headers.map((header) => `${header}\r\n`).join("")}\r\n`)

describe("A WebSocket's handshake", () => {
  layer(host)("with the host", (it) => {
    it.effect("is refused in JSON when it is none", () =>
      Effect.gen(function* () {
        const wrong = [
          ["Connection: close"],
          [...upgrade, version],
          [...upgrade, version, "Sec-WebSocket-Key: short"],
          [...upgrade, key],
          [...upgrade, key, "Sec-WebSocket-Version: 99"],
          ["Connection: Upgrade", "Upgrade: h2c", key, version],
          [...upgrade, key, version, "Sec-WebSocket-Protocol: ,"]
        ]
        for (const headers of wrong) {
          const answer = yield* handshake(...headers, "Connection: close")
          assert.match(answer, /^HTTP\/1\.1 400 [^]*\{"code":"invalid_request","message":"This path speaks WebSocket/u)
        }
      })
    )
  })
})
