import { assert, describe, it } from "@effect/vitest"
import * as RequestGuard from "../../src/host/RequestGuard.ts"

const accepts = (headers: Record<string, string>) => assert.isUndefined(RequestGuard.refusal(headers))
const refuses = (headers: Record<string, string>) => assert.isString(RequestGuard.refusal(headers))

describe("RequestGuard", () => {
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
