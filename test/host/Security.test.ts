import { assert, describe, it, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Option } from "effect"
import { connect, type Socket } from "node:net"
import { Limits } from "../../src/host/Listener.ts"
import * as BearerToken from "../../src/layers/BearerToken.ts"
import { get, hostWith, isRefused, json, port, post, raw, send } from "./HttpClient.ts"

const token = Option.getOrThrow(BearerToken.fromText("s3cret"))
const authorization = BearerToken.toHeader(token)

const upgrade = (headers: string) =>
  `GET /rpc/ws HTTP/1.1\r\nHost: localhost\r\n${headers}Connection: Upgrade\r\nUpgrade: websocket\r\n` +
  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"

describe("Security over a real socket", () => {
  it.effect("begins with a token where other machines reach it", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(Layer.build(hostWith({ host: "0.0.0.0" })))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
    })
  )

  layer(hostWith({ token }))("with a token", (it) => {
    it.effect("answers no road without it, and says what to show", () =>
      Effect.gen(function* () {
        const roads = [
          ["GET", "/sessions"],
          ["POST", "/sessions"],
          ["POST", "/sessions/a/prompts"],
          ["GET", "/sessions/a/events"],
          ["GET", "/sessions/a/timeline"],
          ["DELETE", "/sessions/a/reminders/schedule-1"],
          ["POST", "/sessions/a/mcp"],
          ["POST", "/rpc"],
          ["GET", "/rpc/ws"],
          ["GET", "/openapi.json"],
          ["GET", "/nothing"],
          ["OPTIONS", "/sessions"],
          ["POST", "/"]
        ] as const
        const wrong = [{}, { authorization: "Bearer wrong" }, { authorization: `Basic ${btoa(":s3cret")}` }]
        for (const [method, path] of roads) {
          for (const headers of [...wrong, { cookie: "token=s3cret" }, { "x-token": "s3cret" }]) {
            const answer = yield* send(method, path, undefined, headers as Record<string, string>)
            isRefused(answer, 401, "unauthorized")
            assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer")
            assert.notInclude(JSON.stringify(answer.json), "s3cret")
          }
        }
        isRefused(yield* get("/sessions?token=s3cret&access_token=s3cret"), 401, "unauthorized")
        assert.match(yield* raw(upgrade("")), /^HTTP\/1\.1 401 [^]*"code":"unauthorized"/u)
        assert.match(yield* raw(upgrade("Authorization: Bearer wrong\r\n")), /^HTTP\/1\.1 401 /u)
      })
    )

    it.effect("answers every road with it", () =>
      Effect.gen(function* () {
        const headers = { ...json, authorization }
        assert.strictEqual((yield* send("POST", "/sessions", '{"id":"a"}', headers)).status, 201)
        assert.strictEqual((yield* get("/sessions", headers)).status, 200)
        const call = JSON.stringify({ _tag: "Request", id: "1", tag: "session_list", payload: null, headers: [] })
        assert.strictEqual((yield* send("POST", "/rpc", call, headers)).json.exit._tag, "Success")
      })
    )

    it.effect("gives the page to everyone, since it holds no data", () =>
      Effect.gen(function* () {
        assert.match(yield* raw("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"), /^HTTP\/1\.1 200 /u)
      })
    )
  })

  layer(hostWith({ host: "0.0.0.0", token }))("where other machines reach it", (it) => {
    it.effect("asks for the token by whatever name, and answers no page from elsewhere", () =>
      Effect.gen(function* () {
        const ask = (lines: string) => raw(`GET /sessions HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`)
        const known = `Authorization: ${authorization}\r\n`
        assert.match(yield* ask("Host: box.lan\r\n"), /^HTTP\/1\.1 401 /u)
        assert.match(yield* ask(`Host: box.lan\r\n${known}`), /^HTTP\/1\.1 200 /u)
        assert.match(yield* ask(`Host: box.lan\r\nOrigin: http://box.lan\r\n${known}`), /^HTTP\/1\.1 200 /u)
        assert.match(yield* ask(`Host: box.lan\r\nOrigin: http://evil.example\r\n${known}`), /^HTTP\/1\.1 403 /u)
        assert.match(yield* ask(`Host: box.lan\r\nSec-Fetch-Site: cross-site\r\n${known}`), /^HTTP\/1\.1 403 /u)
      })
    )
  })
})

const limits = {
  headersMillis: 200,
  requestMillis: 400,
  standstillMillis: 300,
  connections: 8,
  streams: 8,
  mcpSessions: 8
}

/** A connection that sends these bytes, and then some more again and again. */
const dribble = (bytes: string, more: string) =>
  Effect.flatMap(port, (port) =>
    Effect.callback<string>((resume) => {
      let answer = ""
      const socket = connect(port, "127.0.0.1", () => socket.write(bytes))
      const timer = setInterval(() => socket.write(more), 20)
      socket.setEncoding("utf8").on("data", (part: string) => (answer += part))
      socket.on("error", () => socket.destroy())
      socket.on("close", () => {
        clearInterval(timer)
        resume(Effect.succeed(answer))
      })
    })
  )

