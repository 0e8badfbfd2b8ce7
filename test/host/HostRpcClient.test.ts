import { assert, describe, layer } from "@effect/vitest"
import { Effect, Option, Stream } from "effect"
import type { HttpServer } from "effect/http/HttpServer"
import { inspect } from "node:util"
import * as BearerToken from "../../src/layers/BearerToken.ts"
import { HostRpcClient, layerHttp, layerWebSocket } from "../../src/host/HostRpcClient.ts"
import { hostWith, port, url } from "./HttpClient.ts"

const tokenOf = (text: string) => Option.getOrThrow(BearerToken.fromText(text))
const token = tokenOf("s3cret")

const transports = { HTTP: layerHttp, WebSocket: layerWebSocket }

const using = <A, E>(
  transport: typeof layerHttp,
  use: (client: HostRpcClient["Service"]) => Effect.Effect<A, E>,
  shown: { readonly token?: BearerToken.BearerToken } = { token }
) =>
  Effect.flatMap(url, (url) =>
    Effect.provide(Effect.flatMap(HostRpcClient, use), transport({ url: `${url}/`, ...shown }), { local: true })
  )

for (const [name, transport] of Object.entries(transports)) {
  describe(`A client over ${name}`, () => {
    layer(hostWith({ token }))("with the host's token", (it) => {
      it.effect("makes, shows, forks, opens and closes Sessions", () =>
        using(
          transport,
          Effect.fnUntraced(function* (client) {
            const header = yield* client.session_create({ id: "a" })
            assert.deepStrictEqual<unknown>(header, { version: 1, id: "a", createdAt: 0 })
            yield* client.schedule_create({ session: "a", input: { prompt: "Tea", after_seconds: 60 } })
            const shown: object = yield* client.session_get({ session: "a" })
            assert.deepInclude(shown, { id: "a", state: "live", activeReminders: 1, nextTarget: 60_000 })
            const child: object = yield* client.session_fork({ session: "a", id: "b", length: 1 })
            assert.deepInclude(child, { id: "b", parentId: "a", seedLength: 1 })
            yield* client.session_close({ session: "a" })
            assert.deepStrictEqual(
              (yield* client.session_list()).map(({ id, state }) => `${id} ${state}`),
              ["a cold", "b cold"]
            )
            assert.deepStrictEqual(yield* client.session_open({ session: "a" }), header)
            assert.isString((yield* client.session_create({})).id)
          })
        )
      )

      it.effect("says something, and reads and follows what comes of it", () =>
        using(
          transport,
          Effect.fnUntraced(function* (client) {
            yield* client.session_create({ id: "talk" })
            const said = { session: "talk", text: "one", timeZone: "Asia/Shanghai" }
            assert.deepStrictEqual(yield* client.session_prompt(said), { messageId: 1 })
            const told = yield* client.session_follow({ session: "talk" }).pipe(
              Stream.takeUntil(({ type }) => type === "turn/ended"),
              Stream.runCollect
            )
            const { events, end } = yield* client.session_transcript({ session: "talk" })
            assert.deepStrictEqual(told, events)
            assert.strictEqual(end, events.length)
            const part = yield* client.session_transcript({ session: "talk", from: 1, limit: 1 })
            assert.deepStrictEqual(part, { events: [events[1]!], end: 2 })
            const [last] = yield* Stream.runCollect(
              Stream.take(client.session_follow({ session: "talk", from: end - 1 }), 1)
            )
            assert.deepStrictEqual(last, events.at(-1))
          })
        )
      )

      it.effect("is told in the host's codes what is wrong, whatever it sends", () =>
        using(
          transport,
          Effect.fnUntraced(function* (client) {
            yield* client.session_create({ id: "c" })
            const refused = [
              [client.session_create({ id: "c" }), "session_exists"],
              [client.session_create({ id: 7 }), "invalid_session_id"],
              [client.session_open({}), "invalid_session_id"],
              [client.session_get({ session: "nobody" }), "session_not_found"],
              [client.session_close({ session: "nobody" }), "session_not_found"],
              [client.session_fork({ session: "c", length: "1" }), "invalid_fork"],
              [client.session_prompt({ session: "c", text: 1 }), "invalid_prompt"],
              [client.session_prompt({ session: "c", text: "x", timeZone: "Mars/Base" }), "invalid_time_zone"],
              [client.session_transcript({ session: "c", from: "0" }), "invalid_request"],
              [client.session_transcript({ session: "c", from: -1 }), "invalid_request"],
              [client.session_transcript({ session: "c", limit: 1_001 }), "invalid_request"],
              [Stream.runDrain(client.session_follow({ session: "c", from: 0.5 })), "invalid_request"],
              [Stream.runDrain(client.session_follow({ session: "nobody" })), "session_not_found"],
              [client.schedule_list({ session: "secret" }), "internal_error"]
            ] as const
            for (const [call, code] of refused)
              assert.deepInclude(yield* Effect.flip<unknown, unknown, never>(call), { code })
          })
        )
      )

      it.effect("is not answered without it, or with another", () =>
        Effect.gen(function* () {
          const refusal = name === "HTTP" ? { code: "unauthorized" } : { _tag: "RpcClientError" }
          for (const shown of [{}, { token: tokenOf("wrong-token") }]) {
            const list = using(transport, (client) => client.session_list(), shown)
            const follow = using(transport, (client) => Stream.runDrain(client.session_follow({ session: "a" })), shown)
            for (const call of [list, follow]) {
              const failure: unknown = yield* Effect.flip<unknown, unknown, HttpServer>(call)
              assert.deepInclude(failure, refusal)
              assert.notInclude(inspect(failure, { depth: 20, showHidden: true }), "wrong-token")
            }
          }
        })
      )
    })

    layer(hostWith({}))("without a host", (it) => {
      it.effect("fails with an error of the client", () =>
        Effect.gen(function* () {
          assert.isAbove(yield* port, 0)
          const nowhere = transport({ url: "http://127.0.0.1:1" })
          const failure = yield* Effect.flip(
            Effect.provide(
              Effect.flatMap(HostRpcClient, (client) => client.session_list()),
              nowhere
            )
          )
          assert.deepInclude(failure, { _tag: "RpcClientError" })
        })
      )
    })
  })
}
