/**
 * What a model's call of a tool is answered with.
 */
import { Effect, Stream } from "effect"
import { Prompt, type Tool, type Toolkit } from "effect/ai"

/** A call as the model made it: it may name what does not exist, with arguments of any shape. */
export interface Call {
  readonly id: string
  readonly name: string
  readonly params: unknown
}

interface Result {
  readonly isFailure: boolean
  readonly encodedResult: unknown
}

const unknownTool = (known: ReadonlyArray<string>): Result => ({
  isFailure: true,
  encodedResult: { code: "unknown_tool", message: `There is no such tool. There are: ${known.join(", ")}.` }
})

/** Runs the tool. That there is no such tool is an answer, too, so that the model can do better. */
export const make = Effect.fnUntraced(function* <Tools extends Record<string, Tool.Any>>(
  toolkit: Toolkit.WithHandler<Tools>,
  { id, name, params }: Call
) {
  const { isFailure, encodedResult }: Result = Object.hasOwn(toolkit.tools, name)
    ? yield* toolkit
        .handle(name, params as never, id)
        .pipe(Stream.unwrap, Stream.runLast, Effect.flatMap(Effect.fromOption), Effect.orDie)
    : unknownTool(Object.keys(toolkit.tools))
  return Prompt.makePart("tool-result", { id, name, isFailure, result: encodedResult, providerExecuted: false })
})
