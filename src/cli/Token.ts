/**
 * The token that a host asks for. It is never an argument: every list of processes shows those.
 */
import { constants } from "node:fs"
import { type FileHandle, open as openFile } from "node:fs/promises"
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

/** How long a pipe may say nothing. */
const PATIENCE = "5 seconds"

/** What is there to be read; undefined if that may still come. Nobody waits in the system, where no signal ends it. */
const part = async (open: FileHandle, isPipe: boolean, isBegun: boolean): Promise<Buffer | undefined> => {
  try {
    const { bytesRead, buffer } = await open.read(Buffer.alloc(MAX_BYTES + 1))
    return bytesRead === 0 && isPipe && !isBegun ? undefined : buffer.subarray(0, bytesRead)
  } catch (error) {
    if (Object(error).code === "EAGAIN") return undefined
    throw error
  }
}

/** Of a pipe, too, which has no size that could be asked for before, and whose other end may come later. */
const beginning = Effect.fnUntraced(function* (file: string) {
  const open = yield* Effect.acquireRelease(
    Effect.tryPromise(() => openFile(file, constants.O_RDONLY | constants.O_NONBLOCK)),
    (open) => Effect.promise(() => open.close())
  )
  const isPipe = (yield* Effect.tryPromise(() => open.stat())).isFIFO()
  let bytes = Buffer.alloc(0)
  for (let isOver = false; !isOver && bytes.length <= MAX_BYTES;) {
    const more = yield* Effect.tryPromise(() => part(open, isPipe, bytes.length > 0))
    if (more === undefined) yield* Effect.sleep("20 millis")
    else bytes = Buffer.concat([bytes, more])
    isOver = more?.length === 0
  }
  return bytes
}, Effect.scoped)

const fromFile = Effect.fnUntraced(function* (file: string) {
  const bytes = yield* beginning(file).pipe(
    Effect.timeout(PATIENCE),
    Effect.mapError(() => refuse("invalid_token", `The token can't be read from ${file}: name the file that holds it.`))
  )
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
