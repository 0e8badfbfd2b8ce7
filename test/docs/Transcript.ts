/**
 * What was typed and what was printed, as a page shows it, and the same again as it is today.
 */
import { Effect } from "effect"
import * as Cli from "../cli/Cli.ts"
import * as Page from "./Page.ts"

/** One command, and the output below it. `input` names the file that it reads as its standard input. */
export interface Step {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly input: string | undefined
  readonly output: string
}

/** Words as a shell splits them: at spaces, but not within single quotes. */
const words = (command: string): ReadonlyArray<string> =>
  Array.from(command.matchAll(/'([^']*)'|(\S+)/gu), ([, quoted, plain]) => quoted ?? plain ?? "")

const step = (text: string): Step => {
  const [command = "", ...output] = text.replaceAll("\\\n", "").split("\n")
  const [program, ...given] = words(command)
  if (program !== "session-schedule") throw new Error(`not a command of ours: ${command}`)
  const redirect = given.indexOf("<")
  return {
    command,
    args: redirect < 0 ? given : given.slice(0, redirect),
    input: redirect < 0 ? undefined : given[redirect + 1],
    output: output.join("\n").trimEnd()
  }
}

/** The steps of a page's transcripts, in order: each begins with a dollar. */
export const steps = (page: string): ReadonlyArray<Step> =>
  Page.blocks(page, "console").flatMap((block) => block.split(/^\$ /mu).slice(1).map(step))

/** What a step prints when it is run now. */
export const run = ({ args }: Step, input = ""): Effect.Effect<string> =>
  Effect.map(Cli.run(args, input), ({ out, err }) => [...out, ...err].join("\n").trimEnd())
