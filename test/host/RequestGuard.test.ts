import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import * as RequestGuard from "../../src/host/RequestGuard.ts"
import * as BearerToken from "../../src/layers/BearerToken.ts"

type Headers = Record<string, string>

const guard = (access: RequestGuard.Access, method = "POST", url = "/sessions") => {
  const status = (headers: Headers) => RequestGuard.refusal(access, { method, url, headers })?.status
  return {
    accepts: (headers: Headers) => assert.isUndefined(status(headers)),
    refuses: (headers: Headers, expected = 403) => assert.strictEqual(status(headers), expected)
  }
}

const token = Option.getOrThrow(BearerToken.fromText("right"))

describe("RequestGuard on loopback", () => {
  const { accepts, refuses } = guard({ reach: "loopback", token: undefined })

  it("answers to every name of the machine itself, on any port", () => {
    for (const host of ["localhost", "LOCALHOST:4319", "127.0.0.1:4319", "127.1.2.3", "[::1]:9", "[::1]"]) {
      accepts({ host })
    }
  })

  it("answers to no other name, however it resembles one", () => {
    const hosts = ["", "evil.example", "localhost.evil.example:4319", "127.0.0.1.evil.example", "evil.localhost"]
    for (const host of [...hosts, "localhost:4319:80", "user@localhost", "0.0.0.0", "127.0.0.1\n", "::1"])
      refuses({ host })
  })

  it("refuses a request that names no host", () => refuses({}))

  it("answers pages of its own, by any of its names", () => {
    accepts({ host: "127.0.0.1:4319", origin: "http://127.0.0.1:4319" })
    accepts({ host: "127.0.0.1:4319", origin: "http://localhost:4319" })
    accepts({ host: "localhost", origin: "http://localhost" })
  })

  it("refuses pages of other sites, of other ports, of files and of sandboxes", () => {
    const origins = ["https://evil.example", "http://localhost:3000", "https://localhost:4319", "null", "file://", ""]
    for (const origin of origins) refuses({ host: "localhost:4319", origin })
  })

  it("refuses what a browser says comes from elsewhere, even without an origin", () => {
    refuses({ host: "localhost:4319", "sec-fetch-site": "cross-site" })
    refuses({ host: "localhost:4319", "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors" })
    refuses({
      host: "localhost:4319",
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "iframe"
    })
  })

  it("lets someone follow a link from another site, or type the address", () => {
    accepts({ host: "localhost:4319", "sec-fetch-site": "none" })
    accepts({
      host: "localhost:4319",
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "document"
    })
  })
})

describe("RequestGuard with a token", () => {
  const authorization = "Bearer right"

  it("answers those who show it, and asks everyone else for it", () => {
    const { accepts, refuses } = guard({ reach: "loopback", token })
    accepts({ host: "localhost", authorization })
    refuses({ host: "localhost" }, 401)
    for (const wrong of ["Bearer wrong", "right", "Basic right", "Bearer", ""]) {
      refuses({ host: "localhost", authorization: wrong }, 401)
    }
  })

  it("is no reason to answer a page from elsewhere, or to another name of this machine", () => {
    const { refuses } = guard({ reach: "loopback", token })
    refuses({ host: "evil.example", authorization })
    refuses({ host: "localhost:4319", origin: "http://localhost:3000", authorization })
    refuses({ host: "localhost:4319", "sec-fetch-site": "cross-site", authorization })
  })

  it("answers to any name where other machines reach it, and to pages of that name only", () => {
    const { accepts, refuses } = guard({ reach: "network", token })
    accepts({ host: "box.lan:4319", authorization })
    accepts({ host: "box.lan:4319", origin: "http://box.lan:4319", authorization })
    accepts({ host: "Box.example", origin: "https://box.example", authorization })
    refuses({ host: "evil.example" }, 401)
    for (const origin of ["http://box.lan", "http://evil.example:4319", "null", "https://localhost:4319", ""]) {
      refuses({ host: "box.lan:4319", origin, authorization })
    }
  })

  it("gives the page's own files to everyone, and nothing else", () => {
    const access: RequestGuard.Access = { reach: "loopback", token }
    for (const path of ["/", "/?session=a", "/page.js", "/page.css", "/icon.svg"]) {
      guard(access, "GET", path).accepts({ host: "localhost" })
      guard(access, "HEAD", path).accepts({ host: "localhost" })
      guard(access, "POST", path).refuses({ host: "localhost" }, 401)
      guard(access, "GET", path).refuses({ host: "evil.example" })
    }
    const data = ["/sessions", "/sessions/page.js", "/openapi.json", "/rpc", "/sessions?/page.js", "//page.js", "*"]
    for (const path of [...data, "/sessions/a/events#/page.js", "http://localhost/page.js", "/%2e%2e/page.js"]) {
      guard(access, "GET", path).refuses({ host: "localhost" }, 401)
    }
  })
})
