/**
 * A host with its page, API and RPC in this process, and a typed client that talks to it.
 */
import { Console, Effect, Layer, Stream } from "effect"
import { HttpServer, LocalModel, SqliteHost } from "effect-session-schedule/host"
import { HostRpcClient } from "effect-session-schedule/rpc"
import { HttpServer as Bound } from "effect/http"

const server = HttpServer.layer({ port: 0, host: "127.0.0.1" }).pipe(
  Layer.provide(SqliteHost.layer({ file: ":memory:", model: LocalModel.layer }))
)

const talk = Effect.gen(function* () {
  const host = yield* HostRpcClient.HostRpcClient
  yield* host.session_create({ id: "tea" })
  yield* host.schedule_create({ session: "tea", input: { prompt: "drink it", after_seconds: 1 } })
  const said = host.session_follow({ session: "tea" }).pipe(
    Stream.takeUntil(({ type }) => type === "turn/ended"),
    Stream.map(({ type }) => type)
  )
  yield* Console.log((yield* Stream.runCollect(said)).join(" "))
})

const look = Effect.gen(function* () {
  const host = yield* HostRpcClient.HostRpcClient
  const sessions = yield* host.session_list()
  yield* Console.log(sessions.map(({ id, state }) => `${id} ${state}`).join())
})

const program = Effect.gen(function* () {
  const { address } = yield* Bound.HttpServer
  const url = Bound.formatAddress(address)
  yield* Effect.provide(talk, HostRpcClient.layerHttp({ url }))
  yield* Effect.provide(look, HostRpcClient.layerWebSocket({ url }))
})

await Effect.runPromise(Effect.provide(program, server))
