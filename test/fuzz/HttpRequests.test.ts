import { assert, describe, layer } from "@effect/vitest"
import { Arbitrary, Effect } from "effect"
import { get, host, post } from "../host/HttpClient.ts"
import * as Nasty from "./Nasty.ts"
import { exchange, isAnswer, request } from "./RawHttp.ts"

const SESSION = "fuzz"

/** What each endpoint with a body understands. */
const endpoints: ReadonlyArray<readonly [path: string, sound: ReadonlyArray<unknown>]> = [
  ["/sessions", [{ id: SESSION }, {}]],
  [`/sessions/${SESSION}/fork`, [{ id: SESSION, length: 0 }]],
  [`/sessions/${SESSION}/prompts`, [{ text: "hello", timeZone: "Asia/Shanghai" }]],
  [`/sessions/${SESSION}/reminders`, Nasty.requests]
]

/** JSON of a value; some are too deep for that. */
const write = (value: unknown): string => {
  try {
    return JSON.stringify(value)
  } catch {
    return Nasty.deepArray(10_000)
  }
}

const bodies = Arbitrary.flatMap(Nasty.anyOf(endpoints), ([path, sound]) =>
  Arbitrary.map(Nasty.near(sound), (body) => ({ path, body: write(body) }))
)

/** The same with a text in the place of each field, which may break the whole. */
const graft = (text: string): ReadonlyArray<readonly [path: string, body: string]> => [
  ...endpoints.map(([path]) => [path, text] as const),
  ["/sessions", `{"id":${text}}`],
  [`/sessions/${SESSION}/fork`, `{"length":${text}}`],
  [`/sessions/${SESSION}/prompts`, `{"text":${text}}`],
  [`/sessions/${SESSION}/prompts`, `{"text":"hello","timeZone":${text}}`],
  [`/sessions/${SESSION}/reminders`, `{"prompt":${text},"after_seconds":60}`],
  [`/sessions/${SESSION}/reminders`, `{"prompt":"x","at":${text}}`],
  [`/sessions/${SESSION}/reminders`, `{"prompt":"x","weekly":{"time":"09:00:00","time_zone":"UTC","weekdays":${text}}}`]
]

const reminderPath = `/sessions/${SESSION}/reminders`

/** Reminders are created by those requests alone that say so. */
const counted = Effect.fnUntraced(function* (path: string, body: string | Uint8Array) {
  const before = (yield* get(reminderPath)).json.length
  const answer = yield* request("POST", path, body)
  isAnswer(answer, `${path} ${Nasty.brief(body)}`)
  const added = (yield* get(reminderPath)).json.length - before
  assert.strictEqual(added, path === reminderPath && answer.status === 201 ? 1 : 0, `${path} ${Nasty.brief(body)}`)
})

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed()).slice(0, 4_000)

const segments = [
  ...Nasty.strings.flatMap((text) => [encoded(text), encoded(encoded(text))]),
  "%",
  "%zz",
  "%ff",
  "%00",
  "%2e%2e%2f",
  "..",
  "//",
  "*",
  ":id",
  "\\",
  "a;b=c",
  "a%2Fb"
].filter((text) => text !== "")

const paths = Arbitrary.map(
  Arbitrary.all([
    Nasty.anyOf(["GET", "POST", "DELETE", "PUT", "HEAD", "OPTIONS"]),
    Nasty.anyOf(segments),
    Nasty.anyOf(segments)
  ]),
  ([method, a, b]) => ({
    method,
    targets: [
      `/${a}`,
      `/sessions/${a}`,
      `/sessions/${a}/${b}`,
      `/sessions/${SESSION}/reminders/${b}`,
      `/${a}/${b}?${a}=${b}`
    ]
  })
)

const queries = Arbitrary.map(
  Arbitrary.all([Nasty.anyOf(["from", "limit", "from[]", "__proto__", "constructor", ""]), Nasty.anyOf(segments)]),
  ([key, value]) => [`?${key}=${value}`, `?from=0&${key}=${value}&${key}=1`, `?${value}`, `?${key}[${key}]=${value}`]
)

