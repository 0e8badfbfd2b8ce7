/**
 * The whole command: its parts, how it ends, and what it says when it fails.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Console, Effect, Exit, Layer, Logger, Runtime, Stdio } from "effect"
import { CliConfig, CliOutput, Command, GlobalFlag } from "effect/cli"
import { create } from "./Create.ts"
import { remove } from "./Delete.ts"
import { list } from "./List.ts"
import * as Output from "./Output.ts"
import { preview } from "./Preview.ts"
import { replay } from "./Replay.ts"
import { serve } from "./Serve.ts"
import { sessions } from "./SessionsCommand.ts"

const VERSION = "0.1.0"

const command = Command.make("session-schedule").pipe(
  Command.withDescription("Durable reminders that live in an AI agent's conversation and come back as later turns."),
  Command.withSubcommands([serve, create, list, remove, sessions, preview, replay]),
  Command.withGlobalFlags([Output.JsonFlag])
)

/** Wrong usage is told like every failure, without the help text, which would drown it. */
const presenter = CliOutput.layerPresenter({
  present: (event) => {
    if (event._tag !== "InvalidInvocation") return CliOutput.defaultPresenter.present(event)
    const help = `${event.commandPath.join(" ")} --help`
    const faults = event.errors.map(({ message }) => message).join("; ")
    return Output.printFailure({ code: "wrong_usage", message: `${faults} (see ${help})` })
  }
})

const builtIns = CliConfig.layer({
  builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions, GlobalFlag.LogLevel]
})

const unexpected = new Output.Refusal({
  code: "internal_error",
  message: "Something unexpected went wrong. With --log-level debug, the log output says what."
})

/** A fault of ours is a failure like any other to whoever called; what it was is for those who mend it. */
const tellNothing = (defect: unknown) =>
  Effect.logDebug("The command failed unexpectedly", defect).pipe(
    Effect.andThen(Effect.fail(unexpected))
  )

/** Runs the command with these arguments. */
export const run = (args: ReadonlyArray<string>) =>
  Command.runWith(command, { version: VERSION })(args).pipe(
    Effect.catchDefect(tellNothing),
    Effect.tapErrorTag("Refusal", (refusal) => Output.printFailure({ message: "", ...Output.encode(refusal) })),
    Effect.catchTag("ShowHelp", ({ errors }) => (errors.length === 0 ? Effect.void : new Output.WrongUsage({}))),
    Effect.provide([presenter, builtIns]),
    Effect.provideService(Output.AsJson, Output.wantsJson(args))
  )
