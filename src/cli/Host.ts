/**
 * What the commands share that ask a running host.
 */
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import type { Client, ClientError } from "./HostClient.ts"
import type { Refusal } from "./Output.ts"
import * as Token from "./Token.ts"

const readAddress = (text: string): Option.Option<string> =>
  /^https?:\/\//u.test(text) && URL.canParse(text) ? Option.some(text.replace(/\/+$/u, "")) : Option.none()

/** `--url`: the address of a host. */
export const address = Flag.String("url").pipe(
  Flag.filterMap(readAddress, () => "an address such as http://127.0.0.1:4319")
)

/** Where the host answers. */
const urlFlag = address.pipe(
  Flag.withDefault("http://127.0.0.1:4319"),
  Flag.withDescription("Where the host answers (default: http://127.0.0.1:4319)")
)

/** `--session`: whose reminders. */
export const sessionFlag = Flag.String("session").pipe(
  Flag.withMetavar("ID"),
  Flag.withDescription("The Session whose reminders are meant")
)

/** Which host is asked, and with which token. */
export const flags = { url: urlFlag, tokenFile: Token.fileFlag }

export interface Target {
  readonly url: string
  readonly tokenFile: Option.Option<string>
}

/** Asks the host; the HTTP client is loaded only here. */
export const ask = <A>(
  { url, tokenFile }: Target,
  use: (client: Client) => Effect.Effect<A, ClientError>
): Effect.Effect<A, Refusal> =>
  Effect.gen(function* () {
    const token = yield* Token.read(tokenFile)
    const { connect } = yield* Effect.promise(() => import("./HostClient.ts"))
    const ask = yield* connect({ url, token })
    return yield* ask(use)
  })
