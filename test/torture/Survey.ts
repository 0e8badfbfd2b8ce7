/**
 * Opens one database after the other, and prints what it finds there, a line of JSON each: `node Survey.ts FILE…`.
 */
import { Effect, Exit, Logger, Option } from "effect"
import type { Sessions } from "../../src/host/Sessions.ts"
import * as Hosts from "../host/Hosts.ts"

/** What was asked of a damaged file: an answer, a failure that says what it is, or one that should never be. */
export type Found =
  | { readonly kind: "answer"; readonly value: unknown }
  | { readonly kind: "failure"; readonly tag: string; readonly message: string }
  | { readonly kind: "defect"; readonly message: string }

/** One database: refused as a whole, or each of its Sessions as it was found. */
export interface Surveyed {
  readonly file: string
  readonly opened: Found
  readonly sessions: Readonly<Record<string, Found>>
}

/** Far more than any of it takes. */
const PATIENCE = "20 seconds"

const find = <A>(effect: Effect.Effect<A, { readonly _tag: string; readonly message: string }>) =>
  Effect.map(Effect.exit(Effect.timeoutOption(effect, PATIENCE)), (exit): Found => {
    if (Exit.isSuccess(exit)) {
      return Option.match(exit.value, {
        onNone: () => ({ kind: "defect", message: "no answer came" }),
        onSome: (value) => ({ kind: "answer", value })
      })
    }
    const failure = Exit.findErrorOption(exit)
    return Option.match(failure, {
      onNone: () => ({ kind: "defect", message: String(exit.cause) }),
      onSome: ({ _tag, message }) => ({ kind: "failure", tag: _tag, message })
    })
  })

const session = (sessions: Sessions["Service"], id: string) =>
  Effect.gen(function* () {
    const { events } = yield* sessions.transcript(id, 0, 100_000)
    const reminders = yield* sessions.reminders(id)
    return { events, views: yield* reminders.list }
  })

const survey = Effect.fnUntraced(function* (file: string, ids: ReadonlyArray<string>) {
  const opened = yield* Effect.exit(Hosts.open(file))
  const found: Record<string, Found> = {}
  if (Exit.isSuccess(opened)) {
    const { sessions } = opened.value
    found["*"] = yield* find(Effect.map(sessions.list, (all) => all.map((summary) => ({ ...summary, state: "any" }))))
    for (const id of ids) found[id] = yield* find(session(sessions, id))
  }
  const surveyed: Surveyed = { file, opened: yield* find(Effect.asVoid(opened)), sessions: found }
  process.stdout.write(`${JSON.stringify(surveyed)}\n`)
})

const logger = Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])
const [ids = "", ...files] = process.argv.slice(2)
await Effect.runPromise(
  Effect.provide(
    Effect.forEach(files, (file) => Effect.scoped(survey(file, ids.split(","))), { discard: true }),
    logger
  )
)
