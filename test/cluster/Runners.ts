/**
 * Runners as users run them, on one PostgreSQL of the test's own; each reaches it, and is reached, over wires that can be
 * cut.
 */
import { Effect, type Scope } from "effect"
import { fileURLToPath } from "node:url"
import * as PgServer from "../postgres/PgServer.ts"
import * as Server from "../torture/Server.ts"
import * as Ports from "./Ports.ts"
import * as Wire from "./Wire.ts"

/** A place for a runner, and who runs there. */
export interface Seat {
  readonly name: string
  readonly toStore: Wire.Wire
  readonly toPeers: Wire.Wire
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  server: Server.Server
  /** Where it answers; another address after each start. */
  url: string
}

/** How far the clock of a runner is off that is told to have another, in milliseconds. */
const SKEW = -60_000

const CLOCK = fileURLToPath(new URL("../torture/ClockServer.ts", import.meta.url))

/** Started and stopped with the scope. */
export const postgres: Effect.Effect<PgServer.PgServer, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(PgServer.make),
  (server) => Effect.promise(server.remove)
)

type Place = Pick<Seat, "args" | "env">

const started = (place: Place) => Server.started(place)

/** A runner a minute behind the others. */
const skewed = Effect.fnUntraced(function* (place: Place) {
  const server = yield* Server.spawned({
    ...place,
    main: CLOCK,
    env: { ...place.env, TORTURE_LONGEST_WAIT: "1000" }
  })
  server.process.send(SKEW)
  return [server, yield* server.url] as const
})

const startAt = (place: Place, isSkewed: boolean) => (isSkewed ? skewed(place) : started(place))

/** A new runner. */
export const seat = Effect.fnUntraced(function* (postgres: PgServer.PgServer, name: string, isSkewed = false) {
  const port = yield* Ports.free
  const [toStore, toPeers] = [yield* Wire.make(postgres.port), yield* Wire.make(port)]
  const url = new URL(postgres.url)
  url.port = String(toStore.port)
  const place = {
    args: ["--cluster", "--runner-port", String(toPeers.port)],
    env: {
      SESSION_SCHEDULE_DATABASE_URL: url.href,
      LISTEN_HOST: "127.0.0.1",
      LISTEN_PORT: String(port)
    }
  }
  const [server, at] = yield* startAt(place, isSkewed)
  const made: Seat = { name, toStore, toPeers, ...place, server, url: at }
  return made
})

/** Another runner in the place of one that is gone. */
export const replace = Effect.fnUntraced(function* (seat: Seat) {
  const [server, url] = yield* started(seat)
  seat.server = server
  seat.url = url
})
