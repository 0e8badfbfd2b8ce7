/**
 * The host's HTTP API, as the command calls it. Loaded only by the commands that do.
 */
import { Effect, type Schema } from "effect"
import { FetchHttpClient, HttpClientError } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { type Failure, HostApi } from "../host/HostApi.ts"
import { type Refusal, refuse } from "./Output.ts"

export type Client = HttpApiClient.ForApi<typeof HostApi>
export type ClientError = Failure | HttpClientError.HttpClientError | Schema.SchemaError

const explain =
  (url: string) =>
  (error: ClientError): Refusal => {
    if ("code" in error) {
      const { code, message, ...details } = error
      return refuse(code, message, details)
    }
    return HttpClientError.isHttpClientError(error) && error.reason._tag === "TransportError"
      ? refuse("unreachable", `No host answers at ${url}: start one with "session-schedule serve".`)
      : refuse("unexpected_answer", `What answers at ${url} is no host of session-schedule.`)
  }

/** Calls the host at `url`; whatever goes wrong is a refusal. */
export const call = <A>(
  url: string,
  use: (client: Client) => Effect.Effect<A, ClientError>
): Effect.Effect<A, Refusal> =>
  HttpApiClient.make(HostApi, { baseUrl: url }).pipe(
    Effect.flatMap(use),
    Effect.mapError(explain(url)),
    Effect.provide(FetchHttpClient.layer)
  )
