/**
 * What the command says, to people or, with `--json`, to programs: one JSON value, whether it worked or not.
 */
import { Console, Context, Data, Effect, Runtime } from "effect"
import { Flag, GlobalFlag } from "effect/cli"

export const JsonFlag = GlobalFlag.Setting("json")({
  flag: Flag.Boolean("json").pipe(
    Flag.withoutNegation,
    Flag.withDefault(false),
    Flag.withDescription("Print one JSON value, for programs")
  )
})

/** Whether programs read the output. Known before the arguments are understood, since that may fail, too. */
export const AsJson = Context.Reference<boolean>("effect-session-schedule/cli/AsJson", { defaultValue: () => false })

export const wantsJson = (args: ReadonlyArray<string>): boolean => args.includes("--json")

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
export class WrongUsage extends Data.TaggedError("WrongUsage")<{ readonly message: string }> {
  override readonly [Runtime.errorExitCode] = 2
  override readonly [Runtime.errorReported] = false
}

/** Refuses with anything that has a code and a message. */
export const refuse = (failure: { readonly code: string; readonly message: string }): Refusal => {
  const { code, message, ...details } = failure
  return new Refusal({ code, message, details })
}

/** A refusal, as JSON. */
export const encode = ({ code, message, details }: Refusal): Readonly<Record<string, unknown>> => ({
  code,
  message,
  ...details
})

/** Prints a value as JSON, or else as text. */
export const print = (value: unknown, text: string): Effect.Effect<void> =>
  Effect.flatMap(AsJson, (asJson) => Console.log(asJson ? JSON.stringify(value) : text))

const oneLine = (message: string): string => message.trim().replaceAll(/\s+/gu, " ")

/** Says why the command fails: JSON where a program reads it, else one line for people beside the output. */
export const printFailure = (failure: Readonly<Record<string, unknown>> & { readonly message: string }) =>
  Effect.flatMap(AsJson, (asJson) =>
    asJson ? Console.log(JSON.stringify(failure)) : Console.error(`session-schedule: ${oneLine(failure.message)}`)
  )
