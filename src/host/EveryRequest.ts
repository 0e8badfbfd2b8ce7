/**
 * What holds for every request, whoever answers it: who may ask, how much is read, and that every failure is JSON.
 */
import { ByteSize, Cause, Effect } from "effect"
import { HttpEffect, HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Socket } from "effect/socket"
import type { Failure } from "./HostApi.ts"
import { internalError } from "./HostFailure.ts"
import * as RequestGuard from "./RequestGuard.ts"

/** The most bytes of a body, or of a WebSocket message, that are read. */
export const MAX_BODY_BYTES = 65_536

/** What the layers below say by a status alone. */
const failureOf = (status: number): Failure => {
  switch (status) {
    case 403:
      return { code: "forbidden", message: "This is not for pages of a browser." }
    case 404:
      return { code: "not_found", message: "There is nothing at this path; /openapi.json lists what there is." }
    case 413:
      return { code: "too_large", message: `The body is larger than ${MAX_BODY_BYTES} bytes.` }
    case 415:
      return { code: "invalid_request", message: "Send the body as JSON, with content-type: application/json." }
    case 503:
      return { code: "unavailable", message: "The host is stopping; try again when it is back." }
    default:
      return status < 500 ? { code: "invalid_request", message: "This request is not understood." } : internalError
  }
}

const isJson = ({ headers }: HttpServerResponse.HttpServerResponse): boolean =>
  headers["content-type"]?.startsWith("application/json") === true

const inJson = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
  const { status } = response
  if (status < 400 || isJson(response)) return response
  return HttpServerResponse.jsonUnsafe(failureOf(status), { status: status === 415 ? 400 : status })
}

/** A client's own doing: its message was no WebSocket's, or too large for one here. */
const isBrokenSocket = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  return Socket.isSocketError(error) && error.reason._tag === "SocketReadError"
}

const logged = (cause: Cause.Cause<unknown>): Effect.Effect<void> => {
  if (!isUnexpected(cause)) return Effect.void
  return isBrokenSocket(cause)
    ? Effect.logInfo("A WebSocket was closed: what its client sent was too large, or can't be read")
    : Effect.logError("A request failed unexpectedly", cause)
}

/** Caches keep no answer, and other sites read none. */
const ownHeaders = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeaders(response, {
    "cache-control": response.headers["cache-control"] ?? "no-store",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff"
  })

const refused = ({ status, code, message }: RequestGuard.Refusal): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe({ code, message } satisfies Failure, {
    status,
    ...(status === 401 ? { headers: { "www-authenticate": "Bearer" } } : {})
  })

const isUnexpected = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => reason._tag === "Die" && !HttpServerError.isHttpServerError(reason.defect))

export const layer = (access: RequestGuard.Access) =>
  HttpRouter.middleware(
    (app) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        yield* HttpEffect.appendPreResponseHandler((_, response) => Effect.succeed(ownHeaders(inJson(response))))
        const refusal = RequestGuard.refusal(access, request)
        return refusal === undefined ? yield* app : refused(refusal)
      }).pipe(
        Effect.provideService(HttpServerRequest.MaxBodySize, ByteSize.bytes(MAX_BODY_BYTES)),
        Effect.tapCause(logged)
      ),
    { global: true }
  )
