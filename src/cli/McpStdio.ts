/**
 * The MCP server of one Session over standard input and output: each call goes to the running host.
 */
import { Effect, Layer, Stdio } from "effect"
import { McpServer } from "effect/ai"
import type { RpcClientError } from "effect/rpc"
import { MAX_BODY_BYTES } from "../host/EveryRequest.ts"
import * as HostRpcClient from "../host/HostRpcClient.ts"
import * as McpLines from "../host/McpLines.ts"
import * as ScheduleMcpServer from "../layers/ScheduleMcpServer.ts"
import { CalledReminders, type ToolFailure } from "../services/ScheduleMcpTools.ts"
import { unauthorized, unreachable } from "./HostClient.ts"
import { encode } from "./Output.ts"

export interface Options extends HostRpcClient.Options {
  readonly session: string
}

const tooLarge: ToolFailure = {
  code: "too_large",
  message: `The call is larger than the ${MAX_BODY_BYTES} bytes that a host reads: write a shorter prompt.`
}

/** Why there is no answer of the host. */
const unanswered = (url: string, error: RpcClientError.RpcClientError): ToolFailure => {
  const status = HostRpcClient.statusOf(error)
  if (status === undefined) return encode(unreachable(url))
  if (status === 413) return tooLarge
  return { code: "unexpected_answer", message: `What answers at ${url} refuses the call with status ${status}.` }
}

const told =
  ({ url, token }: Options) =>
  (error: ToolFailure | RpcClientError.RpcClientError): ToolFailure => {
    if (!("code" in error)) return unanswered(url, error)
    return error.code === "unauthorized" ? encode(unauthorized(token)) : error
  }

const make = (options: Options) =>
  Effect.map(HostRpcClient.HostRpcClient, (host): CalledReminders["Service"] => {
    const { session } = options
    return {
      create: (input) => Effect.mapError(host.schedule_create({ session, input }), told(options)),
      list: Effect.mapError(host.schedule_list({ session }), told(options)),
      delete: (id) =>
        Effect.mapError(host.schedule_delete(id === undefined ? { session } : { session, id }), told(options))
    }
  })

/** The client stops the server by leaving, or by a signal: neither is a failure. */
const untilLeft = <E, R>(server: Layer.Layer<never, E, R>) =>
  Effect.onInterrupt(Layer.launch(server), () =>
    Effect.sync(() => {
      process.exitCode = 0
    })
  )

const stdio = Layer.effect(Stdio.Stdio, Effect.map(Stdio.Stdio, McpLines.guarded))

export const serve = (options: Options) => {
  const called = McpServer.middleware<{ provides: CalledReminders }>()(
    Effect.map(make(options), (reminders) => (call) => Effect.provideService(call, CalledReminders, reminders))
  )
  return McpServer.layerStdio({
    ...ScheduleMcpServer.options,
    registrations: ScheduleMcpServer.options.registrations.pipe(Layer.provide(called.layer))
  }).pipe(Layer.provide([HostRpcClient.layerHttp(options), stdio]), untilLeft)
}
