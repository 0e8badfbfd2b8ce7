/**
 * A typed client of a host's RPC: its Sessions and their reminders, over HTTP or over WebSocket.
 */
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import { FetchHttpClient, HttpClient, HttpClientError, HttpClientRequest } from "effect/http"
import { RpcClient, type RpcClientError, RpcMiddleware, RpcSerialization } from "effect/rpc"
import { Socket } from "effect/socket"
import { RpcAuth, unauthorized } from "../services/RpcAuth.ts"
import { HostRpc } from "./SessionsRpc.ts"

/** Where the host answers, such as `http://127.0.0.1:4319`, and the token that it asks for, if it does. */
export interface Options {
  readonly url: string
  readonly token?: Redacted.Redacted | undefined
}

/**
 * The calls. Each fails with the code and message of the host, or with `RpcClientError` if none answers. Over WebSocket
 * a wrong token is such an error, too, since there is no connection without the right one.
 */
export class HostRpcClient extends Context.Service<
  HostRpcClient,
  RpcClient.FromGroup<typeof HostRpc, RpcClientError.RpcClientError>
>()("effect-session-schedule/host/HostRpcClient") {}

const headers = ({ token }: Options) =>
  token === undefined ? undefined : { authorization: `Bearer ${Redacted.value(token)}` }

/** The status of an HTTP answer that was none to a call. */
export const statusOf = ({ reason }: RpcClientError.RpcClientError): number | undefined =>
  reason._tag === "HttpError" ? (reason.cause as Partial<HttpClientError.StatusCodeError>).response?.status : undefined

/** The transport shows the token; here its refusal gets the form of every other failure. */
const auth = RpcMiddleware.layerClient(RpcAuth, ({ next, request }) =>
  Effect.catchIf(
    next(request),
    (error) => statusOf(error as unknown as RpcClientError.RpcClientError) === 401,
    () => Effect.fail(unauthorized)
  )
)

/** The calls, over the protocol of the context. */
export const make: Effect.Effect<HostRpcClient["Service"], never, RpcClient.Protocol | Scope.Scope> = Effect.provide(
  RpcClient.make(HostRpc),
  auth
)

const layer = Layer.effect(HostRpcClient, make)

const url = (options: Options, path: string): string => options.url.replace(/\/+$/u, "") + path

/** A request for each call. */
export const layerHttp = (options: Options): Layer.Layer<HostRpcClient> =>
  layer.pipe(
    Layer.provide(
      RpcClient.layerProtocolHttp({
        url: url(options, "/rpc"),
        transformClient: (client) =>
          HttpClient.filterStatusOk(
            HttpClient.mapRequest(client, HttpClientRequest.setHeaders(headers(options) ?? {}))
          ) as typeof client
      })
    ),
    Layer.provide([FetchHttpClient.layer, RpcSerialization.layerNdjson])
  )

/** Node's sends headers with its handshake, which the types don't know; a browser's can't, so that it shows no token. */
const webSocket = Layer.succeed(
  Socket.WebSocketConstructor,
  Socket.WebSocketConstructor.of((url, init) => new WebSocket(url, init as string[] | undefined))
)

/** One connection for all calls, made anew when it breaks: the quickest for many. */
export const layerWebSocket = (options: Options): Layer.Layer<HostRpcClient> =>
  layer.pipe(
    Layer.provide(RpcClient.layerProtocolSocket()),
    Layer.provide(
      Socket.layerWebSocket(url(options, "/rpc/ws").replace(/^http/u, "ws"), { headers: headers(options) })
    ),
    Layer.provide([webSocket, RpcSerialization.layerNdjson])
  )
