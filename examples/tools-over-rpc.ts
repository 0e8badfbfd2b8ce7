/**
 * The tools' RPC endpoint alone, in a server of your own beside its other routes, for those who know a token. Reminders
 * live in a log in memory; a real server brings its own. Run it with `node examples/tools-over-rpc.ts`.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Deferred, Effect, Layer, Option } from "effect"
import { FetchHttpClient, HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { RpcClient, RpcSerialization, RpcServer } from "effect/rpc"
import { createServer } from "node:http"
import {
  AgentQueue,
  AlarmClock,
  BearerToken,
  EventLogMemory,
  Reminders,
  RpcAuth,
  RpcAuthBearer,
  ScheduleRpc,
  ScheduleRpcHandlers,
  SessionReminders
} from "../src/index.ts"

const token = Option.getOrThrow(BearerToken.fromText("open-sesame"))
const heard = Deferred.makeUnsafe<string>()

/** This server's only conversation. Its Agent is always idle, and a message for it is one for us. */
const Conversation = SessionReminders.layer.pipe(
  Layer.provide([
    EventLogMemory.layer(),
    AlarmClock.layer,
    Layer.succeed(AgentQueue.AgentQueue, {
      awaitIdle: Effect.void,
      maintain: (effect) => effect,
      followUp: ({ text }) => Effect.asVoid(Deferred.succeed(heard, text))
    })
  ])
)

/** Where a call finds the reminders of the Session that it names. */
const Sessions = Layer.effect(
  ScheduleRpc.RemindersBySession,
  Effect.map(Reminders.Reminders, (reminders) => ({
    get: (session: unknown) =>
      session === "mine"
        ? Effect.succeed(reminders)
        : Effect.fail({ code: "session_not_found", message: 'There is one Session here: "mine".' })
  }))
).pipe(Layer.provide(Conversation))

const Tools = ScheduleRpc.ScheduleRpc.middleware(RpcAuth.RpcAuth)

const ToolsEndpoint = RpcServer.layerHttp({ group: Tools, path: "/reminders", protocol: "http" }).pipe(
  Layer.provide([ScheduleRpcHandlers.layer, RpcAuthBearer.layer(token), RpcSerialization.layerNdjson]),
  Layer.provide(Sessions)
)

const YourRoutes = HttpRouter.add("GET", "/", HttpServerResponse.text("a server of your own"))

const Server = HttpRouter.serve(Layer.mergeAll(YourRoutes, ToolsEndpoint), {
  disableLogger: true,
  disableListenLog: true
}).pipe(Layer.provideMerge(NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1" })))

const call = Effect.fnUntraced(function* (url: string, shown: BearerToken.BearerToken | undefined) {
  const client = yield* RpcClient.make(Tools).pipe(
    Effect.provide([
      RpcClient.layerProtocolHttp({ url: `${url}/reminders` }).pipe(
        Layer.provide([FetchHttpClient.layer, RpcSerialization.layerNdjson])
      ),
      RpcAuthBearer.layerClient(shown)
    ])
  )
  yield* client.schedule_create({ session: "mine", input: { prompt: "stretch", after_seconds: 1 } })
  return yield* client.schedule_list({ session: "mine" })
}, Effect.scoped)

const program = Effect.gen(function* () {
  const { address } = yield* HttpServer.HttpServer
  const url = HttpServer.formatAddress(address)
  const refusal = yield* Effect.flip(call(url, undefined))
  yield* Console.log(`without the token: ${"code" in refusal ? refusal.code : refusal.message}`)
  for (const { id, kind, prompt } of yield* call(url, token)) yield* Console.log(`${id} (${kind}): ${prompt}`)
  yield* Console.log(yield* Deferred.await(heard))
})

NodeRuntime.runMain(Effect.provide(program, Server))