const headerValues = [
  "",
  " ",
  "\t",
  "x".repeat(8_000),
  "\u00e9\u00ff",
  "null",
  "-1",
  "1e400",
  "9007199254740993",
  "a, b",
  '"'
]
const headerNames = [
  "Last-Event-ID",
  "Origin",
  "Content-Type",
  "Content-Encoding",
  "Accept",
  "Expect",
  "Range",
  "Upgrade",
  "Authorization",
  "Sec-Fetch-Site",
  "Transfer-Encoding",
  "X-Forwarded-Host",
  "Cookie",
  "__proto__"
]

const headers = Arbitrary.map(
  Arbitrary.all([Nasty.anyOf(headerNames), Nasty.anyOf(headerValues)]),
  ([name, value]) => `${name}: ${value}`
)

/** Requests that are none, or that HTTP knows and nobody sends. */
const oddities: ReadonlyArray<string> = [
  "nonsense\r\n\r\n",
  "\u0016\u0003\u0001\u0002\u0000\u0001",
  "GET /sessions HTTP/1.1\r\nConnection: close\r\n\r\n",
  "GET /sessions HTTP/1.0\r\n\r\n",
  "GET /sessions HTTP/9.9\r\nHost: localhost\r\n\r\n",
  "GET /sessions HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
  "GET http://[ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
  "GET //[ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
  "GET ? HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
  "OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
  "TRACE /sessions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
  "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
  "POST /sessions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: magic\r\nContent-Length: 2\r\n\r\n{}",
  "POST /sessions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: -1\r\n\r\n{}",
  "POST /sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n{}",
  "POST /sessions HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}",
  "POST /sessions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: multipart/form-data\r\nContent-Length: 2\r\n\r\n{}",
  "GET /rpc/ws HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
  "GET /rpc/ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
  "GET /rpc/ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 99\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
  "GET /rpc/ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
  `GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  `GET /sessions HTTP/1.1\r\nHost: localhost\r\n${"X: y\r\n".repeat(5_000)}\r\n`
]

describe("HTTP requests of any shape", () => {
  layer(host)("to a host with one Session", (it) => {
    it.effect("make the Session", () => post("/sessions", { id: SESSION }))

    it.effect.prop(
      "are answered whatever JSON is in the body",
      [bodies],
      ([{ path, body }]) => counted(path, body),
      Nasty.runs(150)
    )

    it.effect("are answered whatever text or bytes are in the body, or in the place of a field", () =>
      Effect.gen(function* () {
        for (const text of Nasty.texts) for (const [path, body] of graft(text)) yield* counted(path, body)
        for (const bytes of Nasty.bytes) for (const [path] of endpoints) yield* counted(path, bytes)
      })
    )

    it.effect.prop(
      "are answered whatever path they name",
      [paths],
      ([{ method, targets }]) =>
        Effect.forEach(targets, (path) =>
          Effect.map(request(method, path), (answer) => isAnswer(answer, `${method} ${path}`))
        ),
      Nasty.runs(40)
    )

    it.effect.prop(
      "are answered whatever the query says",
      [queries],
      ([all]) =>
        Effect.forEach(all, (query) =>
          Effect.map(request("GET", `/sessions/${SESSION}/transcript${query}`), (answer) => isAnswer(answer, query))
        ),
      Nasty.runs(40)
    )

    it.effect.prop(
      "are answered whatever a header says",
      [headers],
      ([header]) =>
        Effect.gen(function* () {
          for (const path of ["/sessions", "/nothing"]) {
            isAnswer(yield* request("GET", path, undefined, [header]), header)
          }
          isAnswer(yield* request("POST", reminderPath, "{}", [header]), header)
        }),
      Nasty.runs(60)
    )

    it.effect("are answered even when they are hardly HTTP", () =>
      Effect.gen(function* () {
        for (const bytes of oddities) isAnswer(yield* exchange(bytes), bytes.slice(0, 200))
        for (const bytes of Nasty.bytes)
          isAnswer(yield* exchange(Buffer.concat([bytes, Buffer.from("\r\n\r\n")])), "bytes")
      })
    )

    it.effect("leave a host that goes on as if nothing had been", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* post("/sessions", { id: "after" })).status, 201)
        const { json } = yield* get(`/sessions/${SESSION}`)
        assert.deepInclude(json, { state: "live", corrupt: null })
      })
    )
  })
})
