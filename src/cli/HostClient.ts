/**
 * The host's HTTP API, as the command calls it. Loaded only by the commands that do.
 */
import { Effect, type Schema } from "effect"
import { FetchHttpClient, HttpClient, HttpClientError, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { type Failure, HostApi } from "../host/HostApi.ts"
import * as BearerToken from "../layers/BearerToken.ts"
import { type Refusal, refuse } from "./Output.ts"

export type Client = HttpApiClient.ForApi<typeof HostApi>
export type ClientError = Failure | HttpClientError.HttpClientError | Schema.SchemaError

/** The host refuses who asks, with or without a token. */
export const unauthorized = (token: BearerToken.BearerToken | undefined): Refusal =>
  refuse(
    "unauthorized",
    token === undefined
      ? "The host asks for its token: name the file that holds it with --token-file, or set SESSION_SCHEDULE_TOKEN."
      : "The host has another token than the one in --token-file or SESSION_SCHEDULE_TOKEN: write the host's there."
  )

export const unreachable = (url: string): Refusal =>
  refuse("unreachable", `No host answers at ${url}: start one with "session-schedule serve".`)

/** Where the host answers, and what it is shown. */
export interface Options {
  readonly url: string
  readonly token: BearerToken.BearerToken | undefined
}

const explain =
  ({ url, token }: Options) =>
  (error: ClientError): Refusal => {
    if ("code" in error) {
      const { code, message, ...details } = error
      return code === "unauthorized" ? unauthorized(token) : refuse(code, message, details)
    }
    return HttpClientError.isHttpClientError(error) && error.reason._tag === "TransportError"
      ? unreachable(url)
      : refuse("unexpected_answer", `What answers at ${url} is no host of session-schedule.`)
  }

const showing =
  (token: BearerToken.BearerToken | undefined) =>
  (client: HttpClient.HttpClient): HttpClient.HttpClient =>
    token === undefined
      ? client
      : HttpClient.mapRequest(client, HttpClientRequest.setHeader("authorization", BearerToken.toHeader(token)))

/** Asks the host something; whatever goes wrong is a refusal. */
export type Ask = <A>(use: (client: Client) => Effect.Effect<A, ClientError>) => Effect.Effect<A, Refusal>

/** The host at an address. */
export const connect = (options: Options): Effect.Effect<Ask> =>
  HttpApiClient.make(HostApi, { baseUrl: options.url, transformClient: showing(options.token) }).pipe(
    Effect.map(
      (client): Ask =>
        (use) =>
          Effect.mapError(use(client), explain(options))
    ),
    Effect.provide(FetchHttpClient.layer)
  )