/** A connection that sends these bytes and then nothing. */
const hold = (bytes: string) =>
  Effect.flatMap(port, (port) =>
    Effect.acquireRelease(
      Effect.callback<Socket>((resume) => {
        const socket = connect(port, "127.0.0.1", () => socket.write(bytes, () => resume(Effect.succeed(socket))))
        socket.on("error", () => socket.destroy())
      }),
      (socket) => Effect.sync(() => socket.destroy())
    )
  )

const closed = (socket: Socket) =>
  Effect.callback<void>((resume) => {
    socket.resume()
    if (socket.closed) resume(Effect.void)
    else socket.once("close", () => resume(Effect.void))
  })

const bounded = Layer.provide(hostWith({}), Layer.succeed(Limits, limits))

describe("What one client may take", () => {
  layer(bounded, { excludeTestServices: true })("over a real socket", (it) => {
    it.effect("is no body of more than 64 KiB, which is not read to its end", () =>
      Effect.gen(function* () {
        const piece = "x".repeat(16_384)
        const chunk = `${piece.length.toString(16)}\r\n${piece}\r\n`
        const headers =
          "Host: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
        for (const path of ["/sessions", "/sessions/a/reminders", "/sessions/a/mcp", "/rpc", "/nothing"]) {
          const endless = yield* dribble(`POST ${path} HTTP/1.1\r\n${headers}Transfer-Encoding: chunked\r\n\r\n`, chunk)
          assert.match(endless, path === "/nothing" ? /^HTTP\/1\.1 404 / : /^HTTP\/1\.1 413 [^]*"code":"too_large"/u)
          const announced = yield* dribble(
            `POST ${path} HTTP/1.1\r\n${headers}Content-Length: 9999999999\r\n\r\n`,
            piece
          )
          assert.match(announced, path === "/nothing" ? /^HTTP\/1\.1 404 / : /^HTTP\/1\.1 413 [^]*"code":"too_large"/u)
        }
      })
    )

    it.effect("is no more headers than 16 KiB, and no more time for them than there is", () =>
      Effect.gen(function* () {
        assert.match(yield* dribble("GET / HTTP/1.1\r\n", `X: ${"x".repeat(8_192)}\r\n`), /^HTTP\/1\.1 400 /u)
        assert.match(yield* dribble("GET / HTTP/1.1\r\nHost: localhost\r\nX: ", "x"), /^HTTP\/1\.1 400 /u)
        assert.match(yield* dribble("GET / HTTP/1.1\r\nHost: localhost\r\n", "X: y\r\n"), /^HTTP\/1\.1 400 /u)
      })
    )

    it.effect("is no time for a body that never ends", () =>
      Effect.gen(function* () {
        const body =
          "POST /sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n"
        assert.notMatch(yield* dribble(body, " "), /^HTTP\/1\.1 2/u)
        yield* closed(yield* hold(body))
      })
    )

    it.effect("is no connection that stands still: one that is silent, half open, or reads nothing", () =>
      Effect.gen(function* () {
        yield* closed(yield* hold(""))
        yield* closed(yield* hold("GET / HT"))
        const half = yield* hold("GET /sessions HTTP/1.1\r\nHost: localhost\r\n\r\n")
        half.end()
        yield* closed(half)
        const deaf = yield* hold("GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(2_000))
        yield* Effect.sleep(limits.standstillMillis * 4)
        yield* closed(deaf)
      })
    )

    it.effect("is no more connections than there are, and they are free again for others", () =>
      Effect.gen(function* () {
        const idle = yield* Effect.all(Array.from({ length: limits.connections + 4 }, () => hold("GET / HT")))
        yield* Effect.all(idle.map(closed), { concurrency: "unbounded" })
        assert.strictEqual((yield* post("/sessions", { id: "after" })).status, 201)
      })
    )

    it.effect("is nothing of what others are told", () =>
      Effect.gen(function* () {
        for (const id of ["a\nlevel=ERROR", "a\u0000", "../a", "a/b", "\u202ea", "x".repeat(129)]) {
          isRefused(yield* post("/sessions", { id }), 400, "invalid_session_id")
        }
        const smuggled =
          "POST /sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n" +
          "0\r\n\r\nGET /sessions HTTP/1.1\r\nHost: localhost\r\n\r\n"
        assert.match(yield* raw(smuggled), /^HTTP\/1\.1 400 /u)
      })
    )

    it.effect("is no more of the stack than there is: nested JSON is refused, not fatal", () =>
      Effect.gen(function* () {
        yield* post("/sessions", { id: "deep" })
        const nested = `${"[".repeat(30_000)}${"]".repeat(30_000)}`
        isRefused(yield* send("POST", "/sessions/deep/reminders", nested, json), 400, "invalid_selector")
        assert.strictEqual((yield* get("/sessions/deep")).status, 200)
      })
    )
  })
})
