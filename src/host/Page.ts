/**
 * The page at `/`, and that of the API at `/docs`: plain files, read once, under a policy by which a browser runs and fetches nothing else.
 */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { extname } from "node:path"

const folder = new URL("../../web/", import.meta.url)

/** The files of the page, by their ending; others stay at home. */
const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml; charset=utf-8"
}

/** What the page may do: nothing inline, nothing from elsewhere, and no text as markup. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join("; ")

interface File {
  readonly name: string
  readonly bytes: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

const headersOf = (name: string, bytes: Uint8Array) => ({
  "content-type": types[extname(name)] ?? "",
  etag: `"${createHash("sha256").update(bytes).digest("base64url")}"`,
  "cache-control": "no-cache",
  "content-security-policy": POLICY,
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer"
})

const files = Effect.sync(() =>
  readdirSync(folder)
    .filter((name) => extname(name) in types)
    .map((name): File => {
      const bytes = readFileSync(new URL(name, folder))
      return { name, bytes, headers: headersOf(name, bytes) }
    })
)

/** The page itself is at the root, and other pages at their names. */
const pathOf = (name: string): `/${string}` => (name === "index.html" ? "/" : `/${name.replace(/\.html$/u, "")}`)

/** Each file has a path of its own, so that no path leads out of the folder. */
const route = ({ name, bytes, headers }: File) =>
  HttpRouter.route("GET", pathOf(name), (request) =>
    Effect.succeed(
      request.headers["if-none-match"] === headers["etag"]
        ? HttpServerResponse.empty({ status: 304, headers })
        : HttpServerResponse.uint8Array(bytes, { headers })
    )
  )

export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter> = Layer.unwrap(
  Effect.map(files, (files) => HttpRouter.addAll(files.map(route)))
)
