/**
 * Who may call over RPC: whoever shows a token, in the headers of the connection or of the call itself.
 */
import { Schema } from "effect"
import { RpcMiddleware } from "effect/rpc"

/** The call showed no token, or not the right one; nothing was done. */
export const Unauthorized = Schema.Struct({ code: Schema.Literal("unauthorized"), message: Schema.String })
export type Unauthorized = typeof Unauthorized.Type

/** A refusal, as a value; it tells nothing of the right token. */
export const unauthorized: Unauthorized = {
  code: "unauthorized",
  message: "Show the token of this server: send the header Authorization: Bearer, followed by the token."
}

/** Guards a group: `ScheduleRpc.middleware(RpcAuth)`. `RpcAuthBearer` implements both of its sides. */
export class RpcAuth extends RpcMiddleware.Service<RpcAuth>()("effect-session-schedule/RpcAuth", {
  error: Unauthorized,
  requiredForClient: true
}) {}
