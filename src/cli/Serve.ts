/**
 * `serve`: the host. What it is made of is loaded only when it is to run.
 */
import { Effect, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { isLoopback } from "../host/RequestGuard.ts"
import { refuse } from "./Output.ts"

const Port = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 }))

const notLoopback = refuse(
  "not_loopback",
  "Only addresses of this machine itself can be served, such as 127.0.0.1: whoever reaches the port commands it."
)

export const serve = Command.make(
  "serve",
  {
    port: Flag.Int("port").pipe(
      Flag.withSchema(Port),
      Flag.withDefault(4_319),
      Flag.withDescription("The port to listen on; 0 picks a free one (default: 4319)")
    ),
    db: Flag.String("db").pipe(
      Flag.withSchema(Schema.NonEmptyString),
      Flag.withMetavar("FILE"),
      Flag.withDefault("data/schedule.db"),
      Flag.withDescription("The database, made if it is missing (default: data/schedule.db)")
    ),
    host: Flag.String("host").pipe(
      Flag.withDefault("127.0.0.1"),
      Flag.withDescription("The address to listen on: one of this machine itself (default: 127.0.0.1)")
    )
  },
  Effect.fnUntraced(function* (options) {
    if (!isLoopback(options.host)) return yield* notLoopback
    const { serve } = yield* Effect.promise(() => import("./ServeHost.ts"))
    yield* serve({ ...options, host: options.host.replace(/^\[(.*)\]$/u, "$1") })
  })
).pipe(
  Command.withDescription("Run the host: Sessions with their Agents and reminders, on one port of this machine."),
  Command.withShortDescription("Run the host")
)
