/**
 * The server that `session-schedule serve` runs, on a free port, which lets more connections in:
 * `node bench/ours/LoadedServer.ts FILE CONNECTIONS`. Sends its URL.
 */
import { Context, Effect, Layer } from "effect"
import { HttpServer as Bound } from "effect/http"
import * as HttpServer from "../../src/host/HttpServer.ts"
import { Limits } from "../../src/host/Listener.ts"
import * as LocalModel from "../../src/host/LocalModel.ts"
import * as SqliteHost from "../../src/host/SqliteHost.ts"
import * as Child from "../measure/Child.ts"

const [file = "", connections = ""] = process.argv.slice(2)

const main = Effect.gen(function* () {
  const limits = { ...(yield* Limits), connections: Number(connections) }
  const sessions = SqliteHost.layer({ file, model: LocalModel.layer })
  const server = HttpServer.layer({ host: "127.0.0.1", port: 0 }).pipe(Layer.provide(sessions))
  const context = yield* Effect.provideService(Layer.build(server), Limits, limits)
  const { address } = Context.get(context, Bound.HttpServer)
  yield* Effect.promise(() => Child.answer(Bound.formatAddress(address)))
  return yield* Effect.never
}).pipe(Effect.scoped)

const controller = new AbortController()
process.once("SIGTERM", () => controller.abort())
process.once("disconnect", () => controller.abort())
await Effect.runPromise(main, { signal: controller.signal }).catch(() => process.exit(0))
