/**
 * The logs of Sessions as the commands read them, from a store's file or from a running host. None becomes live.
 */
import { Effect, type FileSystem, Option, Schema, type Scope, Stream } from "effect"
import { Argument, Flag } from "effect/cli"
import type { SessionEvent, SessionHeader, SessionId } from "../domain/Session.ts"
import { decodeId } from "../host/SessionInput.ts"
import type { LogSlice } from "../services/EventLog.ts"
import * as Host from "./Host.ts"
import { type Refusal, refuse, wrongUsage, type WrongUsage } from "./Output.ts"
import * as PathName from "./PathName.ts"
import * as Token from "./Token.ts"

/** A Session with its `schedule/change` events; `length` counts those of other types, too. */
interface Changes {
  readonly header: SessionHeader
  readonly length: number
  readonly changes: ReadonlyArray<SessionEvent>
}

export interface Logs {
  readonly list: Effect.Effect<ReadonlyArray<SessionHeader>, Refusal>
  header(id: SessionId): Effect.Effect<SessionHeader, Refusal>
  /** Some events from a place on; none at the log's end. */
  page(id: SessionId, from: number): Effect.Effect<LogSlice, Refusal>
  changes(id: SessionId): Effect.Effect<Changes, Refusal>
}

/** `--db`: the file of the store. */
export const dbFlag = PathName.flag("db").pipe(
  Flag.withSchema(Schema.NonEmptyString),
  Flag.withMetavar("FILE"),
  Flag.withDescription("The database, which a server may have open (default: data/schedule.db)"),
  Flag.optional
)

/** Where it is without `--db`: where `serve` has it. */
export const DB = "data/schedule.db"

/** Where the logs are. */
export const flags = {
  db: dbFlag,
  url: Host.address.pipe(
    Flag.withDescription("Ask a running host instead, such as http://127.0.0.1:4319"),
    Flag.optional
  ),
  tokenFile: Token.fileFlag
}

export interface Place {
  readonly db: Option.Option<string>
  readonly url: Option.Option<string>
  readonly tokenFile: Option.Option<string>
}

/** Whose log is meant. */
export const sessionArgument = Argument.String("session").pipe(
  Argument.withDescription("The Session whose log is meant")
)

/** The Session that was named. */
export const sessionId = (text: string): Effect.Effect<SessionId, Refusal> =>
  Effect.mapError(decodeId(text), ({ code, message }) => refuse(code, message))

/** The logs in the place that the flags name. What reads them is loaded only here. */
export const open = ({
  db,
  url,
  tokenFile
}: Place): Effect.Effect<Logs, Refusal | WrongUsage, FileSystem.FileSystem | Scope.Scope> =>
  Effect.gen(function* () {
    if (Option.isSome(db) && Option.isSome(url)) {
      return yield* wrongUsage("--db and --url are two places: give one of them.")
    }
    if (Option.isNone(url)) {
      const { open } = yield* Effect.promise(() => import("./StoreLogs.ts"))
      return yield* open(Option.getOrElse(db, () => DB))
    }
    const token = yield* Token.read(tokenFile)
    const { open } = yield* Effect.promise(() => import("./HostLogs.ts"))
    return yield* open({ url: url.value, token })
  })

type Pages = readonly [ReadonlyArray<ReadonlyArray<SessionEvent>>, Option.Option<number>]

/** All events of a Session, a page at a time. */
export const pages = (logs: Pick<Logs, "page">, id: SessionId): Stream.Stream<ReadonlyArray<SessionEvent>, Refusal> =>
  Stream.paginate(0, (from) =>
    Effect.map(logs.page(id, from), ({ events, end }): Pages =>
      events.length === 0 ? [[], Option.none()] : [[events], Option.some(end)]
    )
  )
