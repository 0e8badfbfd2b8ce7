/**
 * The token that a host asks for. It is never an argument: every list of processes shows those.
 */
import { createReadStream } from "node:fs"
import { Config, Effect, Option } from "effect"
import { Flag } from "effect/cli"
import * as BearerToken from "../layers/BearerToken.ts"
import { type Refusal, refuse } from "./Output.ts"
import * as PathName from "./PathName.ts"

const VARIABLE = "SESSION_SCHEDULE_TOKEN"

/** `--token-file`: where it is read from, if not from the environment. */
export const fileFlag = PathName.flag("token-file").pipe(
  Flag.withMetavar("FILE"),
  Flag.withDescription(`The file that holds the host's token (default: the token in ${VARIABLE}, if it is set)`),
  Flag.optional
)

const decode = (text: string, place: string): Effect.Effect<BearerToken.BearerToken, Refusal> =>
  Option.match(BearerToken.fromText(text), {
    onNone: () =>
      Effect.fail(
        refuse(
          "invalid_token",
          `${place} holds no token: write at least one character there, of letters, digits, and - . _ ~ + / only.`
        )
      ),
    onSome: Effect.succeed
  })

/** The most bytes that a file of a token may have; some files never end. */
const MAX_BYTES = 4_096

const tooLong = (file: string): Refusal =>
  refuse("invalid_token", `${file} is larger than ${MAX_BYTES} bytes: name the file that holds the token, and no more.`)

/** Of a pipe, too, which has no size that could be asked for before. */
const beginning = async (file: string): Promise<Buffer> => {
  const parts: Array<Buffer> = []
  for await (const part of createReadStream(file, { end: MAX_BYTES })) parts.push(part)
  return Buffer.concat(parts)
}

const fromFile = Effect.fnUntraced(function* (file: string) {
  const bytes = yield* Effect.tryPromise({
    try: () => beginning(file),
    catch: () => refuse("invalid_token", `The token can't be read from ${file}: name the file that holds it.`)
  })
  if (bytes.length > MAX_BYTES) return yield* tooLong(file)
  return yield* decode(bytes.toString(), file)
})

/** An empty variable is one that is not set. */
const fromEnvironment = Effect.gen(function* () {
  const text = yield* Effect.orDie(Config.String(VARIABLE).pipe(Config.withDefault("")))
  return text === "" ? undefined : yield* decode(text, VARIABLE)
})

/** The token, from the file that was named, or else from the environment; undefined without either. */
export const read = (file: Option.Option<string>): Effect.Effect<BearerToken.BearerToken | undefined, Refusal> =>
  Option.match(file, { onNone: () => fromEnvironment, onSome: fromFile })
