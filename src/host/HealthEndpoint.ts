/**
 * `GET /healthz`: 200 while the host can do its work, 503 while it can't. Whoever supervises a host may have no token of
 * it, and is told the status alone; those who show the token, or need none, are told why.
 */
import { Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import * as BearerToken from "../layers/BearerToken.ts"
import { Health } from "./Health.ts"
import { Sessions } from "./Sessions.ts"

const encode = Schema.encodeSync(Health)

export const layer = (
  token: BearerToken.BearerToken | undefined
): Layer.Layer<never, never, Sessions | HttpRouter.HttpRouter> =>
  Layer.unwrap(
    Effect.map(Sessions, ({ health }) =>
      HttpRouter.add("GET", "/healthz", ({ headers }) =>
        Effect.map(health, (found) => {
          const isKnown = token === undefined || BearerToken.accepts(token, headers["authorization"])
          const body = isKnown ? encode(found) : { status: found.status }
          return HttpServerResponse.jsonUnsafe(body, { status: found.status === "unavailable" ? 503 : 200 })
        })
      )
    )
  )
