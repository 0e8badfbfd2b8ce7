/**
 * The whole command: its parts, how it ends, and what it says when it fails.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Runtime, Stdio } from "effect"
import { CliConfig, CliOutput, Command, GlobalFlag } from "effect/cli"
import { create } from "./Create.ts"
import { remove } from "./Delete.ts"
import { exportLogs } from "./Export.ts"
import { history } from "./History.ts"
import { importLogs } from "./Import.ts"
import { list } from "./List.ts"
import * as LogLine from "./LogLine.ts"
import { mcp } from "./Mcp.ts"
import * as Output from "./Output.ts"
import { preview } from "./Preview.ts"
import { replay } from "./Replay.ts"
import { serve } from "./Serve.ts"
import { sessions } from "./SessionsCommand.ts"
import { verify } from "./Verify.ts"
import { VERSION } from "../Version.ts"

const command = Command.make("session-schedule").pipe(
  Command.withDescription("Durable reminders that live in an AI agent's conversation and come back as later turns."),
  Command.withSubcommands([
    serve,
    create,
    list,
    remove,
    sessions,
    history,
    exportLogs,
    importLogs,
    verify,
    mcp,
    preview,
    replay
  ]),
  Command.withGlobalFlags([Output.JsonFlag])
)

/** A fault in one line, without the words of the library that only programmers understand. */
const inOneLine = (message: string): string =>
  message
    .replace("Expected: Schema validation failed: ", "")
    .replace(
      /flag \S+: "config"\. Expected: SchemaError\(Expected (.*?)\s+at \["(\w+)"\]\)/su,
      "variable $2. Expected: $1"
    )
    .replace(
      /\s+Did you mean this\?\s+(.*)$/su,
      (_, names: string) => `: did you mean ${names.split(/\s+/u).join(" or ")}?`
    )

/** Wrong usage is told like every failure, without the help text, which would drown it. */
const presenter = CliOutput.layerPresenter({
  present: (event) => {
    if (event._tag !== "InvalidInvocation") return CliOutput.defaultPresenter.present(event)
    const faults = event.errors.map(({ message }) => inOneLine(message)).join("; ")
    return Output.printFailure({
      code: "wrong_usage",
      message: `${faults} (see ${event.commandPath.join(" ")} --help)`
    })
  }
})

const builtIns = CliConfig.layer({
  builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions, GlobalFlag.LogLevel]
})

/** A fault of ours is told like every failure: in one line. */
const unexpected = (defect: unknown): Output.Refusal => {
  const said = defect instanceof Error ? defect.message : String(defect)
  return Output.refuse("internal_error", `Something unexpected went wrong: ${said}`)
}

/** Runs the command with these arguments. It fails with how the process is to exit, after saying why. */
export const run = (args: ReadonlyArray<string>) =>
  Command.runWith(command, { version: VERSION })(args).pipe(
    Effect.catchDefect((defect) => Effect.fail(unexpected(defect))),
    Effect.tapError((error) => (error._tag === "Refusal" ? Output.printFailure(Output.encode(error)) : Effect.void)),
    Effect.catchTag("ShowHelp", ({ errors }) => (errors.length === 0 ? Effect.void : new Output.WrongUsage())),
    Effect.provide([presenter, builtIns]),
    Effect.provideService(Output.AsJson, Output.wantsJson(args))
  )

const teardown: Runtime.Teardown = (exit, onExit) =>
  Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
    ? onExit(Number(process.exitCode ?? 130))
    : Runtime.defaultTeardown(exit, onExit)

/** Whoever reads the output may stop before its end, as `head` does; but half a log on a full disk is no log. */
const outputFailed = (error: Error): never => {
  if ("code" in error && error.code === "EPIPE") return process.exit(0)
  process.stderr.write(`session-schedule: The output cannot be written: ${error.message}\n`)
  return process.exit(1)
}

/** Runs the command as this process. */
export const start = (): void => {
  process.stdout.on("error", outputFailed)
  // A server goes on though nobody reads what it logs any more.
  process.stderr.on("error", () => {})
  const main = Effect.flatMap(Stdio.Stdio, ({ args }) => Effect.flatMap(args, run))
  NodeRuntime.runMain(Effect.provide(main, [NodeServices.layer, LogLine.layer]), {
    disableErrorReporting: true,
    teardown
  })
}
