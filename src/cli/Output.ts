/**
 * What the command says, to people or, with `--json`, to programs: one JSON value, whether it worked or not.
 */
import { Console, Context, Data, Effect, Runtime } from "effect"
import { Flag, GlobalFlag, TerminalCapabilities } from "effect/cli"
import * as Style from "./Style.ts"
import * as Table from "./Table.ts"

export const JsonFlag = GlobalFlag.Setting("json")({
  flag: Flag.Boolean("json").pipe(
    Flag.withoutNegation,
    Flag.withDefault(false),
    Flag.withDescription("Print one JSON value, for programs")
  )
})

/** Whether programs read the output. Known before the arguments are understood, since that may fail, too. */
export const AsJson = Context.Reference<boolean>("effect-session-schedule/cli/AsJson", { defaultValue: () => false })

export const wantsJson = (args: ReadonlyArray<string>): boolean =>
  args.some((arg) => arg === "--json" || arg === "--json=true")

/** The input was refused, or what it asks for can't be had: a stable code, and a message that says what to do instead. */
export class Refusal extends Data.TaggedError("Refusal")<{
  readonly code: string
  readonly message: string
  /** What JSON shows besides. */
  readonly details?: Readonly<Record<string, unknown>>
}> {
  override readonly [Runtime.errorExitCode] = 1
  override readonly [Runtime.errorReported] = false
}

/** The command was not used as its help says. */
export class WrongUsage extends Data.TaggedError("WrongUsage")<{}> {
  override readonly [Runtime.errorExitCode] = 2
  override readonly [Runtime.errorReported] = false
}

/** A refusal, as a value; `details` are what JSON shows besides. */
export const refuse = (code: string, message: string, details?: Readonly<Record<string, unknown>>): Refusal =>
  new Refusal({ code, message, ...(details === undefined ? {} : { details }) })

/** A failure, as JSON. */
export interface Failure {
  readonly code: string
  readonly message: string
  readonly [detail: string]: unknown
}

export const encode = ({ code, message, details }: Refusal): Failure => ({ code, message, ...details })

/** Text for people: in colours where their terminal shows some and they did not refuse them with NO_COLOR. */
const forPeople = (text: string): Effect.Effect<string> =>
  Effect.map(TerminalCapabilities.TerminalCapabilities, ({ canColor }) => (canColor ? text : Style.strip(text)))

/** Prints text for people, and nothing where a program reads the output. */
export const printText = (text: string): Effect.Effect<void> =>
  Effect.flatMap(AsJson, (asJson) => (asJson ? Effect.void : Effect.flatMap(forPeople(text), Console.log)))

/** Prints a value as JSON, or else as text. */
export const print = (value: unknown, text: string): Effect.Effect<void> =>
  Effect.flatMap(AsJson, (asJson) => (asJson ? Console.log(JSON.stringify(value)) : printText(text)))

const oneLine = (message: string): string => Table.printable(message).trim()

/** Says why the command fails: JSON where a program reads it, else one line for people beside the output. */
export const printFailure = (failure: Failure): Effect.Effect<void> =>
  Effect.flatMap(AsJson, (asJson) =>
    asJson ? Console.log(JSON.stringify(failure)) : Console.error(`session-schedule: ${oneLine(failure.message)}`)
  )

/** Fails as wrong usage does, where only the command itself can tell. */
export const wrongUsage = (message: string): Effect.Effect<never, WrongUsage> =>
  Effect.andThen(printFailure({ code: "wrong_usage", message }), new WrongUsage())
