/**
 * What is done to a cluster: each blow hits one runner, or the PostgreSQL of all.
 */
import { Effect, type Scope } from "effect"
import type { PgServer } from "../postgres/PgServer.ts"
import type { NotStarted } from "../torture/Server.ts"
import * as Terminate from "./Terminate.ts"
import * as Runners from "./Runners.ts"

export interface Blow {
  readonly name: string
  /** Hits; and answers how to mend what was hit, some time later. */
  hit(
    seat: Runners.Seat,
    postgres: PgServer
  ): Effect.Effect<Effect.Effect<void, NotStarted, Scope.Scope>, NotStarted, Scope.Scope>
}

export const kill: Blow = {
  name: "SIGKILL",
  hit: (seat) => Effect.as(seat.server.stop("SIGKILL"), Runners.replace(seat))
}

export const freeze: Blow = {
  name: "SIGSTOP, then SIGCONT",
  hit: (seat) => Effect.as(seat.server.signal("SIGSTOP"), seat.server.signal("SIGCONT"))
}

export const stop: Blow = {
  name: "SIGTERM",
  hit: (seat) => Effect.as(seat.server.stop("SIGTERM"), Runners.replace(seat))
}

export const noStore: Blow = {
  name: "no way to PostgreSQL",
  hit: ({ toStore }) => Effect.as(toStore.cut, toStore.mend)
}

export const noPeers: Blow = {
  name: "no way from its peers",
  hit: ({ toPeers }) => Effect.as(toPeers.cut, toPeers.mend)
}

export const alone: Blow = {
  name: "no way to anybody",
  hit: ({ toStore, toPeers }) =>
    Effect.as(Effect.andThen(toStore.cut, toPeers.cut), Effect.andThen(toStore.mend, toPeers.mend))
}

export const crash: Blow = {
  name: "PostgreSQL crashed, and restarted",
  hit: (_, postgres) =>
    Effect.as(
      Effect.promise(() => postgres.crash().then(postgres.start)),
      Effect.void
    )
}

export const cutOff: Blow = {
  name: "all connections cut by PostgreSQL",
  hit: (_, postgres) => Effect.as(Terminate.all(postgres.url), Effect.void)
}
