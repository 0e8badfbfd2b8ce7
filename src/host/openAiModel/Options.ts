/**
 * What there is to say about an endpoint, apart from the client, whose types are not ours to show.
 */
import type { Redacted } from "effect"

/** Which model answers, and where. */
export interface Options {
  /** The address of the API, without its last step: `http://127.0.0.1:11434/v1`. */
  readonly url: string
  readonly model: string
  /** Sent as a bearer token; endpoints on one's own machine often need none. */
  readonly key?: Redacted.Redacted | undefined
}
