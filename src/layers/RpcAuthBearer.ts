/**
 * `RpcAuth` by one bearer token that all callers share.
 */
import { Effect, Layer } from "effect"
import { Headers } from "effect/http"
import { RpcMiddleware } from "effect/rpc"
import { RpcAuth, unauthorized } from "../services/RpcAuth.ts"
import * as BearerToken from "./BearerToken.ts"

/** The server's side: only calls that show the token are answered; all are if there is none. */
export const layer = (token: BearerToken.BearerToken | undefined): Layer.Layer<RpcAuth> =>
  Layer.succeed(
    RpcAuth,
    RpcAuth.of((call, { headers }) =>
      token === undefined || BearerToken.accepts(token, headers["authorization"]) ? call : Effect.fail(unauthorized)
    )
  )

/** The client's side: every call shows the token, if there is one. */
export const layerClient = (
  token: BearerToken.BearerToken | undefined
): Layer.Layer<RpcMiddleware.ForClient<RpcAuth>> =>
  RpcMiddleware.layerClient(RpcAuth, ({ next, request }) =>
    next(
      token === undefined
        ? request
        : { ...request, headers: Headers.set(request.headers, "authorization", BearerToken.toHeader(token)) }
    )
  )
