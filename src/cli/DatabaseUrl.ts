/**
 * The URL of a PostgreSQL database. It most often has a password in it, and so is never printed.
 */
import { Config, Effect, Option, Redacted } from "effect"
import { Flag } from "effect/cli"
import { type Refusal, refuse } from "./Output.ts"

const VARIABLE = "SESSION_SCHEDULE_DATABASE_URL"

/** `--database-url`: a PostgreSQL database instead of a file. */
export const flag = Flag.String("database-url").pipe(
  Flag.withMetavar("URL"),
  Flag.withDescription(
    "A PostgreSQL database instead, as postgres://user@host:port/database; also " +
      `${VARIABLE}, which keeps a password out of the list of processes`
  ),
  Flag.optional
)

/** The URL that the flag or else the environment names; an empty variable is one that is not set. */
export const read = (given: Option.Option<string>): Effect.Effect<Option.Option<Redacted.Redacted>> =>
  Option.isSome(given)
    ? Effect.succeed(Option.some(Redacted.make(given.value)))
    : Config.option(Config.Redacted(VARIABLE)).pipe(
        Effect.orDie,
        Effect.map(Option.filter((url) => Redacted.value(url) !== ""))
      )

const isMissing = (error: unknown): boolean => {
  const { code, message } = Object(error) as { readonly code?: unknown; readonly message?: unknown }
  return code === "ERR_MODULE_NOT_FOUND" && String(message).includes("@effect/sql-pg")
}

/** Loads what needs the driver of PostgreSQL, which is installed only by who wants it. */
export const withDriver = <A>(load: () => PromiseLike<A>): Effect.Effect<A, Refusal> =>
  Effect.catchDefect(Effect.promise(load), (error) =>
    isMissing(error)
      ? Effect.fail(
          refuse("missing_driver", "PostgreSQL needs a package that is not installed: npm install @effect/sql-pg")
        )
      : Effect.die(error)
  )
