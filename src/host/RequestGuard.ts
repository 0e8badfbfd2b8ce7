/**
 * Which requests a loopback port answers: those of its own machine's programs and of its own pages, and no others.
 *
 * A page from anywhere can make a browser send requests here, by a name that was bound to this address after the page
 * was loaded, or across origins. Their headers give both away.
 */

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

/** Someone who follows a link from another site comes from there, and may. */
const isForeign = (headers: Headers): boolean => {
  const site = headers["sec-fetch-site"] ?? "none"
  const isVisit = headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document"
  return site !== "same-origin" && site !== "none" && !isVisit
}

type Headers = Readonly<Record<string, string | undefined>>

/** Why a request with these headers is not answered; none if it is. */
export const refusal = (headers: Headers): string | undefined => {
  const host = parse(headers["host"] ?? "")
  if (!isLoopback(host.name)) return "This host answers to the names of its own machine only, such as localhost."
  const { origin } = headers
  if ((origin !== undefined && !isOwn(origin, host)) || isForeign(headers)) {
    return "This host answers no requests of pages from elsewhere."
  }
  return undefined
}
