/**
 * RPC as lines of JSON, for callers of any kind. effect/rpc trusts the shape of a message: one of another shape would
 * end the connection, and with it the calls of others on it. And it tells what went wrong in its own words, not ours.
 */
import { RpcSerialization } from "effect/rpc"
import type { Failure } from "./HostApi.ts"
import { internalError } from "./HostFailure.ts"

const { ndjson } = RpcSerialization
type Lines = ReturnType<typeof ndjson.makeUnsafe>

const isId = (id: unknown): boolean => typeof id === "string" || typeof id === "number"

const isHeader = (header: unknown): boolean =>
  Array.isArray(header) && typeof header[0] === "string" && typeof header[1] === "string"

const isHeaders = (headers: unknown): boolean => Array.isArray(headers) && headers.every(isHeader)

/** Whether a message has what effect/rpc reads of it before it knows which call is meant. */
const isMessage = (message: any): boolean => {
  switch (message?._tag) {
    case "Request": {
      const { id, isNotification, tag, headers } = message
      return (isId(id) || isNotification === true) && typeof tag === "string" && isHeaders(headers)
    }
    case "Ack":
    case "Interrupt":
      return isId(message.requestId)
    default:
      return message?._tag === "Ping" || message?._tag === "Eof"
  }
}

/** A message that is none is answered as one of an unknown kind. */
const readable = (message: any): unknown => {
  const read = message?._tag === "Request" ? { ...message, headers: message.headers ?? [] } : message
  return isMessage(read) ? read : {}
}

const invalid = (message: string): Failure => ({ code: "invalid_request", message })
const noMessage = invalid(
  'This is no call: send one JSON object a line, { "_tag": "Request", id, tag, payload, headers }.'
)
const noCall = invalid("There is no call of that name; the documentation lists those that there are.")
const noPayload = invalid("payload: send an object with the arguments of the call.")

/** What effect/rpc calls a defect of a single call: its handlers have none, so that it is the caller's, or an answer's. */
const told = (defect: unknown): Failure => {
  if (typeof defect !== "string" || defect.startsWith("Failed to encode")) return internalError
  return defect.startsWith("Unknown request tag") ? noCall : noPayload
}

const inOurWords = (response: any): unknown => {
  if (response._tag === "Defect") return { ...response, defect: noMessage }
  if (response._tag !== "Exit" || response.exit._tag !== "Failure") return response
  const cause = response.exit.cause.map((reason: any) =>
    reason._tag === "Die" ? { ...reason, defect: told(reason.defect) } : reason
  )
  return { ...response, exit: { ...response.exit, cause } }
}

/** Line by line, so that one that is no JSON is answered for itself, and takes no other with it. */
const guarded = ({ decode, encode }: Lines, isWhole: boolean): Lines => {
  const decoder = new TextDecoder()
  const read = (line: string): ReadonlyArray<unknown> => {
    try {
      return decode(line)
    } catch {
      return [undefined]
    }
  }
  return {
    decode: (bytes) => {
      const text = typeof bytes === "string" ? bytes : decoder.decode(bytes, { stream: true })
      return `${text}${isWhole ? "\n" : ""}`
        .split(/(?<=\n)/u)
        .flatMap(read)
        .map(readable)
    },
    encode: (response) => encode(inOurWords(response))
  }
}

const make = (isWhole: boolean) =>
  RpcSerialization.RpcSerialization.of({ ...ndjson, makeUnsafe: () => guarded(ndjson.makeUnsafe(), isWhole) })

/** For a connection on which messages come in parts. */
export const stream = make(false)

/** For bodies, which are whole, so that the last line counts without a line end, too. */
export const body = make(true)
