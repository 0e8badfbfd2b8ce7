import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { readdirSync } from "node:fs"
import { host, hostWith, raw, url } from "./HttpClient.ts"

const files = readdirSync(new URL("../../web/", import.meta.url))
const served = files.filter((name) => /\.(?:css|js|svg)$/u.test(name))

const fetched = (path: string, options: RequestInit = {}) =>
  Effect.flatMap(url, (url) =>
    Effect.promise(async (signal) => {
      const response = await fetch(`${url}${path}`, { ...options, signal })
      return { response, text: await response.text() }
    })
  )

const header = (response: Response, name: string) => response.headers.get(name) ?? ""

layer(host)("The page", (it) => {
  it.effect("is at the root, with each of its files beside it", () =>
    Effect.gen(function* () {
      const { response, text } = yield* fetched("/?session=demo")
      assert.strictEqual(response.status, 200)
      assert.strictEqual(header(response, "content-type"), "text/html; charset=utf-8")
      assert.match(text, /^<!doctype html>/u)
      const types = { css: /^text\/css/u, js: /^text\/javascript/u, svg: /^image\/svg\+xml/u }
      for (const name of served) {
        const { response } = yield* fetched(`/${name}`)
        assert.strictEqual(response.status, 200)
        const ending = name.split(".").at(-1) as keyof typeof types
        assert.match(header(response, "content-type"), types[ending])
      }
    })
  )

  it.effect("may run and fetch nothing but what comes from its host, and is in no one's frame", () =>
    Effect.gen(function* () {
      for (const path of ["/", ...served.map((name) => `/${name}`)]) {
        const { response } = yield* fetched(path)
        const policy = header(response, "content-security-policy").split("; ")
        assert.includeMembers(policy, [
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          "connect-src 'self'",
          "img-src 'self' data:",
          "base-uri 'none'",
          "form-action 'none'",
          "frame-ancestors 'none'",
          "require-trusted-types-for 'script'"
        ])
        assert.notInclude(policy.join(), "unsafe")
        assert.strictEqual(header(response, "x-content-type-options"), "nosniff")
        assert.strictEqual(header(response, "referrer-policy"), "no-referrer")
        assert.strictEqual(header(response, "cross-origin-resource-policy"), "same-origin")
      }
    })
  )

  it.effect("holds no script and no style of its own, and names its files, so that they come at once", () =>
    Effect.gen(function* () {
      const named = new Set<string | undefined>()
      for (const path of ["/", "/docs"]) {
        const { text } = yield* fetched(path)
        assert.notMatch(text, /<style|<script(?! type="module" src="\w+\.js"><)|\sstyle=|\son\w+=|javascript:/iu)
        for (const [, name] of text.matchAll(/(?:src|href)="([^"#]+\.(?:css|js|svg))"/gu)) named.add(name)
      }
      assert.sameMembers([...named], served)
    })
  )

  it.effect("is sent again only if it changed", () =>
    Effect.gen(function* () {
      const { response } = yield* fetched("/page.js")
      assert.strictEqual(header(response, "cache-control"), "no-cache")
      const again = yield* fetched("/page.js", { headers: { "if-none-match": header(response, "etag") } })
      assert.deepStrictEqual([again.response.status, again.text], [304, ""])
      const other = yield* fetched("/page.js", { headers: { "if-none-match": '"another"' } })
      assert.strictEqual(other.response.status, 200)
      const head = yield* fetched("/page.js", { method: "HEAD" })
      assert.deepStrictEqual([head.response.status, head.text], [200, ""])
    })
  )

  it.effect("leads to no other file", () =>
    Effect.gen(function* () {
      const paths = [
        "/index.html",
        "/tsconfig.json",
        "/web/page.js",
        "/../package.json",
        "/..%2fpackage.json",
        "/%2e%2e/package.json",
        "/./page.js/../../package.json",
        "/page.js%00.css",
        "//etc/passwd",
        "/etc/passwd"
      ]
      for (const path of paths) {
        const answer = yield* raw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
        assert.match(answer, /^HTTP\/1\.1 404 [^]*"code":"not_found"/u, path)
      }
    })
  )
})

layer(hostWith({ token: Redacted.make("secret") }))("The page of a host that asks for a token", (it) => {
  it.effect("can be had without it, as it holds nothing that is secret", () =>
    Effect.gen(function* () {
      for (const path of ["/", ...served.map((name) => `/${name}`)]) {
        assert.strictEqual((yield* fetched(path)).response.status, 200, path)
      }
      assert.strictEqual((yield* fetched("/sessions")).response.status, 401)
    })
  )
})
