/**
 * Refuses what can't become a WebSocket in JSON, like everything else, before the protocol says so in its own way.
 */
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Failure } from "./HostApi.ts"

type Headers = Readonly<Record<string, string | undefined>>

const KEY = /^[+/0-9A-Za-z]{22}==$/u
const PROTOCOL = /^[\w.-]+$/u

const isHandshake = (headers: Headers): boolean =>
  headers["upgrade"]?.toLowerCase() === "websocket" &&
  headers["sec-websocket-version"] === "13" &&
  KEY.test(headers["sec-websocket-key"] ?? "") &&
  PROTOCOL.test(headers["sec-websocket-protocol"] ?? "none")

const refusal = HttpServerResponse.jsonUnsafe(
  { code: "invalid_request", message: "This path speaks WebSocket, version 13, and nothing else." } satisfies Failure,
  { status: 400 }
)

/** For a route that is a WebSocket. */
export const layer = HttpRouter.middleware((app) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
    isHandshake(headers) ? app : Effect.succeed(refusal)
  )
).layer
