/**
 * `serve`: the host. What it is made of is loaded only when it is to run.
 */
import { Config, Effect, type Option, Redacted, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { isLoopback } from "../host/RequestGuard.ts"
import * as LogLine from "./LogLine.ts"
import { refuse } from "./Output.ts"
import * as PathName from "./PathName.ts"
import * as ServeModel from "./ServeModel.ts"
import * as ServeStore from "./ServeStore.ts"
import * as Token from "./Token.ts"

const Port = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 }))

const tokenRequired = (host: string) =>
  refuse(
    "token_required",
    `Other machines reach ${host}, and whoever reaches the port commands the host: give it a token, in ` +
      "SESSION_SCHEDULE_TOKEN or with --token-file."
  )

/** Fewer characters than these can be guessed by whoever may try again and again. */
const GUESSABLE = 16

const access = Effect.fnUntraced(function* (host: string, tokenFile: Option.Option<string>) {
  const token = yield* Token.read(tokenFile)
  if (isLoopback(host)) return token
  if (token === undefined) return yield* tokenRequired(host)
  if (Redacted.value(token).length < GUESSABLE) {
    yield* Effect.logWarning(`The token can be guessed: make it one of ${GUESSABLE} random characters or more`)
  }
  return token
})

export const serve = Command.make(
  "serve",
  {
    port: Flag.Int("port").pipe(
      Flag.withSchema(Port),
      Flag.withDefault(4_319),
      Flag.withDescription("The port to listen on; 0 picks a free one (default: 4319)")
    ),
    db: PathName.flag("db").pipe(
      Flag.withSchema(Schema.NonEmptyString),
      Flag.withMetavar("FILE"),
      Flag.withDescription("The database, made if it is missing (default: data/schedule.db)"),
      Flag.optional
    ),
    ...ServeStore.flags,
    host: Flag.String("host").pipe(
      Flag.withSchema(Schema.NonEmptyString),
      Flag.withDefault("127.0.0.1"),
      Flag.withDescription("The address to listen on; others than this machine's own need a token (default: 127.0.0.1)")
    ),
    tokenFile: Token.fileFlag,
    resume: Flag.Boolean("resume").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Reopen the Sessions that have active reminders or something unfinished, so that they go on")
    ),
    logFormat: Flag.Literals("log-format", LogLine.FORMATS).pipe(
      Flag.withFallbackConfig(Config.Literals(LogLine.FORMATS, "SESSION_SCHEDULE_LOG_FORMAT")),
      Flag.withDefault("logfmt"),
      Flag.withDescription("How the log output is written; also SESSION_SCHEDULE_LOG_FORMAT (default: logfmt)")
    ),
    ...ServeModel.flags
  },
  Effect.fnUntraced(function* (options) {
    const token = yield* access(options.host, options.tokenFile)
    const model = yield* ServeModel.choose(options)
    const store = yield* ServeStore.choose(options)
    const { serve } = yield* Effect.promise(() => import("./ServeHost.ts"))
    return yield* serve({ ...options, model, store, token, host: options.host.replace(/^\[(.*)\]$/u, "$1") })
  })
).pipe(
  Command.withDescription("Run the host: Sessions with their Agents and reminders, on one port."),
  Command.withShortDescription("Run the host")
)
