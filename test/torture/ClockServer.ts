/**
 * The server on a clock that whoever started it sets: each message is by how many milliseconds. It looks at that clock
 * every `TORTURE_LONGEST_WAIT` milliseconds at least, since a test can't wait for the minute of production.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Clock, Effect, Layer, Logger } from "effect"
import * as Program from "../../src/cli/Program.ts"
import { LongestWait } from "../../src/layers/AlarmClock.ts"
import * as SteppedClock from "../../src/testing/SteppedClock.ts"

const { clock, step } = Effect.runSync(SteppedClock.make)
process.on("message", (millis) => Effect.runSync(step(Number(millis))))

const logger = Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])

Program.run(process.argv.slice(2)).pipe(
  Effect.provide(Layer.merge(NodeServices.layer, logger)),
  Effect.provideService(LongestWait, Number(process.env["TORTURE_LONGEST_WAIT"])),
  Effect.provideService(Clock.Clock, clock),
  NodeRuntime.runMain({ disableErrorReporting: true, teardown: (_, onExit) => onExit(Number(process.exitCode ?? 1)) })
)
