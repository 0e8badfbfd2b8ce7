/**
 * A secret that callers show to be answered, as `Authorization: Bearer …` carries it.
 */
import { createHash, timingSafeEqual } from "node:crypto"
import { Option, Redacted } from "effect"

/** A secret of the characters that a header can carry. Nothing prints it. */
export type BearerToken = Redacted.Redacted

/** What RFC 6750 lets a token be made of. */
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/u

const CREDENTIALS = /^Bearer +(\S+)$/iu

/** The token that a text holds, without the white space around it; none if it is empty, or no header can carry it. */
export const fromText = (text: string): Option.Option<BearerToken> =>
  Option.liftPredicate(text.trim(), (token) => TOKEN.test(token)).pipe(
    Option.map((token) => Redacted.make(token, { label: "token" }))
  )

/** The value of the header that shows the token. */
export const toHeader = (token: BearerToken): string => `Bearer ${Redacted.value(token)}`

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

/** Whether the value of an `Authorization` header shows the token. How long it takes tells nothing of the token. */
export const accepts = (token: BearerToken, header: string | undefined): boolean => {
  const [, shown = ""] = CREDENTIALS.exec(header ?? "") ?? []
  return timingSafeEqual(digest(shown), digest(Redacted.value(token)))
}
