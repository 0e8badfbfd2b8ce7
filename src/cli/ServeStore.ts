/**
 * Where `serve` keeps its Sessions: in a file, in PostgreSQL, or in PostgreSQL together with other runners. Nothing of
 * them is loaded before it is chosen.
 */
import { type Config, Effect, type Layer, Option, type Redacted, Schema } from "effect"
import { Flag } from "effect/cli"
import type { SocketServer } from "effect/socket"
import type { Sessions } from "../host/Sessions.ts"
import type { StoreError } from "../layers/StoreError.ts"
import * as DatabaseUrl from "./DatabaseUrl.ts"
import * as Logs from "./Logs.ts"
import { type Refusal, wrongUsage, type WrongUsage } from "./Output.ts"
import type { ModelLayer } from "./ServeModel.ts"

const Port = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 }))

export const flags = {
  databaseUrl: DatabaseUrl.flag,
  cluster: Flag.Boolean("cluster").pipe(
    Flag.withoutNegation,
    Flag.withDefault(false),
    Flag.withDescription("Share the Sessions in PostgreSQL with other runners, on this machine or others")
  ),
  runnerHost: Flag.String("runner-host").pipe(
    Flag.withSchema(Schema.NonEmptyString),
    Flag.withDefault("127.0.0.1"),
    Flag.withDescription(
      "With --cluster, where the other runners reach this one; only they may, for whoever does commands all Sessions " +
        "(default: 127.0.0.1)"
    )
  ),
  runnerPort: Flag.Int("runner-port").pipe(
    Flag.withSchema(Port),
    Flag.withDefault(34_431),
    Flag.withDescription("With --cluster, the port that they reach it on (default: 34431)")
  )
}

interface Flags {
  readonly db: Option.Option<string>
  readonly databaseUrl: Option.Option<string>
  readonly cluster: boolean
  readonly runnerHost: string
  readonly runnerPort: number
}

export type Store =
  | { readonly file: string }
  | { readonly url: Redacted.Redacted; readonly runner?: { readonly host: string; readonly port: number } }

/** The store that the flags and the environment name; a file that is named counts more than the environment. */
export const choose = ({
  db,
  databaseUrl,
  cluster,
  runnerHost: host,
  runnerPort: port
}: Flags): Effect.Effect<Store, WrongUsage> =>
  Effect.gen(function* () {
    if (Option.isSome(db) && Option.isSome(databaseUrl)) {
      return yield* wrongUsage("--db and --database-url are two places: give one of them.")
    }
    const url = Option.isSome(db) ? Option.none() : yield* DatabaseUrl.read(databaseUrl)
    if (Option.isSome(url)) return { url: url.value, ...(cluster ? { runner: { host, port } } : {}) }
    if (cluster) return yield* wrongUsage("--cluster needs --database-url: runners share a PostgreSQL database.")
    return { file: Option.getOrElse(db, () => Logs.DB) }
  })

export type Failure = StoreError | Config.ConfigError | SocketServer.SocketServerError

/** The Sessions in that store. */
export const load = Effect.fnUntraced(function* (
  store: Store,
  model: ModelLayer
): Effect.fn.Return<Layer.Layer<Sessions, Failure>, Refusal> {
  if ("file" in store) {
    const { layer } = yield* Effect.promise(() => import("../host/SqliteHost.ts"))
    return layer({ file: store.file, model })
  }
  const { url, runner } = store
  if (runner === undefined) {
    const { layer } = yield* DatabaseUrl.withDriver(() => import("../host/PgHost.ts"))
    return layer({ url, model })
  }
  const { layer } = yield* DatabaseUrl.withDriver(() => import("../cluster/ClusterHost.ts"))
  return layer({ url, runner, model })
})
