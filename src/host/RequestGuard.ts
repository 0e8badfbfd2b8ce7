/**
 * Which requests the host answers: those of its own page, of programs within reach, and, where there is a token, of
 * those who show it.
 *
 * A page from anywhere can make a browser send requests here, by a name that was bound to this address after the page
 * was loaded, or across origins. Their headers give both away. Off loopback any name may be right, and the token is what
 * such a page lacks.
 */
import * as BearerToken from "../layers/BearerToken.ts"

/** The names of the machine itself. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/iu

const AUTHORITY = /^(.*?)(?::(\d{1,5}))?$/su

interface Authority {
  readonly name: string
  readonly port: string
}

const parse = (authority: string): Authority => {
  const [, name = "", port = "80"] = AUTHORITY.exec(authority) ?? []
  return { name, port }
}

/** Whether a name or address means the machine itself. */
export const isLoopback = (name: string): boolean => LOOPBACK.test(name)

/** Another port of this machine may serve anyone's page, so that only our own will do. */
const isOwn = (origin: string, host: Authority): boolean => {
  if (!origin.startsWith("http://")) return false
  const { name, port } = parse(origin.slice("http://".length))
  return isLoopback(name) && port === host.port
}

/** The origin of a page that came from the very host that it asks; what stands in front may have added TLS. */
const isSame = (origin: string, host: string): boolean =>
  [`http://${host}`, `https://${host}`].includes(origin.toLowerCase())

/** Someone who follows a link from another site comes from there, and may. */
const isForeign = (headers: Headers): boolean => {
  const site = headers["sec-fetch-site"] ?? "none"
  const isVisit = headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document"
  return site !== "same-origin" && site !== "none" && !isVisit
}

type Headers = Readonly<Record<string, string | undefined>>

/** Who may ask. */
export interface Access {
  /** Where the host listens: on this machine alone, or where other machines reach it, by names it can't know. */
  readonly reach: "loopback" | "network"
  /** Those who show it; everyone within reach if there is none. */
  readonly token: BearerToken.BearerToken | undefined
}

/** Why a request is not answered. */
export interface Refusal {
  readonly status: 401 | 403
  readonly code: "unauthorized" | "forbidden"
  readonly message: string
}

const forbidden = (message: string): Refusal => ({ status: 403, code: "forbidden", message })

const missingToken: Refusal = {
  status: 401,
  code: "unauthorized",
  message: "This host asks for its token: send the header Authorization: Bearer, followed by the token."
}

/**
 * The page's own files. They hold no data, and a browser can show no token before it has them; from then on, the page
 * shows it with each of its requests. And the host's health, of which those without the token are told one word.
 */
const OPEN = /^\/(?:docs|healthz|[\w-]+\.(?:css|js|svg))?$/u

const isOpen = (method: string, path: string): boolean =>
  (method === "GET" || method === "HEAD") && OPEN.test(path.split("?", 1)[0] ?? "")

/** Why this request is not answered; none if it is. */
export const refusal = (
  { reach, token }: Access,
  { method, url, headers }: { readonly method: string; readonly url: string; readonly headers: Headers }
): Refusal | undefined => {
  const { host = "", origin } = headers
  const authority = parse(host)
  if (reach === "loopback" && !isLoopback(authority.name)) {
    return forbidden("This host answers to the names of its own machine only, such as localhost.")
  }
  const isOurs =
    origin === undefined || (reach === "loopback" ? isOwn(origin, authority) : isSame(origin, host.toLowerCase()))
  if (!isOurs || isForeign(headers)) return forbidden("This host answers no requests of pages from elsewhere.")
  const isKnown = token === undefined || isOpen(method, url) || BearerToken.accepts(token, headers["authorization"])
  return isKnown ? undefined : missingToken
}
