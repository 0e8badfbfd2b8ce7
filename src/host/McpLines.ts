/**
 * MCP as lines of JSON on standard input. The library reads nothing more after a line that is no JSON, and trusts the
 * shape of a message: what it could not read is answered here, with the errors of JSON-RPC, and never reaches it.
 */
import { Effect, Predicate, type Stdio, Stream } from "effect"
import * as Nesting from "../domain/Nesting.ts"
import * as McpArguments from "./McpArguments.ts"

/** The most characters of a line that are kept. */
export const MAX_LINE = 1_048_576

/** A line is a message for the library, or has its answer already; a blank one is neither. */
type Judged = { readonly message?: string; readonly answer?: string }

const refused = (code: number, message: string, id: unknown = null): Judged => ({
  answer: JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })
})

const tooLong = refused(-32600, `Invalid Request: a line is longer than ${MAX_LINE} characters.`)
const noJson = refused(-32700, "Parse error: send one JSON-RPC message a line, as JSON.")
const noMessage = refused(-32600, "Invalid Request: send one JSON-RPC message a line, with a method and an id.")

const isId = (id: unknown): id is string | number => typeof id === "string" || Number.isFinite(id)

const isMessage = (value: unknown): value is Record<string, unknown> => {
  if (!Predicate.isObject(value)) return false
  const { id, method, result, error } = value as Record<string, unknown>
  if (method === undefined) return isId(id) && (result !== undefined || error !== undefined)
  return typeof method === "string" && !method.startsWith("@effect/") && (id === undefined || isId(id))
}

/** What JSON-RPC has: the library reads more of a message, and trusts that, too. */
const bare = ({ jsonrpc, id, method, params, result, error }: Record<string, unknown>) => ({
  jsonrpc,
  id,
  method,
  params,
  result,
  error
})

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** What becomes of a line; undefined is one that was too long to be kept. */
export const judge = (line: string | undefined): Judged => {
  if (line === undefined) return tooLong
  if (line.trim() === "") return {}
  const json = parse(line)
  if (json === undefined) return noJson
  const messages = [json].flat()
  if (!messages.every(isMessage)) return noMessage
  if (Nesting.isTooDeep(json))
    return refused(-32600, `Invalid Request: values are nested deeper than ${Nesting.MAX_DEPTH}.`, messages[0]?.["id"])
  const known = messages.map(bare)
  return { message: McpArguments.readable(JSON.stringify(Array.isArray(json) ? known : known[0])) }
}

/** Text by lines, in parts of any size; of a line that is too long only that there was one, so that memory is bounded. */
export const splitter = (): ((text: string) => ReadonlyArray<string | undefined>) => {
  let rest = ""
  let isLong = false
  return (text) => {
    const parts = (rest + text).split("\n")
    rest = parts.pop() ?? ""
    const lines = parts.map((line, n) => (line.length > MAX_LINE || (n === 0 && isLong) ? undefined : line))
    isLong = rest.length > MAX_LINE || (isLong && lines.length === 0)
    if (isLong) rest = ""
    return lines
  }
}

/** Standard input and output for the library: only what it can read comes in. */
export const guarded = (stdio: Stdio.Stdio): Stdio.Stdio => {
  const write = (answer: string) => Stream.run(Stream.make(`${answer}\n`), stdio.stdout())
  const admit = (line: string | undefined) => {
    const { message = "", answer } = judge(line)
    return Effect.as(answer === undefined ? Effect.void : write(answer), message === "" ? "" : `${message}\n`)
  }
  const stdin = Stream.suspend(() => {
    const split = splitter()
    return stdio.stdin.pipe(
      Stream.decodeText,
      Stream.concat(Stream.make("\n")),
      Stream.map(split),
      Stream.flattenIterable,
      Stream.mapEffect(admit),
      Stream.encodeText
    )
  })
  return { ...stdio, stdin }
}
